import type { WireContent, WireList } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';

export type ReadPage = (page: { offset: number; limit: number }, signal?: AbortSignal) => Promise<WireList>;

/** How often the same gap between two pages is looked for, before the list goes on without what may be in it. */
const MAX_FUTILE_STEPS = 3;

/**
 * Yields every item of a list once, and requests one page ahead. Of earlier pages, only ids are kept in memory. Pages
 * overlap by one item, so items that are added or removed in between are noticed: an item that is added shifts others to
 * the next page, where they are skipped; if one is removed, the overlap is missing and the page is read from further
 * back. An item that moves from an unread page to one that was read is missed, and so is one between pages that a CDN
 * keeps from different moments. `start` is the offset of the first item.
 */
export async function* iteratePages(
  readPage: ReadPage,
  { start = 0 } = {},
): AsyncGenerator<WireContent, void, undefined> {
  const seen = new Set<number>();
  const stop = new AbortController();
  const read = (offset: number) => {
    const page = readPage({ offset, limit: LIMITS.pageSize }, stop.signal);
    // A caller that stops early ignores the page that is still being requested.
    page.catch(() => {});
    return page;
  };

  try {
    let offset = start;
    let pending = read(offset);
    let wentBack = false;
    let futileSteps = 0;
    for (;;) {
      const { data, total } = await pending;
      const [overlap] = data;
      const isGap = offset > start && !(overlap && seen.has(overlap._id));
      if (isGap && futileSteps < MAX_FUTILE_STEPS) {
        offset = Math.max(start, offset - LIMITS.pageSize + 1);
        pending = read(offset);
        wentBack = true;
        continue;
      }
      // What is missing is on the page before the gap, unless the pages are of different moments.
      if (data.some(({ _id }) => !seen.has(_id))) futileSteps = 0;
      else if (wentBack) futileSteps += 1;
      wentBack = false;
      const end = offset + data.length;
      const more = data.length > 0 && end < total;
      offset = end - 1;
      if (more) pending = read(offset);
      for (const item of data) {
        if (seen.has(item._id)) continue;
        seen.add(item._id);
        yield item;
      }
      if (!more) return;
    }
  } finally {
    stop.abort();
  }
}
