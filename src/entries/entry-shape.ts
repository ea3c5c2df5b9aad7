import type { WireContent } from '../contract/content.ts';
import { formatCount } from '../shared/format-count.ts';
import type { NameSet } from './kept-properties.ts';
import type { LanguageItems } from './language-items.ts';
import type { InvalidItem } from './problems/invalid-item.ts';
import type { ResolvedItem, Resolver } from './reference-resolver.ts';

/** How much of an item its entry shows. */
export interface EntryShape {
  /** How many references deep it embeds content. */
  readonly depth: number;
  /**
   * What a page can see of the item, beside what is computed: the fields that `data` keeps and the body, without
   * `references`. `undefined`: all properties.
   */
  readonly shown?: NameSet | undefined;
  /** How many items it may embed, counted each time. */
  readonly maxEmbedded: number;
}

/** With `onInvalid: 'skip'`: why an item cannot be shown; `undefined` if it can. */
export type FindInvalid = (
  item: WireContent,
  languageItems: LanguageItems,
  shape: EntryShape,
) => InvalidItem | undefined;

/** Resolves the item of an entry, or of a list in it. One that embeds too much is invalid. */
export function resolveInEntry(
  resolver: Resolver,
  item: WireContent,
  { depth, shown, maxEmbedded }: EntryShape,
): ResolvedItem | InvalidItem {
  const result = resolver.resolve(item, depth, shown);
  if ('issues' in result || result.embedded <= maxEmbedded) return result;
  const [found, limit] = [formatCount(result.embedded), formatCount(maxEmbedded)];
  const message = `embeds ${found} items at depth ${depth}, most of them through this field; \`maxEmbedded\` is ${limit}`;
  const path = result.largest === undefined ? [] : [result.largest];
  return { data: item, issues: [{ path, message }], because: [], isTooLarge: true };
}
