import type { WireContent, WireLangs } from '../contract/content.ts';
import type { FieldsBase } from '../models/field-types/field-type.ts';
import type { BacklinkIndex, Backlinks } from './backlinks.ts';
import { type EntryIdResult, type EntryIdRule, entryId } from './entry-id.ts';
import type { EntryShape, FindInvalid } from './entry-shape.ts';
import { itemForId } from './existing-references.ts';
import type { LanguageContent, LanguageOptions } from './language-content.ts';
import type { LanguageItems } from './language-items.ts';
import type { InvalidItem } from './problems/invalid-item.ts';
import type { Filter } from './query/filter.ts';

/** Which items a collection contains, and their entry ids. If it has several languages, their keys prefix the ids. */
export interface CollectionRule extends LanguageOptions, EntryShape {
  readonly model: string;
  /** Those of the model. */
  readonly fields: FieldsBase;
  readonly id: EntryIdRule;
  readonly filter: Filter;
  /** Over how many references a change can decide whether the filter matches. */
  readonly filterReach: number;
}

/** A collection that a reference field leads to. */
export interface ReferencedCollection {
  /** Its name. */
  readonly collection: string;
  readonly rule: CollectionRule;
}

/** An item next to another in a collection. */
export interface Neighbour {
  /** Content ID. */
  _id: number;
  _title: string;
  /** The id of its entry. */
  id: string;
}

/** Fields of an entry that are computed from the collection, not from its item alone. */
export interface ComputedFields {
  _lang?: string;
  _fallback?: boolean;
  _langs?: WireLangs;
  _prev?: Neighbour | null;
  _next?: Neighbour | null;
  /** References to entries of other collections. */
  [field: string]: unknown;
}

export interface Entry {
  readonly id: string;
  readonly item: WireContent;
  readonly languageItems: LanguageItems;
  readonly computed: ComputedFields;
  /** Absent if the collection has none. */
  readonly backlinks?: readonly Backlinks[];
}

/**
 * The id of an item's entry in one of the collection's languages, or why it is skipped; `undefined` if the collection does
 * not contain it.
 */
export function memberId(
  rule: CollectionRule,
  item: WireContent,
  languageItems: LanguageItems,
  findInvalid: FindInvalid | undefined,
): EntryIdResult | InvalidItem | undefined {
  if (item._model !== rule.model || !rule.filter(item, languageItems)) return undefined;
  const itemOfId = itemForId(rule.fields, rule.id, item, languageItems);
  const result = entryId(itemOfId, rule.id, rule.langs && languageItems.lang);
  return 'id' in result ? (findInvalid?.(item, languageItems, rule) ?? result) : result;
}

/** How the entries of one language are made. */
export interface EntryOptions extends Pick<LanguageContent, 'langsOf' | 'targetItems'> {
  readonly languageItems: LanguageItems;
  /** By reference field. */
  readonly references: ReadonlyMap<string, ReferencedCollection>;
  /** Absent: invalid content is an error, which is found when entries are made. */
  readonly findInvalid: FindInvalid | undefined;
  /** Absent if the collection has no backlinks. */
  readonly backlinks: BacklinkIndex | undefined;
}

/** `_prev` and `_next` of an entry. */
export type Neighbours = Pick<ComputedFields, '_prev' | '_next'>;

/** The other entries of an ordered collection, without these, as neighbours of each other. */
export function removeEntries(entries: readonly Entry[], ids: ReadonlySet<string>): Entry[] {
  const left = Map.groupBy(
    entries.filter(({ id }) => !ids.has(id)),
    ({ languageItems }) => languageItems,
  );
  return [...left.values()].flatMap((ofLanguage) =>
    ofLanguage.map((entry, index) => {
      const [_prev, _next] = [neighbourOf(ofLanguage[index - 1]), neighbourOf(ofLanguage[index + 1])];
      const { computed } = entry;
      const isSame = computed._prev?._id === _prev?._id && computed._next?._id === _next?._id;
      return isSame ? entry : { ...entry, computed: { ...computed, _prev, _next } };
    }),
  );
}

/** The entry of an item. */
export function createEntry(
  { languageItems, langsOf, targetItems, references, backlinks, findInvalid }: EntryOptions,
  { id, item }: Pick<Entry, 'id' | 'item'>,
  neighbours: Neighbours,
): Entry {
  const { lang } = languageItems;
  const computed: ComputedFields = {};
  if (lang !== undefined && langsOf) {
    const isFallback = languageItems.isFallback(item._id);
    const available = langsOf(item._id);
    computed._lang = lang;
    computed._fallback = isFallback;
    computed._langs = { current: isFallback ? (available[0] ?? lang) : lang, available };
  }
  Object.assign(computed, neighbours);
  for (const [luid, target] of references) {
    computed[luid] = entryReference(item[luid], targetItems(target.rule, lang), target, findInvalid);
  }
  const entry = { id, item, languageItems, computed };
  return backlinks ? { ...entry, backlinks: backlinks.of(item._id, languageItems, findInvalid) } : entry;
}

/** An entry as another one shows it. */
export function neighbourOf(entry: Pick<Entry, 'id' | 'item'> | undefined): Neighbour | null {
  return entry ? { _id: entry.item._id, _title: entry.item._title, id: entry.id } : null;
}

/** An Astro reference, or `null` if the other collection does not contain the item. */
function entryReference(
  id: unknown,
  targets: LanguageItems | undefined,
  { collection, rule }: ReferencedCollection,
  findInvalid: FindInvalid | undefined,
) {
  const item = typeof id === 'number' ? targets?.get(id) : undefined;
  const result = targets && item && memberId(rule, item, targets, findInvalid);
  return result && 'id' in result ? { collection, id: result.id } : null;
}
