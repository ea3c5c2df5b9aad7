import type { WireContent, WireList } from '../contract/content.ts';
import { LIMITS } from '../contract/limits.ts';
import { LuidResponseError } from '../errors.ts';

/** Reads one page of what is scanned, in the order `_created_at,_id`. */
export type ReadPage = (page: { offset: number; limit: number }) => Promise<WireList>;

const STEP = LIMITS.pageSize - 1;
const TRIES = 5;

/**
 * Reads all items as a chain of pages that overlap by one. Content that is created or archived
 * meanwhile shifts what plain offset paging would read, and an item could be lost without a trace;
 * here a page whose first item is not the last of the page before shows it, and all is read again.
 */
export async function scan(what: string, readPage: ReadPage): Promise<WireContent[]> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const pages = await readPages(readPage);
    const items = joined(pages);
    if (items) return items;
  }
  throw new LuidResponseError(`${what} changed each of the ${TRIES} times that it was read`, {
    model: what,
    hint: 'Try again when fewer edits are under way.',
  });
}

async function readPages(readPage: ReadPage): Promise<WireList[]> {
  const first = await readPage({ offset: 0, limit: LIMITS.pageSize });
  const further = Math.max(0, Math.ceil((first.total - LIMITS.pageSize) / STEP));
  const rest = Array.from({ length: further }, (_, index) =>
    readPage({ offset: (index + 1) * STEP, limit: LIMITS.pageSize }),
  );
  return [first, ...(await Promise.all(rest))];
}

/** The items of all pages, each once, or `undefined` where the pages are not one chain. */
function joined(pages: readonly WireList[]): WireContent[] | undefined {
  const total = pages[0]?.total;
  const items: WireContent[] = [];
  for (const page of pages) {
    if (page.total !== total) return undefined;
    const [link, ...rest] = page.data;
    const last = items.at(-1);
    if (last === undefined) items.push(...page.data);
    else if (link?._id !== last._id) return undefined;
    else items.push(...rest);
  }
  const whole = items.length === total && new Set(items.map((item) => item._id)).size === total;
  return whole ? items : undefined;
}
