import type { WireContent } from '../contract/content.ts';
import type { FieldsBase } from '../models/kinds/kind.ts';
import { targetsOf } from '../models/kinds/reference.ts';
import { chunks } from './chunks.ts';
import { type EmptySlots, emptySlots, referenceFields } from './empty-slots.ts';
import type { Target } from './manifest.ts';
import { timeOf } from './scan.ts';
import type { SyncSession } from './session.ts';

/**
 * Reads items again whose empty reference fields may be out of date.
 *
 * A reference to an item that the key cannot see is an empty field, and no time of the referrer moves when the item
 * becomes visible. So every item with an empty field that accepts X is read again if it was read before X was known
 * to be visible. The only excuses are facts about the two:
 * - the referrer's data is older than X: it cannot know X;
 * - one response showed both: X was visible when the referrer was read.
 *
 * Items are read by id, because the service's filters have defects (spec §8).
 */
export async function readReferrers(session: SyncSession): Promise<void> {
  const { appeared, touched } = session;
  if (appeared.length + touched.length === 0) return;
  await Promise.all(
    Object.keys(session.models).map(async (model) => {
      const fields = session.models[model] as FieldsBase;
      const forAll = targetsFor(fields, appeared);
      const forRecent = session.hasRecent(model) ? targetsFor(fields, touched) : [];
      if (forAll.length + forRecent.length === 0) return;
      const group = session.groupOf(model);
      const isOutdated = (item: WireContent) => {
        const isRecent = session.isRecent(item);
        const targets = isRecent ? [...forAll, ...forRecent] : forAll;
        return mayLack(item, emptySlots(fields, item), targets, session.seenWith(item));
      };
      const outdated = (await group.copyOf(model).all()).filter(isOutdated);
      const lists = await Promise.all(
        chunks(outdated).map((items) => group.source.byId(items.map(({ _id }) => _id))),
      );
      for (const item of lists.flat()) await session.take({ item });
    }),
  );
}

/** The targets that some field of a model accepts. */
function targetsFor(fields: FieldsBase, targets: readonly Target[]): readonly Target[] {
  const references = referenceFields(fields);
  if (references.some(([, field]) => !targetsOf(field))) return targets;
  const models = new Set(references.flatMap(([, field]) => targetsOf(field) ?? []));
  return targets.filter(([, model]) => models.has(model));
}

/** Whether an empty field of an item could be a reference to one of these that was not visible when it was read. */
export function mayLack(
  item: WireContent,
  { models, acceptAny }: EmptySlots,
  targets: readonly Target[],
  seenWith: ReadonlySet<number> | undefined,
): boolean {
  if (!acceptAny && models.size === 0) return false;
  const newest = newestTime(item);
  return targets.some(
    ([id, model, createdAt]) =>
      (acceptAny || models.has(model)) && createdAt <= newest && id !== item._id && !seenWith?.has(id),
  );
}

/** The latest time at which the data of an item can have changed. A saved draft may move no time at all. */
function newestTime(item: WireContent): number {
  if (item._status !== 'published') return Number.POSITIVE_INFINITY;
  return Math.max(timeOf(item, '_updated_at'), timeOf(item, '_last_published_at'));
}
