import { type FindInvalid, resolveInEntry } from './entry-shape.ts';
import type { LanguageItems } from './language-items.ts';
import { createResolver, type Resolver, type ResolverOptions } from './reference-resolver.ts';

/** The resolver of a language. */
export type ResolverOf = (languageItems: LanguageItems) => Resolver;

/** One resolver per language: it keeps what it resolved. */
export function createResolvers(
  options: Omit<ResolverOptions, 'languageItems'>,
  /** The items that it reads. */
  itemsOf = (languageItems: LanguageItems) => languageItems,
): ResolverOf {
  const resolvers = new Map<LanguageItems, Resolver>();
  return (languageItems) => {
    const resolver =
      resolvers.get(languageItems) ?? createResolver({ ...options, languageItems: itemsOf(languageItems) });
    resolvers.set(languageItems, resolver);
    return resolver;
  };
}

export function findInvalidWith(resolverOf: ResolverOf): FindInvalid {
  return (item, languageItems, shape) => {
    const result = resolveInEntry(resolverOf(languageItems), item, shape);
    return 'issues' in result ? result : undefined;
  };
}
