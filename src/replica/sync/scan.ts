import type { QueryParameters } from '../../client/http/url.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { type TimeProperty, timeOf } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import { LuidResponseError } from '../../errors.ts';
import type { Models, Source } from './source.ts';

export interface Scan {
  readonly models: Models;
  readonly by: TimeProperty;
  readonly filters?: QueryParameters;
  /** How many items there are likely to be: their pages are requested all at once. */
  readonly expected?: number;
  /** How many items matched a moment before this read, where that is known. */
  readonly totalBefore?: number | undefined;
  readonly fresh?: boolean;
  readonly onPage?: (items: number, total: number) => void;
}

const STEP = LIMITS.pageSize - 1;
const SECOND = 1000;
/** How often pages that disagree about the total are read again. */
const MOST_EVENINGS = 3;
/** Each time that all were read there was a page more: nobody writes that fast. */
const MOST_GROWTH = 20;

export interface ScanResult {
  readonly items: WireContent[];
  /** Whether every page was read while the same number of items matched. */
  readonly isSteady: boolean;
}

/**
 * Reads all items as a chain of pages that overlap by one, in parallel. Edits meanwhile shift the pages, and plain
 * offset paging would lose items without a trace; here the last item of a page must be the first of the next, and
 * where it is not, both are read again.
 *
 * Each page also carries the total of its moment. An item that disappears and returns while pages are read (and
 * with it the references to it) leaves no other trace than a total that is lower in between, so pages of such a
 * moment are read again. A page from the CDN with another total is older or newer than the others.
 */
export async function scan(source: Source, what: Scan): Promise<ScanResult> {
  const totals = what.totalBefore === undefined ? [] : [what.totalBefore];
  const read = async (index: number, fresh = what.fresh) => {
    const page = await source.page({ ...what, offset: index * STEP, limit: LIMITS.pageSize, fresh });
    totals.push(page.total);
    return page;
  };
  const pages = await firstRound(read, what);
  const settled = new Map<number, WireContent[]>();
  let repairs = 20 + 3 * pages.length;
  let rereads = 3;
  let evenings = MOST_EVENINGS;

  for (;;) {
    await complete(pages, read, what);
    const broken = brokenLink(pages, what.by, settled);
    if (broken === undefined) {
      const uneven = unevenPages(pages);
      const isSuspicious = !what.fresh || !isAscending(totals);
      if (uneven.length > 0 && isSuspicious && evenings-- > 0) {
        totals.length = 0;
        // With the last page, whose total the others are held against: it may be the old one.
        const doubtful = [...uneven, pages.length - 1];
        const again = await Promise.all(doubtful.map((index) => read(index, true)));
        for (const [n, index] of doubtful.entries()) pages[index] = again[n] as WireList;
        continue;
      }
      const items = join(pages, what.by, settled);
      // Unbroken, it is as long as its end says, unless something is in it twice in place of something else.
      if (settled.size > 0 || items.length === pages.at(-1)?.total)
        return { items, isSteady: uneven.length === 0 };
      if (rereads-- === 0) throw repeated(what);
      pages.splice(0, Number.POSITIVE_INFINITY, ...(await readAll(pages.length, read)));
      continue;
    }
    if (repairs-- === 0) throw restless(what);
    const second = tiedSecond(pages, broken, what.by);
    if (second !== undefined) settled.set(second, await readSecond(source, what, second));
    else {
      [pages[broken], pages[broken + 1]] = (await Promise.all([
        read(broken, true),
        read(broken + 1, true),
      ])) as [WireList, WireList];
    }
  }
}

/** The pages whose total is not the last page's. */
function unevenPages(pages: readonly WireList[]): number[] {
  const total = pages.at(-1)?.total;
  return pages.flatMap((page, index) => (page.total === total ? [] : [index]));
}

/** Totals that only grow are those of content that is created; what disappears makes them shrink. */
function isAscending(totals: readonly number[]): boolean {
  return totals.every((total, index) => index === 0 || total >= (totals[index - 1] as number));
}

type Read = (index: number, fresh?: boolean) => Promise<WireList>;

/** The pages that there are likely to be. */
async function firstRound(read: Read, { expected = 0, onPage }: Scan): Promise<WireList[]> {
  let items = 0;
  const counted = async (index: number) => {
    const page = await read(index);
    items += page.data.length;
    onPage?.(Math.min(items, page.total), page.total);
    return page;
  };
  const likely = await Promise.all(range(0, pagesFor(expected)).map(counted));
  const total = likely.at(-1)?.total ?? 0;
  return [...likely, ...(await Promise.all(range(likely.length, pagesFor(total)).map(counted)))];
}

function readAll(count: number, read: Read): Promise<WireList[]> {
  return Promise.all(range(0, count).map((index) => read(index, true)));
}

/** Cuts pages that no longer exist, and reads those that have come to exist. */
async function complete(pages: WireList[], read: Read, what: Scan): Promise<void> {
  const last = pages.findIndex(({ total }, index) => index * STEP + LIMITS.pageSize >= total);
  if (last !== -1) pages.length = last + 1;
  let rounds = MOST_GROWTH;
  for (let end = pages.at(-1); end && pagesFor(end.total) > pages.length; end = pages.at(-1)) {
    if (rounds-- === 0) throw restless(what);
    const more = await Promise.all(
      range(pages.length, pagesFor(end.total)).map((index) => read(index, true)),
    );
    pages.push(...more);
    what.onPage?.(end.total, end.total);
  }
}

const pagesFor = (total: number) => 1 + Math.max(0, Math.ceil((total - LIMITS.pageSize) / STEP));
const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);

/** The first page whose last item is not where the next one starts. */
function brokenLink(pages: readonly WireList[], by: TimeProperty, settled: ReadonlyMap<number, unknown>) {
  const index = pages.findIndex((page, at) => {
    const next = pages[at + 1];
    if (!next) return false;
    const [last, first] = [page.data.at(-1), next.data[0]];
    if (last && first && last._id === first._id) return false;
    const second = tiedSecond(pages, at, by);
    return second === undefined || !settled.has(second);
  });
  return index === -1 ? undefined : index;
}

/**
 * The second in which both sides of a link lie, if it is one: then whatever is missing between them
 * lies in it too, and reading just that second settles it. So an order that is not stable among
 * equal times does no harm.
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

/** All items of one second, read until as many are known as there are. */
async function readSecond(source: Source, what: Scan, second: number): Promise<WireContent[]> {
  const filters = {
    ...what.filters,
    [`${what.by}[gte]`]: new Date(second).toISOString(),
    [`${what.by}[lt]`]: new Date(second + SECOND).toISOString(),
  };
  const items = new Map<number, WireContent>();
  for (let round = 0; round < 50; round++) {
    const first = await source.page({ ...what, filters, offset: 0, limit: LIMITS.pageSize, fresh: true });
    const rest = range(1, Math.ceil(first.total / LIMITS.pageSize)).map((index) =>
      source.page({ ...what, filters, offset: index * LIMITS.pageSize, limit: LIMITS.pageSize, fresh: true }),
    );
    const pages = [first, ...(await Promise.all(rest))];
    for (const item of pages.flatMap(({ data }) => data)) items.set(item._id, item);
    if (pages.every(({ total }) => total === items.size)) return [...items.values()];
    if (items.size > first.total) items.clear();
  }
  throw restless(what);
}

function join(
  pages: readonly WireList[],
  by: TimeProperty,
  settled: ReadonlyMap<number, readonly WireContent[]>,
): WireContent[] {
  const items = new Map<number, WireContent>();
  for (const { data } of pages) {
    for (const item of data)
      if (settled.size === 0 || !settled.has(secondOf(item, by))) items.set(item._id, item);
  }
  for (const group of settled.values()) for (const item of group) items.set(item._id, item);
  return [...items.values()];
}

function repeated({ models }: Scan): LuidResponseError {
  return new LuidResponseError(`${namesOf(models)}: the list has an item twice and another not at all`, {
    ...firstOf(models),
    hint: 'The service answered so each time that it was asked: try again later.',
  });
}

function restless({ models }: Scan): LuidResponseError {
  return new LuidResponseError(`${namesOf(models)}: content changed faster than it could be read`, {
    ...firstOf(models),
    hint: 'Try again when fewer edits are under way.',
  });
}

function namesOf(models: Models): string {
  return models === 'all' ? 'All models' : models.join(', ');
}

function firstOf(models: Models): { model?: string | undefined } {
  return models === 'all' ? {} : { model: models[0] };
}
