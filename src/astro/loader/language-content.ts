import type { LoaderContext } from 'astro/loaders';
import { createLanguageItems, type ItemLookup, type LanguageItems } from '../../entries/language-items.ts';
import type { Replica } from '../../replica/replica.ts';
import { sharedSync } from '../../space/shared-sync.ts';
import type { RunningSpace, SpaceCore } from '../../space/space.ts';
import type { LoaderPlan } from './loader-options.ts';

/** The replicas that a collection is made of. */
export interface LanguageReplicas {
  readonly main: Replica;
  /** By language key; empty if the collection does not use languages. */
  readonly sub: ReadonlyMap<string, Replica>;
}

export function usesLanguages({ lang, langs }: Pick<LoaderPlan, 'lang' | 'langs'>): boolean {
  return lang !== undefined || langs !== undefined;
}

/** The sub-languages that a collection needs. All of them, since `_langs` lists those that an item has. */
export function subLanguagesOf(
  { settings }: Pick<SpaceCore, 'settings'>,
  plan: Pick<LoaderPlan, 'lang' | 'langs'>,
): readonly string[] {
  return usesLanguages(plan) ? (settings.languages?.sub ?? []) : [];
}

/** Syncs every language that a collection needs. */
export async function syncLanguages(
  space: RunningSpace,
  plan: LoaderPlan,
  context: LoaderContext,
): Promise<LanguageReplicas> {
  const sync = (lang: string | undefined) => sharedSync(space, { drafts: plan.drafts, lang }, context);
  const langs = subLanguagesOf(space, plan);
  const [main, ...subs] = await Promise.all([sync(undefined), ...langs.map(sync)]);
  return { main, sub: new Map(subs.map((replica, index) => [langs[index] as string, replica])) };
}

export function allReplicas({ main, sub }: LanguageReplicas): Replica[] {
  return [main, ...sub.values()];
}

export interface LanguageContent {
  /** The content of each language that the collection has entries in. */
  readonly languages: readonly LanguageItems[];
  /** The languages that an item has data in. Absent: the collection does not use languages. */
  readonly langsOf: ((id: number) => string[]) | undefined;
}

/**
 * The items of a collection's languages, with those of the main language where the others fall back to it.
 * `itemsOf` is called for each replica.
 */
export async function languageContent(
  { settings: { languages } }: SpaceCore,
  plan: LoaderPlan,
  { main, sub }: LanguageReplicas,
  itemsOf: (replica: Replica) => Promise<ItemLookup>,
): Promise<LanguageContent> {
  const mainItems = await itemsOf(main);
  const subItems = new Map<string, ItemLookup>();
  for (const [lang, replica] of sub) subItems.set(lang, await itemsOf(replica));

  const items = (plan.langs ?? [plan.lang]).map((lang) => {
    if (lang === undefined || lang === languages?.main)
      return createLanguageItems({ lang, items: mainItems, undeclared: main.undeclared });
    const replica = sub.get(lang);
    const undeclaredInMain = [...main.undeclared, ...(replica?.undeclaredInMain ?? [])];
    return createLanguageItems({
      lang,
      items: subItems.get(lang) ?? new Map(),
      fallback: plan.fallback ? mainItems : undefined,
      undeclared: new Set([...(replica?.undeclared ?? []), ...(plan.fallback ? undeclaredInMain : [])]),
    });
  });

  const itemsByLang = new Map([...(languages ? [[languages.main, mainItems] as const] : []), ...subItems]);
  const langsOf = (id: number) => [...itemsByLang].flatMap(([lang, items]) => (items.has(id) ? [lang] : []));
  return { languages: items, langsOf: usesLanguages(plan) ? langsOf : undefined };
}
