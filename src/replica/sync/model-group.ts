import { isDeepStrictEqual } from 'node:util';
import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import { type Scan, type ScanResult, scan } from '../read/scan.ts';
import type { Source } from '../read/source.ts';
import type { TargetItem } from '../store/journal.ts';
import type { StoredModel } from '../store/manifest.ts';
import { type FactsOptions, ModelTable, type ReadSegment } from '../store/model-table.ts';
import { sortKeyOf } from '../store/segments.ts';
import { createPageDrafts } from './draft-pages.ts';

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
  readonly found: WireContent[];
  /** Whether nothing appeared or disappeared meanwhile, as far as totals show. */
  readonly isSteady: boolean;
  /** Whether all items are from pages whose totals show that, none was read on its own. */
  readonly isFromPages: boolean;
}

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
  /** What changed items were before. */
  readonly previous = new Map<number, WireContent>();

  constructor(
    source: Source,
    states: ReadonlyMap<string, StoredModel>,
    readSegment: ReadSegment,
    facts: FactsOptions,
  ) {
    this.source = source;
    this.tables = new Map(
      source.models.map((model) => [
        model,
        new ModelTable(model, states.get(model)?.segments ?? [], readSegment, facts),
      ]),
    );
    this.unread = new Set(source.models.filter((model) => !states.has(model)));
  }

  get count(): number {
    return [...this.tables.values()].reduce((sum, { count }) => sum + count, 0);
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
    this.#recordChanged(before, item);
    const isSilent = isSameTime(before, item) && !isSame({ ...before, _status: item._status }, item);
    return isSilent ? 'silently changed' : 'changed';
  }

  /** Reads models in full, as one chain of pages, and replaces their tables by it. */
  async readModels(models: readonly string[], options: ReadOptions): Promise<FullRead> {
    const { expected = 0, ...how } = options;
    const tables = models.map((model) => this.tableOf(model));
    const known = (await Promise.all(tables.map((table) => table.all()))).flat();
    const isFirst = known.length === 0;
    const onFirstRead: Scan['onFirstRead'] = isFirst ? createPageDrafts(this.tables) : undefined;
    const read = (bypassCdn: boolean) =>
      scan(this.source, {
        models,
        by: '_created_at',
        expected: known.length || expected,
        ...how,
        bypassCdn,
        onFirstRead,
      });
    const list = await read(how.bypassCdn);
    const { items, isSteady, isFromPages } = isFirst
      ? list
      : await this.#confirm(known, list, how.bypassCdn, read);
    const found = this.#compare(known, items);
    const byModel = Map.groupBy(items, ({ _model }) => _model);
    for (const table of tables) {
      table.replace(byModel.get(table.model) ?? []);
      this.unread.delete(table.model);
      this.fullyRead.add(table.model);
    }
    return { found, isSteady, isFromPages };
  }

  /** Reads again what may be older than what is known, and all if much is missing. */
  async #confirm(
    known: readonly WireContent[],
    list: ScanResult,
    bypassCdn: boolean,
    read: (bypassCdn: boolean) => Promise<ScanResult>,
  ): Promise<ScanResult> {
    let { items, isSteady, isFromPages } = list;
    const missing = missingIds(known, items);
    const maybeStale = bypassCdn ? missing : maybeStaleIds(known, items);
    if (maybeStale.size > MAX_READ_BY_ID && !bypassCdn) ({ items, isSteady, isFromPages } = await read(true));
    else if (maybeStale.size > 0 && maybeStale.size <= MAX_READ_BY_ID) {
      items = await this.#reread(items, maybeStale);
      isFromPages &&= !items.some(({ _id }) => maybeStale.has(_id));
      // It was only hidden, or the page was old: references to it may be empty in what was read.
      if (items.some(({ _id }) => missing.has(_id))) isSteady = false;
    }
    // So many removals must be confirmed by a second read.
    return losesMuch(known, items) ? read(true) : { items, isSteady, isFromPages };
  }

  /** The list with these items read again, bypassing the CDN. */
  async #reread(items: readonly WireContent[], ids: ReadonlySet<number>): Promise<WireContent[]> {
    const others = items.filter(({ _id }) => !ids.has(_id));
    const read = await Promise.all(chunks([...ids]).map((some) => this.source.byId(some)));
    return [...others, ...read.flat()];
  }

  /** Removes an item that a response which must have contained it did not contain. */
  async remove(item: TargetItem): Promise<void> {
    const table = this.tableOf(item._model);
    const before = await table.get(sortKeyOf(item as WireContent));
    if (!before) return;
    await table.remove(before);
    this.#recordRemoved(before);
  }

  #recordAdded(item: WireContent): void {
    this.removed.delete(item._id);
    this.added.set(item._id, item);
  }

  #recordChanged(before: WireContent, item: WireContent): void {
    this.changed.set(item._id, item);
    if (!this.previous.has(item._id)) this.previous.set(item._id, before);
  }

  #recordRemoved(item: WireContent): void {
    this.added.delete(item._id);
    this.changed.delete(item._id);
    this.removed.set(item._id, item);
  }

  #compare(before: readonly WireContent[], after: readonly WireContent[]): WireContent[] {
    const old = new Map(before.map((item) => [item._id, item]));
    const found: WireContent[] = [];
    for (const item of after) {
      const previous = old.get(item._id);
      old.delete(item._id);
      if (!previous) {
        found.push(item);
        this.#recordAdded(item);
      } else if (!isSame(previous, item)) this.#recordChanged(previous, item);
    }
    for (const item of old.values()) this.#recordRemoved(item);
    return found;
  }
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
