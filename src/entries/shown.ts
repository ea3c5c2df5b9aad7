import type { WireContent } from '../contract/content.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { visitReferences } from '../models/walk.ts';
import type { Corpus } from './corpus.ts';

/** The items that entries show: their own, and those that they embed to a depth. Each once. */
export function shownItems(
  models: ModelMap,
  entries: Iterable<{ readonly item: WireContent; readonly corpus: Corpus }>,
  depth: number,
): Set<WireContent> {
  const shown = new Set<WireContent>();
  let level = [...entries];
  // Those that are nearest come first, so that whatever was seen already has been followed further.
  for (let left = depth; level.length > 0; left--) {
    const next: typeof level = [];
    for (const { item, corpus } of level) {
      if (shown.has(item)) continue;
      shown.add(item);
      if (left === 0) continue;
      visitReferences(fieldsOf(models, item._model), item, ({ value }) => {
        const target = typeof value === 'number' ? corpus.get(value) : undefined;
        if (target) next.push({ item: target, corpus });
      });
    }
    level = next;
  }
  return shown;
}
