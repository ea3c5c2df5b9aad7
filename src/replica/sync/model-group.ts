import { isDeepStrictEqual } from 'node:util';
import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { ReadSegment } from '../content/segment-items.ts';
import { knownPagesOf, MAX_KNOWN_PAGES } from '../read/page-bytes.ts';
import { pagesFor, type Scan, type ScanResult, scan } from '../read/scan.ts';
import type { Source } from '../read/source.ts';
import type { KnownPage, StoredModel } from '../store/manifest/manifest.ts';
import { createPageDrafts } from '../store/segments/draft-pages.ts';
import { ModelTable, type TableOptions } from '../store/segments/model-table.ts';
import { sortKeyOf } from '../store/segments/segments.ts';

interface ReadOptions {
  readonly bypassCdn: boolean;
  /** How many items unread models are likely to have. */
  readonly expected?: number;
  /** How many items these models had a moment ago, if that is known. */
  readonly totalBefore?: number | undefined;
  readonly onPage?: (items: number, total: number) => void;
}

export interface FullRead {
  /** Items that were not in the tables. */
  readonly found: readonly WireContent[];
  /** Items that the tables had otherwise. */
  readonly changed: readonly WireContent[];
  /** Whether nothing appeared or disappeared meanwhile, as far as totals show. */
  readonly isSteady: boolean;
  /** Whether all items are from pages whose totals show that, none was read on its own. */
  readonly isFromPages: boolean;
}

/** A full read, and the pages to store, which contain exactly what is in the tables then. */
type ComparedRead = FullRead & { readonly pages: readonly KnownPage[] | undefined };

/** What an item was to its table; silently changed: none of its times shows it. */
export type PutResult = 'new' | 'unchanged' | 'changed' | 'silently changed';

/** Up to this many items that may be stale are read by id; with more, everything is read again. */
const MAX_READ_BY_ID = 3 * LIMITS.pageSize;

/** Models that can be requested together, and their tables while a sync works on them. */
export class ModelGroup {
  readonly source: Source;
  readonly tables: ReadonlyMap<string, ModelTable>;
  /** Models of which nothing is stored or read yet. */
  readonly unread: Set<string>;
  /** Models that were read in full in this sync. */
  readonly fullyRead = new Set<string>();
  /** What this sync added, changed and removed, by id. */
  readonly added = new Map<number, WireContent>();
  readonly changed = new Map<number, WireContent>();
  readonly removed = new Map<number, WireContent>();
  /** The pages that contain exactly what is in the tables, if that is known. */
  #pages: readonly KnownPage[] | undefined;

  constructor(
    source: Source,
    states: ReadonlyMap<string, StoredModel>,
    readSegment: ReadSegment,
    facts: TableOptions,
    pages?: readonly KnownPage[],
  ) {
    this.source = source;
    this.#pages = pages;
    this.tables = new Map(
      source.models.map((model) => [
        model,
        new ModelTable(model, states.get(model)?.segments ?? [], readSegment, facts),
      ]),
    );
    this.unread = new Set(source.models.filter((model) => !states.has(model)));
  }

  get pages(): readonly KnownPage[] | undefined {
    return this.#pages;
  }

  get count(): number {
    return [...this.tables.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** When each item was created. */
  async creationTimes(): Promise<number[]> {
    return (await Promise.all([...this.tables.values()].map((table) => table.creationTimes()))).flat();
  }

  /** The item with an id, if there is one. */
  async find(id: number): Promise<WireContent | undefined> {
    for (const table of this.tables.values()) {
      const item = await table.find(id);
      if (item) return item;
    }
    return undefined;
  }

  /** Of one of its models: the client refuses lists with content of others. */
  tableOf(model: string): ModelTable {
    return this.tables.get(model)!;
  }

  /** Puts an item into its table, as it is now. */
  async put(item: WireContent): Promise<PutResult> {
    const table = this.tableOf(item._model);
    if (await table.isUnchanged(item)) return 'unchanged';
    const before = await table.get(sortKeyOf(item));
    if (before && isSame(before, item)) return 'unchanged';
    await table.put(item);
    if (!before) {
      this.#recordAdded(item);
      return 'new';
    }
    this.#recordChanged(item);
    const isSilent = isSameTime(before, item) && !isSame({ ...before, _status: item._status }, item);
    return isSilent ? 'silently changed' : 'changed';
  }

  /** Reads models in full, as one chain of pages, and replaces their tables by it. */
  async readModels(models: readonly string[], options: ReadOptions): Promise<FullRead> {
    const { expected = 0, ...how } = options;
    const tables = models.map((model) => this.tableOf(model));
    const count = tables.reduce((sum, table) => sum + table.count, 0);
    const isFirst = count === 0;
    const knownPages = this.#pagesOf(models, count || expected);
    const onFirstRead: Scan['onFirstRead'] = isFirst ? createPageDrafts(this.tables) : undefined;
    const read = (bypassCdn: boolean) =>
      scan(this.source, {
        models,
        by: '_created_at',
        expected: count || expected,
        ...how,
        bypassCdn,
        onFirstRead,
        knownPages,
      });
    const list = await read(how.bypassCdn);
    const { pages, ...result } =
      (await this.#comparePages(list, how.bypassCdn)) ??
      (await this.#compareAll(tables, list, how.bypassCdn, read));
    // If nothing changed, those of before are still right.
    if (pages) this.#pages = pages;
    for (const model of models) {
      this.unread.delete(model);
      this.fullyRead.add(model);
    }
    return result;
  }

  /** The pages to compare a full read with, by bytes. `undefined` if they are not to be hashed. */
  #pagesOf(models: readonly string[], expected: number): readonly KnownPage[] | undefined {
    const areAll = models.length === this.source.models.length;
    return areAll && pagesFor(expected) <= MAX_KNOWN_PAGES ? (this.#pages ?? []) : undefined;
  }

  /**
   * Compares only the pages whose bytes are not those of the last time. `undefined` if more has to be compared: other
   * items than before, or items that may be older than what is known.
   */
  async #comparePages(list: ScanResult, bypassCdn: boolean): Promise<ComparedRead | undefined> {
    const { isSteady, isFromPages } = list;
    const before = this.#pages;
    const pages = isSteady && isFromPages ? knownPagesOf(list.pages) : undefined;
    if (!before || pages?.length !== before.length) return undefined;
    const areSameItems = pages.every(({ ids }, page) => hasSameIds(ids, before[page] as KnownPage));
    if (!areSameItems) return undefined;
    const changed = new Map<number, WireContent>();
    for (const page of list.pages) {
      if (page.known) continue;
      for (const item of page.data) {
        const table = this.tableOf(item._model);
        if (await table.isUnchanged(item)) continue;
        const known = await table.get(sortKeyOf(item));
        if (!known) return undefined;
        if (isSame(known, item)) continue;
        if (!bypassCdn && !isNewer(item, known)) return undefined;
        changed.set(item._id, item);
      }
    }
    for (const item of changed.values()) await this.put(item);
    return { found: [], changed: [...changed.values()], isSteady, isFromPages, pages };
  }

  /** Compares all items, and replaces the tables by what was read. */
  async #compareAll(
    tables: readonly ModelTable[],
    list: ScanResult,
    bypassCdn: boolean,
    read: (bypassCdn: boolean) => Promise<ScanResult>,
  ): Promise<ComparedRead> {
    const known = (await Promise.all(tables.map((table) => table.all()))).flat();
    const confirmed = known.length === 0 ? list : await this.#confirm(known, list, bypassCdn, read);
    const { items, isSteady, isFromPages } = confirmed;
    const { found, changed } = this.#compare(known, items);
    const byModel = Map.groupBy(items, ({ _model }) => _model);
    for (const table of tables) table.replace(byModel.get(table.model) ?? []);
    const pages = isSteady && isFromPages ? knownPagesOf(confirmed.pages) : undefined;
    return { found, changed, isSteady, isFromPages, pages };
  }

  /** Reads again what may be older than what is known, and all if much is missing. */
  async #confirm(
    known: readonly WireContent[],
    list: ScanResult,
    bypassCdn: boolean,
    read: (bypassCdn: boolean) => Promise<ScanResult>,
  ): Promise<ScanResult> {
    let { items, pages, isSteady, isFromPages } = list;
    const missing = missingIds(known, items);
    const maybeStale = bypassCdn ? missing : maybeStaleIds(known, items);
    if (maybeStale.size > MAX_READ_BY_ID && !bypassCdn)
      ({ items, pages, isSteady, isFromPages } = await read(true));
    else if (maybeStale.size > 0 && maybeStale.size <= MAX_READ_BY_ID) {
      items = await this.#reread(items, maybeStale);
      isFromPages &&= !items.some(({ _id }) => maybeStale.has(_id));
      // It was only hidden, or the page was old: references to it may be empty in what was read.
      if (items.some(({ _id }) => missing.has(_id))) isSteady = false;
      // Pages with an item that does not exist any more are old.
      if (items.length < list.items.length) pages = [];
    }
    // So many removals must be confirmed by a second read.
    return losesMuch(known, items) ? read(true) : { items, pages, isSteady, isFromPages };
  }

  /** The list with these items read again, bypassing the CDN. */
  async #reread(items: readonly WireContent[], ids: ReadonlySet<number>): Promise<WireContent[]> {
    const others = items.filter(({ _id }) => !ids.has(_id));
    const read = await Promise.all(chunks([...ids]).map((some) => this.source.byId(some)));
    return [...others, ...read.flat()];
  }

  /** Removes an item that a response which must have contained it did not contain. */
  async remove(item: WireContent): Promise<void> {
    const table = this.tableOf(item._model);
    const before = await table.get(sortKeyOf(item));
    if (!before) return;
    await table.remove(before);
    this.#recordRemoved(before);
  }

  #recordAdded(item: WireContent): void {
    this.#pages = undefined;
    this.removed.delete(item._id);
    this.added.set(item._id, item);
  }

  #recordChanged(item: WireContent): void {
    this.#pages = undefined;
    this.changed.set(item._id, item);
  }

  #recordRemoved(item: WireContent): void {
    this.#pages = undefined;
    this.added.delete(item._id);
    this.changed.delete(item._id);
    this.removed.set(item._id, item);
  }

  #compare(before: readonly WireContent[], after: readonly WireContent[]) {
    const old = new Map(before.map((item) => [item._id, item]));
    const found: WireContent[] = [];
    const changed: WireContent[] = [];
    for (const item of after) {
      const previous = old.get(item._id);
      old.delete(item._id);
      if (!previous) {
        found.push(item);
        this.#recordAdded(item);
      } else if (!isSame(previous, item)) {
        changed.push(item);
        this.#recordChanged(item);
      }
    }
    for (const item of old.values()) this.#recordRemoved(item);
    return { found, changed };
  }
}

function hasSameIds(ids: readonly number[], { ids: before }: KnownPage): boolean {
  return ids.length === before.length && ids.every((id, index) => id === before[index]);
}

export function isSame(a: WireContent, b: WireContent): boolean {
  return JSON.stringify(a) === JSON.stringify(b) || isDeepStrictEqual(a, b);
}

function isSameTime(a: WireContent, b: WireContent): boolean {
  return a._updated_at === b._updated_at && a._last_published_at === b._last_published_at;
}

const TIMES = ['_updated_at', '_last_published_at'] as const;

/** Whether an item is certainly a later version of a known one: none of its times is earlier, and one is later. */
export function isNewer(item: WireContent, known: WireContent): boolean {
  return (
    TIMES.every((by) => timeOf(item, by) >= timeOf(known, by)) &&
    TIMES.some((by) => timeOf(item, by) > timeOf(known, by))
  );
}

/**
 * The items of a list from the CDN that may be older than what is known: known ones that it lacks or has in a version
 * that is not newer, and unknown ones that were not created after the newest known edit. These may have been removed.
 */
function maybeStaleIds(known: readonly WireContent[], list: readonly WireContent[]): Set<number> {
  const old = new Map(known.map((item) => [item._id, item]));
  const newest = known.reduce(
    (latest, item) => Math.max(latest, timeOf(item, '_updated_at')),
    Number.NEGATIVE_INFINITY,
  );
  const maybeStale = new Set<number>();
  for (const item of list) {
    const before = old.get(item._id);
    old.delete(item._id);
    const mayBeStale = before
      ? !isSame(before, item) && !isNewer(item, before)
      : timeOf(item, '_created_at') <= newest;
    if (mayBeStale) maybeStale.add(item._id);
  }
  for (const id of old.keys()) maybeStale.add(id);
  return maybeStale;
}

/** The known items that a list lacks: one of them may only have been hidden at the moment at which it was read. */
function missingIds(known: readonly WireContent[], list: readonly WireContent[]): Set<number> {
  const now = new Set(list.map(({ _id }) => _id));
  return new Set(known.map(({ _id }) => _id).filter((id) => !now.has(id)));
}

/** Whether a model loses more than 50 items and more than a tenth of them. */
function losesMuch(before: readonly WireContent[], after: readonly WireContent[]): boolean {
  const now = new Set(after.map(({ _id }) => _id));
  return [...Map.groupBy(before, ({ _model }) => _model).values()].some((items) => {
    const lost = items.filter(({ _id }) => !now.has(_id)).length;
    return lost > Math.max(50, items.length / 10);
  });
}
