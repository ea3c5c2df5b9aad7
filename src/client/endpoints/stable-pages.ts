import type { WireList } from '../../contract/content.ts';
import { DEFAULT_ORDER } from '../../contract/parameters.ts';
import { LuidRequestError } from '../../shared/errors.ts';
import type { ReadPage } from './iterate-pages.ts';

/**
 * Reads pages in an order and, among equal values, by id: otherwise items could change their places between two pages.
 * The specification does not say whether the service orders by id. If it refuses the first page, all are read in the
 * order that was asked for.
 */
export function readStablePages(
  order: string | undefined,
  read: (order: string | undefined, ...page: Parameters<ReadPage>) => Promise<WireList>,
): ReadPage {
  let used: string | undefined = withId(order ?? DEFAULT_ORDER);
  let isKnown = used === order;
  return async (...page) => {
    try {
      const list = await read(used, ...page);
      isKnown = true;
      return list;
    } catch (error) {
      if (isKnown || !LuidRequestError.is(error) || error.status !== 400) throw error;
      isKnown = true;
      used = order;
      return read(used, ...page);
    }
  };
}

function withId(order: string): string {
  return /(^|,)\s*-?_id\s*(,|$)/.test(order) ? order : `${order},_id`;
}
