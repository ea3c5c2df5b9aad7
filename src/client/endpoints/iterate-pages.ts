import type { WireContent, WireList } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';

export type ReadPage = (page: { offset: number; limit: number }, signal: AbortSignal) => Promise<WireList>;

/**
 * Yields every item of a list once, and requests one page ahead. Only ids are kept in memory. Pages
 * overlap by one item, so changes in between are noticed: an item that is added shifts others to the next
 * page, where they are skipped; if one is removed, the overlap is missing and the page is read from
 * further back. `start` is the offset of the first item.
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
    for (;;) {
      const { data, total } = await pending;
      const [overlap] = data;
      if (offset > start && overlap && !seen.has(overlap._id)) {
        offset = Math.max(start, offset - LIMITS.pageSize + 1);
        pending = read(offset);
        continue;
      }
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
