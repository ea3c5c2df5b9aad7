import type { WireContent } from '../contract/content.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { visitReferences } from '../models/walk.ts';
import type { Backlinks } from './backlinks.ts';
import type { LanguageItems } from './language-items.ts';

interface Shown {
  readonly item: WireContent;
  readonly languageItems: LanguageItems;
}

/**
 * The items that entries contain: their own and those that they embed, up to a depth, and their backlinks with what
 * these embed. Each item once.
 */
export function itemsInEntries(
  models: ModelMap,
  entries: Iterable<Shown & { readonly backlinks?: readonly Backlinks[] }>,
  depth: number,
): Set<WireContent> {
  const found = new Set<WireContent>();
  const byDepth = new Map<number, Shown[]>([[depth, []]]);
  for (const { item, languageItems, backlinks = [] } of entries) {
    byDepth.get(depth)?.push({ item, languageItems });
    for (const list of backlinks) {
      const level = byDepth.get(list.depth) ?? [];
      byDepth.set(list.depth, level);
      for (const referrer of list.items) level.push({ item: referrer, languageItems });
    }
  }
  let level: Shown[] = [];
  // Breadth first: an item is first reached with the most depth left, so a second visit adds nothing.
  for (let depthLeft = Math.max(...byDepth.keys()); depthLeft >= 0; depthLeft--) {
    const next: Shown[] = [];
    for (const { item, languageItems } of [...level, ...(byDepth.get(depthLeft) ?? [])]) {
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
