import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { type TimeProperty, timeOf } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import { LuidResponseError } from '../../shared/errors.ts';
import type { KnownPage } from '../store/manifest/manifest.ts';
import { idsOf, type Page } from './page-bytes.ts';
import type { Models, Source } from './source.ts';

export interface Scan {
  readonly models: Models;
  readonly by: TimeProperty;
  readonly filters?: QueryParameters;
  /** How many items are likely to match: their pages are requested all at once. */
  readonly expected?: number;
  /** How many items matched a moment before, if that is known. */
  readonly totalBefore?: number | undefined;
  readonly bypassCdn?: boolean;
  readonly onPage?: (items: number, total: number) => void;
  /** Hash the bytes of each page, and do not parse those that are as they were. */
  readonly knownPages?: readonly KnownPage[] | undefined;
}

const STEP = LIMITS.pageSize - 1;
const SECOND = 1000;
/** How often pages with different totals are read again. */
const MAX_TOTAL_RETRIES = 3;
/** How often there may be another page once all were read: no editor writes that fast. */
const MAX_GROWTH = 20;
/** How often all pages are read again because of an item that is in two of them. */
const MAX_REREADS = 3;
/** How often two pages that do not adjoin are read again: some, and more in a long list. */
const maxRepairs = (pages: number) => 20 + 3 * pages;
const MAX_SECOND_READS = 50;

export interface ScanResult {
  readonly items: WireContent[];
  readonly pages: readonly Page[];
  /** Whether every page was read while the same number of items matched. */
  readonly isSteady: boolean;
  /** Whether every item is from such a page, whose total counts all of them. */
  readonly isFromPages: boolean;
}

/**
 * Reads all items as a chain of pages that overlap by one, in parallel. Where the last item of a page is not the
 * first of the next, or totals differ, pages are read again: see "A full read" in docs/architecture.md.
 */
export async function scan(source: Source, query: Scan): Promise<ScanResult> {
  const totals = query.totalBefore === undefined ? [] : [query.totalBefore];
  const read = async (index: number, bypassCdn = query.bypassCdn) => {
    const hashed = query.knownPages && { known: query.knownPages[index] };
    const page = await source.page({
      ...query,
      offset: index * STEP,
      limit: LIMITS.pageSize,
      bypassCdn,
      hashed,
    });
    totals.push(page.total);
    return page;
  };
  const pages = await firstRound(read, query);
  const wholeSeconds = new Map<number, WireContent[]>();
  let repairs = maxRepairs(pages.length);
  let rereads = MAX_REREADS;
  let totalRetries = MAX_TOTAL_RETRIES;

  for (;;) {
    await adjustPageCount(pages, read, query);
    const broken = brokenLink(pages, query.by, wholeSeconds);
    if (broken === undefined) {
      const deviating = pagesWithOtherTotal(pages);
      const isSuspicious = !query.bypassCdn || !isAscending(totals);
      if (deviating.length > 0 && isSuspicious && totalRetries-- > 0) {
        totals.length = 0;
        // With the last page, whose total the others are compared with: it may be the old one.
        const indexes = [...deviating, pages.length - 1];
        const again = await Promise.all(indexes.map((index) => read(index, true)));
        for (const [n, index] of indexes.entries()) pages[index] = again[n] as Page;
        continue;
      }
      const isJoined = wholeSeconds.size === 0;
      // Unbroken, it is as long as its last total, unless an item is in it twice in place of another.
      if (!isJoined || new Set(pages.flatMap(idsOf)).size === pages.at(-1)?.total) {
        let items: WireContent[] | undefined;
        return {
          pages,
          isSteady: deviating.length === 0,
          isFromPages: isJoined && !pages.some(({ isById }) => isById),
          // Recognized pages are not parsed before their items are needed.
          get items() {
            items ??= joinPages(pages, query.by, wholeSeconds);
            return items;
          },
        };
      }
      if (rereads-- === 0) throw hasDuplicate(query);
      pages.splice(0, Number.POSITIVE_INFINITY, ...(await readAll(pages.length, read)));
      continue;
    }
    if (repairs-- === 0) throw changedTooFast(query);
    const second = tiedSecond(pages, broken, query.by);
    if (second !== undefined) wholeSeconds.set(second, await readSecond(source, query, second));
    else {
      [pages[broken], pages[broken + 1]] = (await Promise.all([
        read(broken, true),
        read(broken + 1, true),
      ])) as [Page, Page];
    }
  }
}

/** The indexes of pages whose total is not that of the last page. */
function pagesWithOtherTotal(pages: readonly WireList[]): number[] {
  const total = pages.at(-1)?.total;
  return pages.flatMap((page, index) => (page.total === total ? [] : [index]));
}

/** Totals only grow while content is created; content that disappears makes them shrink. */
function isAscending(totals: readonly number[]): boolean {
  return totals.every((total, index) => index === 0 || total >= (totals[index - 1] as number));
}

type Read = (index: number, bypassCdn?: boolean) => Promise<Page>;

/** Reads as many pages as are likely to exist, then those that the total shows. */
async function firstRound(read: Read, { expected = 0, onPage }: Scan): Promise<Page[]> {
  let items = 0;
  const counted = async (index: number) => {
    const page = await read(index);
    items += idsOf(page).length;
    onPage?.(Math.min(items, page.total), page.total);
    return page;
  };
  const likely = await Promise.all(range(0, pagesFor(expected)).map(counted));
  const total = likely.at(-1)?.total ?? 0;
  return [...likely, ...(await Promise.all(range(likely.length, pagesFor(total)).map(counted)))];
}

/** How many pages a list of this length has. */
export function pagesFor(total: number): number {
  return 1 + Math.max(0, Math.ceil((total - LIMITS.pageSize) / STEP));
}

function readAll(count: number, read: Read): Promise<Page[]> {
  return Promise.all(range(0, count).map((index) => read(index, true)));
}

/** Removes pages that no longer exist, and reads those that exist by now. */
async function adjustPageCount(pages: Page[], read: Read, query: Scan): Promise<void> {
  const last = pages.findIndex(({ total }, index) => index * STEP + LIMITS.pageSize >= total);
  if (last !== -1) pages.length = last + 1;
  let rounds = MAX_GROWTH;
  for (let end = pages.at(-1); end && pagesFor(end.total) > pages.length; end = pages.at(-1)) {
    if (rounds-- === 0) throw changedTooFast(query);
    const more = await Promise.all(
      range(pages.length, pagesFor(end.total)).map((index) => read(index, true)),
    );
    pages.push(...more);
    query.onPage?.(end.total, end.total);
  }
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);

/** The first page whose last item is not where the next one starts. */
function brokenLink(pages: readonly Page[], by: TimeProperty, wholeSeconds: ReadonlyMap<number, unknown>) {
  const index = pages.findIndex((page, at) => {
    const next = pages[at + 1];
    if (!next) return false;
    const [last, first] = [idsOf(page).at(-1), idsOf(next)[0]];
    if (last !== undefined && last === first) return false;
    const second = tiedSecond(pages, at, by);
    return second === undefined || !wholeSeconds.has(second);
  });
  return index === -1 ? undefined : index;
}

/**
 * The second of both sides of a link, if it is the same: whatever is missing between them is of that second too, so
 * reading it alone is enough. So an order that is not stable among equal times does no harm.
 */
function tiedSecond(pages: readonly WireList[], at: number, by: TimeProperty): number | undefined {
  const [last, first] = [pages[at]?.data.at(-1), pages[at + 1]?.data[0]];
  if (!last || !first) return undefined;
  const second = secondOf(last, by);
  return second === secondOf(first, by) ? second : undefined;
}

function secondOf(item: WireContent, by: TimeProperty): number {
  return Math.floor(timeOf(item, by) / SECOND) * SECOND;
}

/** All items of one second, read until all are found. */
async function readSecond(source: Source, query: Scan, second: number): Promise<WireContent[]> {
  const filters = {
    ...query.filters,
    [`${query.by}[gte]`]: new Date(second).toISOString(),
    [`${query.by}[lt]`]: new Date(second + SECOND).toISOString(),
  };
  const whole = { ...query, filters, limit: LIMITS.pageSize, bypassCdn: true };
  const read = (index: number) => source.page({ ...whole, offset: index * LIMITS.pageSize });
  const items = new Map<number, WireContent>();
  for (let round = 0; round < MAX_SECOND_READS; round++) {
    const first = await read(0);
    const rest = range(1, Math.ceil(first.total / LIMITS.pageSize)).map(read);
    const pages = [first, ...(await Promise.all(rest))];
    for (const item of pages.flatMap(({ data }) => data)) items.set(item._id, item);
    if (pages.every(({ total }) => total === items.size)) return [...items.values()];
    if (items.size > first.total) items.clear();
  }
  throw changedTooFast(query);
}

function joinPages(
  pages: readonly WireList[],
  by: TimeProperty,
  wholeSeconds: ReadonlyMap<number, readonly WireContent[]>,
): WireContent[] {
  const items = new Map<number, WireContent>();
  for (const { data } of pages) {
    for (const item of data)
      if (wholeSeconds.size === 0 || !wholeSeconds.has(secondOf(item, by))) items.set(item._id, item);
  }
  for (const group of wholeSeconds.values()) for (const item of group) items.set(item._id, item);
  return [...items.values()];
}

function hasDuplicate({ models }: Scan): LuidResponseError {
  return new LuidResponseError(`${models.join(', ')}: the list contains an item twice and lacks another`, {
    model: models[0],
    hint: 'The service returned this list each time it was requested. Try again later.',
  });
}

function changedTooFast({ models }: Scan): LuidResponseError {
  return new LuidResponseError(`${models.join(', ')}: content changed faster than it could be read`, {
    model: models[0],
    hint: 'Try again when there are fewer edits.',
  });
}
