import { BacklinkIndex, type BacklinkRule } from '../../../entries/backlinks.ts';
import type { LanguageItems } from '../../../entries/language-items.ts';
import type { MemoryReplica } from '../../../replica/memory/memory-replica.ts';
import type { ColumnReader } from '../../../replica/memory/segment-items.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { LoaderPlan } from '../../loader/loader-options.ts';
import { cacheItems } from './cache-items.ts';
import type { ContentVersion } from './content-version.ts';
import { rowAt, rowShape } from './item-rows.ts';
import { segmentsOf } from './language-segments.ts';
import { createTimeSlices } from './time-slices.ts';

/**
 * Indexes what refers to others, in one language of a collection; `undefined` if it has no backlinks. Of items that an
 * earlier version had too, nothing is parsed again: what they refer to is a column.
 */
export async function openLiveBacklinks(
  space: Pick<SpaceCore, 'models' | 'settings'>,
  { backlinks, rule: { fallback } }: Pick<LoaderPlan, 'backlinks' | 'rule'>,
  version: ContentVersion,
  languageItems: LanguageItems,
): Promise<BacklinkIndex | undefined> {
  if (backlinks.length === 0) return undefined;
  const index = new BacklinkIndex(backlinks);
  const cached = cacheItems(languageItems);
  const slice = createTimeSlices();
  for (const rule of backlinks) {
    const shape = rowShape(space.models, rule.from, [...rule.whereFields, ...rule.orderFields]);
    const column = targetsColumn(rule);
    const source = { model: rule.from, fallback };
    for (const { segment, isShown } of segmentsOf(space, source, version, languageItems)) {
      // In one pass, unless rows are made of parsed items.
      const readers = shape.needsItems ? [] : shape.readers;
      const [targets] = segment.columns([column, ...readers]) as readonly (readonly number[][])[];
      for (const [at, id] of segment.ids().entries()) {
        const own = targets?.[at] ?? [];
        if (own.length === 0 || !isShown(id)) continue;
        const row = rowAt(segment, at, shape);
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

/** Everything that these items refer to, in any version and language, if they are of a model that backlinks list. */
export function targetsOfReferrers(
  ids: ReadonlySet<number>,
  rules: readonly Pick<BacklinkRule, 'from'>[],
  replicas: readonly MemoryReplica[],
): Set<number> {
  const models = new Set(rules.map(({ from }) => from));
  const found = new Set<number>();
  if (models.size === 0) return found;
  for (const replica of replicas) {
    for (const id of ids) {
      if (models.has(replica.modelOf(id) ?? '')) for (const target of replica.linksOf(id)) found.add(target);
    }
  }
  return found;
}
