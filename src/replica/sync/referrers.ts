import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { visitLeaves } from '../../models/walk.ts';
import { type EmptyReferences, emptyReferences, referenceFields } from '../reference-fields.ts';
import type { Target } from '../store/manifest.ts';
import { isSameVersion } from './heads.ts';
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
      const forBoth = [...forAll, ...forRecent];
      const oldest = (targets: readonly Target[]) =>
        targets.reduce((least, [, , createdAt]) => Math.min(least, createdAt), Number.POSITIVE_INFINITY);
      const [oldestForAll, oldestForBoth] = [oldest(forAll), oldest(forBoth)];
      const isOutdated = (item: WireContent) => {
        const isRecent = session.isRecent(item);
        if (newestTime(item) < (isRecent ? oldestForBoth : oldestForAll)) return false;
        const targets = isRecent ? forBoth : forAll;
        return mayLack(item, emptyReferences(fields, item), targets, (id) => session.wasSeenWith(item, id));
      };
      const items = await session.groupOf(model).copyOf(model).all();
      await readAgain(session, model, items.filter(isOutdated), forAll);
      if (readAlone.has(model)) await confirmAlone(session, model, items);
    }),
  );
}

/** Up to this many items are read twice at once; more are confirmed by the next syncs. */
const MOST_AT_ONCE = 3 * LIMITS.pageSize;

/** Items of a model that was read without a witness: their references may be empty because of a moment. */
async function confirmAlone(
  session: SyncSession,
  model: string,
  items: readonly WireContent[],
): Promise<void> {
  const fields = session.models[model] as FieldsBase;
  const open = items.filter((item) => {
    const { models, acceptsAny } = emptyReferences(fields, item);
    return acceptsAny || models.size > 0;
  });
  if (open.length > MOST_AT_ONCE) for (const item of open) session.leaveUnconfirmed(item);
  else await readAgain(session, model, open, []);
}

/** How often an item is read again if its targets are hidden at that moment. */
const MOST_ATTEMPTS = 3;
/** Up to this many targets are requested together with the items that may refer to them. */
const MOST_WITNESSES = 20;

/**
 * Reads items of a model by id, together with what they may refer to: a response that shows both proves that an
 * empty reference is empty. One that lacks a target, or an item that lost a reference without being edited, was read
 * while something was hidden: it is read again. What is not proven stays unconfirmed.
 */
async function readAgain(
  session: SyncSession,
  model: string,
  items: readonly WireContent[],
  targets: readonly Target[],
): Promise<void> {
  const { source, copies } = session.groupOf(model);
  const witnesses = targets.filter(([, other]) => copies.has(other)).map(([id]) => id);
  // In another language, a target without data in it is never shown.
  const isProvable =
    session.isMainLanguage && witnesses.length === targets.length && witnesses.length <= MOST_WITNESSES;
  const wanted = isProvable ? witnesses : [];
  let pending = items;
  for (let attempt = 1; pending.length > 0; attempt++) {
    const lists = await Promise.all(
      chunks(pending, LIMITS.pageSize - wanted.length).map(async (some) => {
        const ids = new Set([...some.map(({ _id }) => _id), ...wanted]);
        return { some, found: await source.byId([...ids]) };
      }),
    );
    const doubtful: WireContent[] = [];
    for (const { some, found } of lists) {
      const shown = new Map(found.map((item) => [item._id, item]));
      const isComplete = wanted.every((id) => shown.has(id));
      const lost = await lostToHidden(session, some, shown);
      for (const before of some) {
        const item = shown.get(before._id);
        if (!item) continue;
        if (attempt < MOST_ATTEMPTS && (!isComplete || lost.has(item._id))) {
          doubtful.push(before);
          continue;
        }
        await session.take({ item, seenWith: [new Set(shown.keys())] });
        if (targets.length > 0 && !(isProvable && isComplete)) session.leaveUnconfirmed(item);
      }
    }
    pending = doubtful;
  }
}

/** The items that were not edited and yet lost a reference to something that exists. */
async function lostToHidden(
  session: SyncSession,
  before: readonly WireContent[],
  now: ReadonlyMap<number, WireContent>,
): Promise<Set<number>> {
  const lost = new Map<number, number[]>();
  for (const known of before) {
    const item = now.get(known._id);
    const ids = item && isSameVersion(known, item) ? lostReferences(session, known, item) : [];
    if (ids.length > 0) lost.set(known._id, ids);
  }
  if (lost.size === 0) return new Set();
  const visible = await existing(session, [...lost.values()].flat());
  return new Set([...lost].filter(([, ids]) => ids.some((id) => visible.has(id))).map(([id]) => id));
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

/** Those of these ids that exist, in whatever model, in this language or the main one. */
async function existing(session: SyncSession, ids: readonly number[]): Promise<Set<number>> {
  const { headsSource: source, isMainLanguage } = session;
  const lists = await Promise.all(
    chunks([...new Set(ids)]).flatMap((some) => [
      source.modelsOf(some),
      ...(isMainLanguage ? [] : [source.modelsOf(some, { mainLanguage: true })]),
    ]),
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
  { models, acceptsAny }: EmptyReferences,
  targets: readonly Target[],
  wasSeenWith: (id: number) => boolean,
): boolean {
  if (!acceptsAny && models.size === 0) return false;
  const newest = newestTime(item);
  return targets.some(
    ([id, model, createdAt]) =>
      (acceptsAny || models.has(model)) && createdAt <= newest && id !== item._id && !wasSeenWith(id),
  );
}

/** The latest time at which the data of an item can have changed. A saved draft may move no time at all. */
function newestTime(item: WireContent): number {
  if (item._status !== 'published') return Number.POSITIVE_INFINITY;
  return Math.max(timeOf(item, '_updated_at'), timeOf(item, '_last_published_at'));
}
