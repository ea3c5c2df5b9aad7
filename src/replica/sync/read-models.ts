import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import { knownPagesOf, MAX_KNOWN_PAGES } from '../read/page-bytes.ts';
import { pagesFor, type ScanResult, scan } from '../read/scan.ts';
import type { KnownPage } from '../store/manifest/manifest.ts';
import { sortKeyOf } from '../store/segments/segments.ts';
import { isNewer, isSame, type ModelGroup } from './model-group.ts';

interface ReadOptions {
  readonly bypassCdn: boolean;
  /** How many items unread models are likely to have. */
  readonly expected?: number | undefined;
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

/** Up to this many items that may be stale are read by id; with more, everything is read again. */
const MAX_READ_BY_ID = 3 * LIMITS.pageSize;

/** Reads models in full, as one chain of pages, and replaces their tables by it. */
export async function readModels(
  group: ModelGroup,
  models: readonly string[],
  { expected = 0, ...options }: ReadOptions,
): Promise<FullRead> {
  const known = models.reduce((sum, model) => sum + group.tableOf(model).count, 0);
  const likely = known || expected;
  // Bytes are compared of lists that are read as a whole, and small.
  const isHashed = models.length === group.source.models.length && pagesFor(likely) <= MAX_KNOWN_PAGES;
  const query = { ...options, models, by: '_created_at', expected: likely } as const;
  const knownPages = isHashed ? (group.pages ?? []) : undefined;
  const read = (bypassCdn: boolean) => scan(group.source, { ...query, bypassCdn, knownPages });
  const list = await read(options.bypassCdn);
  const result =
    (await comparePages(group, list, options.bypassCdn)) ??
    (await compareAll(group, models, list, options.bypassCdn, read));
  for (const model of models) {
    group.unread.delete(model);
    group.fullyRead.add(model);
  }
  return result;
}

/**
 * Compares only the pages whose bytes are not those of the last time. `undefined` if more has to be compared: other
 * items than before, or items that may be older than what is known.
 */
async function comparePages(
  group: ModelGroup,
  list: ScanResult,
  bypassCdn: boolean,
): Promise<FullRead | undefined> {
  const { isSteady, isFromPages } = list;
  const [before, pages] = [group.pages, pagesToStore(list)];
  if (!before || pages?.length !== before.length) return undefined;
  const areSameItems = pages.every(({ ids }, page) => hasSameIds(ids, before[page] as KnownPage));
  if (!areSameItems) return undefined;
  const changed = new Map<number, WireContent>();
  for (const page of list.pages) {
    if (page.known) continue;
    for (const item of page.data) {
      const table = group.tableOf(item._model);
      if (await table.isUnchanged(item)) continue;
      const known = await table.get(sortKeyOf(item));
      if (!known) return undefined;
      if (isSame(known, item)) continue;
      if (!bypassCdn && !isNewer(item, known)) return undefined;
      changed.set(item._id, item);
    }
  }
  for (const item of changed.values()) await group.put(item);
  group.pages = pages;
  return { found: [], changed: [...changed.values()], isSteady, isFromPages };
}

type Read = (bypassCdn: boolean) => Promise<ScanResult>;

/** Compares all items, and replaces the tables by what was read. */
async function compareAll(
  group: ModelGroup,
  models: readonly string[],
  list: ScanResult,
  bypassCdn: boolean,
  read: Read,
): Promise<FullRead> {
  const known = (await Promise.all(models.map((model) => group.tableOf(model).all()))).flat();
  const confirmed = await confirm(group, known, list, bypassCdn, read);
  const { items, isSteady, isFromPages } = confirmed;
  const result = group.replace(models, known, items);
  // If nothing changed, those of before are still right.
  group.pages = pagesToStore(confirmed) ?? group.pages;
  return { ...result, isSteady, isFromPages };
}

/** Only pages that contain exactly what is in the tables then. */
function pagesToStore({ isSteady, isFromPages, pages }: ScanResult): readonly KnownPage[] | undefined {
  return isSteady && isFromPages ? knownPagesOf(pages) : undefined;
}

/** Reads again what may be older than what is known, and all if much is missing. */
async function confirm(
  group: ModelGroup,
  known: readonly WireContent[],
  list: ScanResult,
  bypassCdn: boolean,
  read: Read,
): Promise<ScanResult> {
  let { items, pages, isSteady, isFromPages } = list;
  const missing = missingIds(known, items);
  const maybeStale = bypassCdn ? missing : maybeStaleIds(known, items);
  if (maybeStale.size > MAX_READ_BY_ID && !bypassCdn)
    ({ items, pages, isSteady, isFromPages } = await read(true));
  else if (maybeStale.size > 0 && maybeStale.size <= MAX_READ_BY_ID) {
    const again = await Promise.all(chunks([...maybeStale]).map((ids) => group.source.byId(ids)));
    items = [...items.filter(({ _id }) => !maybeStale.has(_id)), ...again.flat()];
    isFromPages &&= !items.some(({ _id }) => maybeStale.has(_id));
    // It was only hidden, or the page was old: references to it may be empty in what was read.
    if (items.some(({ _id }) => missing.has(_id))) isSteady = false;
    // Pages with an item that does not exist any more are old.
    if (items.length < list.items.length) pages = [];
  }
  // So many removals must be confirmed by a second read.
  return losesMuch(known, items) ? read(true) : { items, pages, isSteady, isFromPages };
}

function hasSameIds(ids: readonly number[], { ids: before }: KnownPage): boolean {
  return ids.length === before.length && ids.every((id, index) => id === before[index]);
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
