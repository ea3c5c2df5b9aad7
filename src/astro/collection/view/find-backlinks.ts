import type { WireContent } from '../../../contract/content.ts';
import { BacklinkIndex, type BacklinkRule } from '../../../entries/backlinks.ts';
import type { LanguageItems } from '../../../entries/language-items.ts';
import type { Content } from '../../../replica/content/content.ts';
import type { ColumnReader } from '../../../replica/content/segment-items.ts';
import { cacheItems } from './cache-items.ts';
import type { Collection } from './collection.ts';
import { rowAt, rowShape } from './item-rows.ts';
import { shownSegments } from './shown-segments.ts';
import { createTimeSlices } from './time-slices.ts';

/**
 * Indexes what refers to others, in one language of a collection. What items refer to is a column, so of items that an
 * earlier version had too, nothing is parsed again. With `only`, nothing but these referrers, which have to be read.
 */
export async function findBacklinks(
  { space, settings }: Pick<Collection, 'space' | 'settings'>,
  content: Content,
  languageItems: LanguageItems,
  only?: ReadonlySet<number>,
): Promise<BacklinkIndex> {
  const index = new BacklinkIndex(settings.backlinks);
  const cached = cacheItems(languageItems);
  const slice = createTimeSlices();
  for (const rule of settings.backlinks) {
    const shape = rowShape(space.models, rule.from, [...rule.whereFields, ...rule.order.fields]);
    // In one pass, unless rows are made of parsed items.
    const readers = [targetsColumn(rule), ...(shape.needsItems ? [] : shape.readers)];
    const source = { model: rule.from, fallback: settings.rule.fallback };
    for (const { segment, isShown } of shownSegments(space, source, content, languageItems)) {
      const [targets] = only ? [] : (segment.columns(readers) as readonly (readonly number[])[][]);
      for (const [at, id] of segment.ids().entries()) {
        if (only?.has(id) === false || !isShown(id)) continue;
        const item = only && (languageItems.get(id) as WireContent);
        const own = item ? [...rule.targetsOf(item)] : (targets?.[at] ?? []);
        if (own.length === 0) continue;
        const row = item ?? rowAt(segment, at, shape);
        if (rule.filter(row, cached)) index.add(rule, row, own);
      }
      await slice();
    }
  }
  return index;
}

/** No LUID contains a space. */
function targetsColumn({ by, targetsOf }: BacklinkRule): ColumnReader {
  return { key: `references at ${by}`, read: (item) => [...targetsOf(item)] };
}
