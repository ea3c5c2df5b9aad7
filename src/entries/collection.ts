import type { WireContent, WireLangs } from '../contract/content.ts';
import { LuidContentError } from '../errors.ts';
import type { Corpus } from './corpus.ts';
import { type EntryIdRule, entryId, withoutId } from './entry-id.ts';
import type { Filter } from './filter.ts';
import { nameOf } from './report.ts';

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

/** The id that a collection gives an item, if it can. */
function idIn(rule: CollectionRule, item: WireContent, corpus: Corpus): string | undefined {
  const id = entryId(item, rule.id);
  return id === undefined || !rule.langs ? id : `${corpus.lang}/${id}`;
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
  /** Told of an item that would have an empty id; throws, or it is left out. */
  readonly onWithoutId: (error: LuidContentError) => void;
}

/** The entries of a collection, without their data. Two that would have one id are an error that names both. */
export function entriesOf(options: CollectionOptions): Entry[] {
  const { rule, corpora, langsOf, order, references, onWithoutId } = options;
  const owners = new Map<string, WireContent>();
  return corpora.flatMap((corpus) => {
    const members = [...corpus.values()].flatMap((item) => {
      if (!isIn(rule, item, corpus)) return [];
      const id = idIn(rule, item, corpus);
      if (id === undefined) onWithoutId(withoutId(item, rule.id));
      return id === undefined ? [] : [{ id, item }];
    });
    for (const { id, item } of members) claim(owners, id, item);
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
}

/** Astro's own form of a reference, or nothing where the other collection does not have the item. */
function pointer(
  id: unknown,
  corpus: Corpus,
  { collection, rule }: { collection: string; rule: CollectionRule },
) {
  const item = typeof id === 'number' ? corpus.get(id) : undefined;
  const entry = item && isIn(rule, item, corpus) ? idIn(rule, item, corpus) : undefined;
  return entry === undefined ? null : { collection, id: entry };
}

function claim(owners: Map<string, WireContent>, id: string, item: WireContent): void {
  const owner = owners.get(id);
  if (owner) {
    throw new LuidContentError(
      `${nameOf(owner)} and ${nameOf(item)} have the same id ${JSON.stringify(id)}`,
      {
        model: item._model,
        id: item._id,
        hint: 'Make the field unique, or choose another `id` for the loader.',
      },
    );
  }
  owners.set(id, item);
}
