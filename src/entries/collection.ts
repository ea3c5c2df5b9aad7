import type { WireContent, WireLangs } from '../contract/content.ts';
import type { FieldsBase } from '../models/field-types/field-type.ts';
import { type BacklinkIndex, type BacklinkRule, type Backlinks, indexBacklinks } from './backlinks.ts';
import { type EntryIdResult, type EntryIdRule, entryId, type ItemWithoutId } from './entry-id.ts';
import { itemForId } from './existing-references.ts';
import type { Filter } from './filter.ts';
import type { LanguageContent, LanguageOptions } from './language-content.ts';
import type { LanguageItems } from './language-items.ts';

/** Which items a collection contains, and their entry ids. If it has several languages, their keys prefix the ids. */
export interface CollectionRule extends LanguageOptions {
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

/** An item that a collection contains. */
export interface Member {
  /** The id of its entry. */
  readonly id: string;
  readonly item: WireContent;
}

function contains(rule: CollectionRule, item: WireContent, languageItems: LanguageItems): boolean {
  const { lang } = languageItems;
  const hasLanguage = !rule.langs || (lang !== undefined && rule.langs.includes(lang));
  return item._model === rule.model && hasLanguage && rule.filter(item, languageItems);
}

/** The id of an item's entry; `undefined` if the collection does not contain it. */
export function memberId(
  rule: CollectionRule,
  item: WireContent,
  languageItems: LanguageItems,
): EntryIdResult | undefined {
  if (!contains(rule, item, languageItems)) return undefined;
  const itemOfId = itemForId(rule.fields, rule.id, item, languageItems);
  return entryId(itemOfId, rule.id, rule.langs && languageItems.lang);
}

export interface CollectionOptions extends LanguageContent {
  readonly rule: CollectionRule;
  /** The order of `_prev` and `_next`; without it entries have none. */
  readonly order: ((a: WireContent, b: WireContent) => number) | undefined;
  /** By reference field. */
  readonly references: ReadonlyMap<string, ReferencedCollection>;
  /** The lists of referrers in each entry. */
  readonly backlinkRules?: readonly BacklinkRule[];
}

/** How the entries of one language are made. */
export interface EntryOptions
  extends Pick<CollectionOptions, 'langsOf' | 'targetItems' | 'order' | 'references'> {
  /** Absent if the collection has no backlinks. */
  readonly backlinks?: BacklinkIndex | undefined;
}

export interface CollectedEntries {
  readonly entries: readonly Entry[];
  /** Items of the collection that have no usable id. */
  readonly withoutId: readonly ItemWithoutId[];
  /** Ids that several items share, with these items. */
  readonly duplicates: ReadonlyMap<string, readonly WireContent[]>;
}

/** The entries of a collection, before their data is resolved. */
export function collectEntries(options: CollectionOptions): CollectedEntries {
  const { rule, languages, order, backlinkRules = [] } = options;
  const withoutId: ItemWithoutId[] = [];
  const owners = new Map<string, WireContent[]>();
  const entries = languages.flatMap((languageItems) => {
    const members: Member[] = [];
    for (const item of languageItems.values()) {
      const result = memberId(rule, item, languageItems);
      if (!result) continue;
      if ('problem' in result) {
        withoutId.push({ item, problem: result.problem });
        continue;
      }
      members.push({ id: result.id, item });
      const others = owners.get(result.id);
      if (others) others.push(item);
      else owners.set(result.id, [item]);
    }
    if (order) members.sort((a, b) => order(a.item, b.item));
    const backlinks =
      backlinkRules.length > 0
        ? indexBacklinks(backlinkRules, languageItems, languageItems.values())
        : undefined;
    const entryOptions = { ...options, backlinks };
    return members.map((member, index) =>
      createEntry(entryOptions, languageItems, member, members[index - 1], members[index + 1]),
    );
  });
  const duplicates = new Map([...owners].filter(([, items]) => items.length > 1));
  return { entries, withoutId, duplicates };
}

/** The other entries of an ordered collection, without these, as neighbours of each other. */
export function removeEntries(entries: readonly Entry[], ids: ReadonlySet<string>): Entry[] {
  const left = Map.groupBy(
    entries.filter(({ id }) => !ids.has(id)),
    ({ languageItems }) => languageItems,
  );
  return [...left.values()].flatMap((ofLanguage) =>
    ofLanguage.map((entry, index) => {
      const [_prev, _next] = [neighbour(ofLanguage[index - 1]), neighbour(ofLanguage[index + 1])];
      const { computed } = entry;
      const isSame = computed._prev?._id === _prev?._id && computed._next?._id === _next?._id;
      return isSame ? entry : { ...entry, computed: { ...computed, _prev, _next } };
    }),
  );
}

/** The entry of a member, between two others if the collection has an order. */
export function createEntry(
  { langsOf, targetItems, order, references, backlinks }: EntryOptions,
  languageItems: LanguageItems,
  { id, item }: Member,
  previous: Member | undefined,
  next: Member | undefined,
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
  if (order) Object.assign(computed, { _prev: neighbour(previous), _next: neighbour(next) });
  for (const [luid, target] of references) {
    computed[luid] = entryReference(item[luid], targetItems(target.rule, lang), target);
  }
  const entry = { id, item, languageItems, computed };
  return backlinks ? { ...entry, backlinks: backlinks.of(item._id, languageItems) } : entry;
}

function neighbour(member: Member | undefined): Neighbour | null {
  return member ? { _id: member.item._id, _title: member.item._title, id: member.id } : null;
}

/** An Astro reference, or `null` if the other collection does not contain the item. */
function entryReference(
  id: unknown,
  targets: LanguageItems | undefined,
  { collection, rule }: ReferencedCollection,
) {
  const item = typeof id === 'number' ? targets?.get(id) : undefined;
  const result = targets && item && memberId(rule, item, targets);
  return result && 'id' in result ? { collection, id: result.id } : null;
}
