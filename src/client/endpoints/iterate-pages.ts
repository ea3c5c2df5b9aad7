import type { WireContent, WireList } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';

export type ReadPage = (page: { offset: number; limit: number }, signal: AbortSignal) => Promise<WireList>;

/**
 * Every item of a list, once, with the next page under way while one is used; of what was given, only
 * the ids are kept. Pages overlap by one item: what is added meanwhile comes up again and is passed
 * over, and where something was removed the link is missing and the page is read from further back.
 * `start` is the offset of the first item.
 */
export async function* iteratePages(
  readPage: ReadPage,
  { start = 0 } = {},
): AsyncGenerator<WireContent, void, undefined> {
  const given = new Set<number>();
  const stop = new AbortController();
  const read = (offset: number) => {
    const page = readPage({ offset, limit: LIMITS.pageSize }, stop.signal);
    // Whoever stops early leaves a page under way, whose failure concerns nobody.
    page.catch(() => {});
    return page;
  };

  try {
    let offset = start;
    let pending = read(offset);
    for (;;) {
      const { data, total } = await pending;
      const [link] = data;
      if (offset > start && link && !given.has(link._id)) {
        offset = Math.max(start, offset - LIMITS.pageSize + 1);
        pending = read(offset);
        continue;
      }
      const end = offset + data.length;
      const more = data.length > 0 && end < total;
      offset = end - 1;
      if (more) pending = read(offset);
      for (const item of data) {
        if (given.has(item._id)) continue;
        given.add(item._id);
        yield item;
      }
      if (!more) return;
    }
  } finally {
    stop.abort();
  }
}
