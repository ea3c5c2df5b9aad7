import type { WireContent, WireLangs } from '../contract/content.ts';
import { type EntryIdRule, entryId, type NamedId, type Unnamed } from './entry-id.ts';
import type { Filter } from './filter.ts';
import type { Corpus } from './language-items.ts';

/** What decides which entries a collection has and what they are called. */
export interface CollectionRule {
  readonly model: string;
  readonly id: EntryIdRule;
  readonly filter: Filter;
  /** The languages whose keys begin the ids of entries; absent where there is one language. */
  readonly langs: readonly string[] | undefined;
}

/** An item next to another in a collection. */
export interface Neighbour {
  /** Content ID. */
  _id: number;
  _title: string;
  /** The id of its entry. */
  id: string;
}

/** What an entry has beside the data of its item. */
export interface Extras {
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
  readonly corpus: Corpus;
  readonly extras: Extras;
}

/** Whether a collection has an item. */
function isIn(rule: CollectionRule, item: WireContent, corpus: Corpus): boolean {
  const hasLanguage = !rule.langs || (corpus.lang !== undefined && rule.langs.includes(corpus.lang));
  return item._model === rule.model && hasLanguage && rule.filter(item, corpus);
}

/** The id that a collection gives an item, or why it cannot. */
function idIn(rule: CollectionRule, item: WireContent, corpus: Corpus): NamedId {
  return entryId(item, rule.id, rule.langs && corpus.lang);
}

export interface CollectionOptions {
  readonly rule: CollectionRule;
  /** One for each language that the collection has. */
  readonly corpora: readonly Corpus[];
  /** The languages that an item has, where they are known. */
  readonly langsOf: ((id: number) => string[]) | undefined;
  /** Orders neighbours, where they are wanted. */
  readonly order: ((a: WireContent, b: WireContent) => number) | undefined;
  /** Reference field → the collection that it leads into, and that collection's rule. */
  readonly references: ReadonlyMap<string, { collection: string; rule: CollectionRule }>;
}

export interface Collected {
  readonly entries: readonly Entry[];
  /** Items that belong to the collection but have no usable id. */
  readonly unnamed: readonly Unnamed[];
  /** Ids that several items have, with all of these items. */
  readonly duplicates: ReadonlyMap<string, readonly WireContent[]>;
}

/** The entries of a collection, without their data. */
export function entriesOf(options: CollectionOptions): Collected {
  const { rule, corpora, langsOf, order, references } = options;
  const unnamed: Unnamed[] = [];
  const owners = new Map<string, WireContent[]>();
  const entries = corpora.flatMap((corpus) => {
    const members: { id: string; item: WireContent }[] = [];
    for (const item of corpus.values()) {
      if (!isIn(rule, item, corpus)) continue;
      const named = idIn(rule, item, corpus);
      if ('problem' in named) {
        unnamed.push({ item, problem: named.problem });
        continue;
      }
      members.push({ id: named.id, item });
      const others = owners.get(named.id);
      if (others) others.push(item);
      else owners.set(named.id, [item]);
    }
    if (order) members.sort((a, b) => order(a.item, b.item));
    const neighbour = (index: number): Neighbour | null => {
      const other = members[index];
      return other ? { _id: other.item._id, _title: other.item._title, id: other.id } : null;
    };
    return members.map(({ id, item }, index) => {
      const extras: Extras = {};
      if (corpus.lang !== undefined && langsOf) {
        const current = corpus.isFallback(item._id) ? (langsOf(item._id)[0] ?? corpus.lang) : corpus.lang;
        extras._lang = corpus.lang;
        extras._fallback = corpus.isFallback(item._id);
        extras._langs = { current, available: langsOf(item._id) };
      }
      if (order) Object.assign(extras, { _prev: neighbour(index - 1), _next: neighbour(index + 1) });
      for (const [luid, target] of references) extras[luid] = pointer(item[luid], corpus, target);
      return { id, item, corpus, extras };
    });
  });
  const duplicates = new Map([...owners].filter(([, items]) => items.length > 1));
  return { entries, unnamed, duplicates };
}

/** Astro's own form of a reference, or nothing where the other collection does not have the item. */
function pointer(
  id: unknown,
  corpus: Corpus,
  { collection, rule }: { collection: string; rule: CollectionRule },
) {
  const item = typeof id === 'number' ? corpus.get(id) : undefined;
  const named = item && isIn(rule, item, corpus) ? idIn(rule, item, corpus) : undefined;
  return named && 'id' in named ? { collection, id: named.id } : null;
}
