import type { WireContent, WireList } from '../../../contract/content.ts';
import type { ModelTable } from './model-table.ts';

/**
 * Passes the items of pages, which may arrive in any order, to their tables in the order of the list. It ends where two
 * pages do not adjoin.
 */
export function createPageDrafts(
  tables: ReadonlyMap<string, Pick<ModelTable, 'draft'>>,
): (index: number, page: Pick<WireList, 'data'>) => void {
  const waiting = new Map<number, readonly WireContent[]>();
  let next = 0;
  let last: WireContent | undefined;
  let isBroken = false;
  return (index, { data }) => {
    if (isBroken) return;
    waiting.set(index, data);
    for (let page = waiting.get(next); page; page = waiting.get(next)) {
      waiting.delete(next);
      if (next > 0 && last?._id !== page[0]?._id) {
        isBroken = true;
        return;
      }
      last = page.at(-1);
      next += 1;
      // Of the item in two pages, the second reading is used.
      const byModel = Map.groupBy(page.slice(0, -1), ({ _model }) => _model);
      for (const [model, items] of byModel) tables.get(model)?.draft(items);
    }
  };
}
