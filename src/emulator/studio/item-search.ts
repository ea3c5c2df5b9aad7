import type { FieldBase, FieldsBase, Values } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { getOrCreate } from '../get-or-create.ts';
import { badRequest } from '../http/http-error.ts';
import { dataInLanguage, type Item } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import type { State } from '../state/state.ts';
import { itemStatus, titleOf, toRow } from './item-view.ts';
import type { StudioContext } from './studio-context.ts';
import { parsePageParameters } from './studio-request.ts';
import type { ItemPage } from './studio-types.ts';

/** A list without the search, kept while nothing changes. */
interface SortedList {
  readonly id: string;
  readonly revision: number;
  readonly items: readonly Item[];
}

const ORDERS: { readonly [order: string]: (a: Item, b: Item) => number } = {
  '-updated': (a, b) => b.updatedAt - a.updatedAt || b.id - a.id,
  updated: (a, b) => a.updatedAt - b.updatedAt || a.id - b.id,
  '-created': (a, b) => b.createdAt - a.createdAt || b.id - a.id,
  id: (a, b) => a.id - b.id,
};

const PREPARED_AT_ONCE = 1_000;

/** Lists of items for the page, fast enough to be searched with every key. */
export class ItemSearch {
  readonly #context: StudioContext;
  /** The lower-case text that an item is found by. Items are immutable. */
  readonly #texts = new WeakMap<Item, string>();
  #sorted: SortedList | undefined;
  #found: (SortedList & { readonly from: SortedList }) | undefined;

  constructor(context: StudioContext) {
    this.#context = context;
  }

  find(query: URLSearchParams): ItemPage {
    const { state } = this.#context.requestContext();
    const { offset, limit } = parsePageParameters(query);
    const lang = parseLanguage(query.get('lang'), state);
    const sorted = this.#sort(query, lang, state);
    const items = this.#search(query.get('search') ?? '', sorted, state);
    const rows = items.slice(offset, offset + limit).map((item) => toRow(item, state, lang));
    return { total: items.length, offset, rows };
  }

  #sort(query: URLSearchParams, lang: string | undefined, state: State): SortedList {
    const filter = ['model', 'status', 'space', 'order'].map((name) => query.get(name) || undefined);
    const id = JSON.stringify([...filter, lang]);
    const { revision } = state;
    if (this.#sorted?.id === id && this.#sorted.revision === revision) return this.#sorted;
    const [model, status, space, order = '-updated'] = filter;
    const models = new Set(model?.split(',') ?? Object.keys(state.models));
    const items = [...state.items.values()].filter(
      (item) =>
        models.has(item.model) &&
        state.fields(item.model) !== undefined &&
        (status === undefined || itemStatus(item) === status) &&
        (space === undefined || item.space === space) &&
        (lang === undefined || dataInLanguage(item, 'drafts', lang) !== undefined),
    );
    items.sort(order === 'title' ? this.#byTitle(lang ?? state.languages.main, state) : compareBy(order));
    this.#sorted = { id, revision, items };
    setImmediate(() => this.#prepareSearch(items, 0, state));
    return this.#sorted;
  }

  /** Reads the texts of a list before they are searched, some at a time, so that the first search is fast too. */
  #prepareSearch(items: readonly Item[], from: number, state: State): void {
    if (this.#sorted?.items !== items) return;
    const to = Math.min(items.length, from + PREPARED_AT_ONCE);
    for (const item of items.slice(from, to)) this.#textOf(item, state);
    if (to < items.length) setImmediate(() => this.#prepareSearch(items, to, state));
  }

  /** Items that contain every word. */
  #search(search: string, from: SortedList, state: State): readonly Item[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return from.items;
    const id = words.join(' ');
    if (this.#found?.from === from && this.#found.id === id) return this.#found.items;
    const items = from.items.filter((item) => {
      const text = this.#textOf(item, state);
      return words.every((word) => text.includes(word));
    });
    this.#found = { id, revision: from.revision, items, from };
    return items;
  }

  #textOf(item: Item, state: State): string {
    return getOrCreate(this.#texts, item, () => searchTextOf(item, state));
  }

  #byTitle(lang: string, state: State): (a: Item, b: Item) => number {
    const { compare } = createCollator(lang);
    const titles = new Map<Item, string>();
    const title = (item: Item) => getOrCreate(titles, item, () => titleOf(item, state, lang));
    return (a, b) => compare(title(a), title(b)) || a.id - b.id;
  }
}

const searchedFields = new WeakMap<FieldsBase, readonly string[]>();

/** The id and all single-line texts in all languages, in lower case. */
function searchTextOf({ id, model, published, draft }: Item, state: State): string {
  const fields = state.fields(model) ?? {};
  const searched = getOrCreate(searchedFields, fields, () =>
    Object.keys(fields).filter((luid) => fieldTypeOf(fields[luid] as FieldBase).text === 'line'),
  );
  let text = String(id);
  for (const data of [published, draft]) {
    for (const lang in data) {
      for (const luid of searched) text += `\n${getOwn(data[lang] as Values, luid) ?? ''}`;
    }
  }
  return text.toLowerCase();
}

/** The key of a language is chosen by the user, so it may not be a language tag. */
function createCollator(lang: string): Intl.Collator {
  try {
    return new Intl.Collator(lang, { numeric: true });
  } catch {
    return new Intl.Collator(undefined, { numeric: true });
  }
}

function compareBy(order: string): (a: Item, b: Item) => number {
  const compare = getOwn(ORDERS, order);
  if (!compare) throw badRequest();
  return compare;
}

function parseLanguage(lang: string | null, { languages: { main, sub } }: State): string | undefined {
  if (!lang) return undefined;
  if (lang !== main && !sub.includes(lang)) throw badRequest();
  return lang;
}
