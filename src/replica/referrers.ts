import type { WireContent } from '../contract/content.ts';
import type { FieldsBase } from '../models/kinds/kind.ts';
import { targetsOf } from '../models/kinds/reference.ts';
import { visitLeaves } from '../models/walk.ts';
import { chunks } from './chunks.ts';
import { type EmptySlots, emptySlots, referenceFields } from './empty-slots.ts';
import { isSameVersion } from './heads.ts';
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
  const { appeared, touched, readAlone } = session;
  if (appeared.length + touched.length + readAlone.size === 0) return;
  await Promise.all(
    Object.keys(session.models).map(async (model) => {
      const fields = session.models[model] as FieldsBase;
      const forAll = targetsFor(fields, appeared);
      const forRecent = session.hasRecent(model) ? targetsFor(fields, touched) : [];
      if (forAll.length + forRecent.length === 0 && !readAlone.has(model)) return;
      const isOutdated = (item: WireContent) => {
        const slots = emptySlots(fields, item);
        if (readAlone.has(model) && (slots.acceptAny || slots.models.size > 0)) return true;
        const targets = session.isRecent(item) ? [...forAll, ...forRecent] : forAll;
        return mayLack(item, slots, targets, (id) => session.wasSeenWith(item, id));
      };
      const outdated = (await session.groupOf(model).copyOf(model).all()).filter(isOutdated);
      await readAgain(session, model, outdated);
    }),
  );
}

/** How often an item is read again that lost a reference to what is visible. */
const MOST_ATTEMPTS = 3;

/**
 * Reads items of a model by id. One that was not edited and yet has lost a reference was read in a moment in which
 * its target was hidden: it is read once more, unless the target does not exist any more.
 */
async function readAgain(session: SyncSession, model: string, items: readonly WireContent[]): Promise<void> {
  const { source } = session.groupOf(model);
  let pending = items;
  for (let attempt = 1; pending.length > 0; attempt++) {
    const lists = await Promise.all(chunks(pending).map((some) => source.byId(some.map(({ _id }) => _id))));
    const before = new Map(pending.map((item) => [item._id, item]));
    const found = lists.flat();
    const lost = new Map<number, number[]>();
    for (const item of found) {
      const known = before.get(item._id) as WireContent;
      const ids = isSameVersion(known, item) ? lostReferences(session, known, item) : [];
      if (ids.length > 0) lost.set(item._id, ids);
    }
    const hidden = lost.size === 0 ? new Set() : await existing(session, [...lost.values()].flat());
    const isDoubtful = ({ _id }: WireContent) =>
      attempt < MOST_ATTEMPTS && lost.get(_id)?.some((id) => hidden.has(id)) === true;
    for (const item of found) if (!isDoubtful(item)) await session.take({ item });
    pending = pending.filter(isDoubtful);
  }
}

/** The ids that an item referred to and does not refer to any more. */
function lostReferences({ models }: SyncSession, before: WireContent, after: WireContent): number[] {
  const ids = (item: WireContent) => {
    const found = new Set<number>();
    visitLeaves(models[item._model] ?? {}, item, ({ field, value }) => {
      if (field.type === 'reference' && typeof value === 'number') found.add(value);
    });
    return found;
  };
  const left = ids(after);
  return [...ids(before)].filter((id) => !left.has(id));
}

/** Those of these ids that exist, in whatever model. */
async function existing(session: SyncSession, ids: readonly number[]): Promise<Set<number>> {
  const lists = await Promise.all(
    chunks([...new Set(ids)]).map((some) => session.headsSource.modelsOf(some, { mainLanguage: true })),
  );
  return new Set(lists.flat().map(({ _id }) => _id));
}

/** The targets that some field of a model accepts. */
function targetsFor(fields: FieldsBase, targets: readonly Target[]): readonly Target[] {
  const references = referenceFields(fields);
  if (references.some(([, field]) => !targetsOf(field))) return targets;
  const models = new Set(references.flatMap(([, field]) => targetsOf(field) ?? []));
  return targets.filter(([, model]) => models.has(model));
}

/** Whether an empty field of an item could be a reference to one of these that was not visible when it was read. */
function mayLack(
  item: WireContent,
  { models, acceptAny }: EmptySlots,
  targets: readonly Target[],
  wasSeenWith: (id: number) => boolean,
): boolean {
  if (!acceptAny && models.size === 0) return false;
  const newest = newestTime(item);
  return targets.some(
    ([id, model, createdAt]) =>
      (acceptAny || models.has(model)) && createdAt <= newest && id !== item._id && !wasSeenWith(id),
  );
}

/** The latest time at which the data of an item can have changed. A saved draft may move no time at all. */
function newestTime(item: WireContent): number {
  if (item._status !== 'published') return Number.POSITIVE_INFINITY;
  return Math.max(timeOf(item, '_updated_at'), timeOf(item, '_last_published_at'));
}
