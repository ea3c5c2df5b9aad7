import type { WireContent } from '../contract/content.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { visitReferences } from '../models/walk.ts';
import type { LanguageItems } from './language-items.ts';

/** The items that entries contain: their own and those that they embed, up to a depth. Each item once. */
export function itemsInEntries(
  models: ModelMap,
  entries: Iterable<{ readonly item: WireContent; readonly languageItems: LanguageItems }>,
  depth: number,
): Set<WireContent> {
  const found = new Set<WireContent>();
  let level = [...entries];
  // Breadth first: an item is first reached with the most depth left, so a second visit adds nothing.
  for (let depthLeft = depth; level.length > 0; depthLeft--) {
    const next: typeof level = [];
    for (const { item, languageItems } of level) {
      if (found.has(item)) continue;
      found.add(item);
      if (depthLeft === 0) continue;
      visitReferences(fieldsOf(models, item._model), item, ({ value }) => {
        const target = typeof value === 'number' ? languageItems.get(value) : undefined;
        if (target) next.push({ item: target, languageItems });
      });
    }
    level = next;
  }
  return found;
}
