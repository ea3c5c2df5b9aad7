import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { newestTime } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { referenceFields } from '../../models/reference-paths.ts';
import { visitReferences } from '../../models/walk.ts';
import { isSameVersion } from '../read/heads.ts';
import {
  type EmptyReferences,
  emptyReferences,
  hasEmptyReferences,
  mayReferToAnyModel,
} from '../reference-fields.ts';
import type { Target } from '../store/manifest.ts';
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
  await Promise.all(Object.keys(session.models).map((model) => readReferrersOf(session, model)));
}

/** What empty references may lead to. */
interface Targets {
  readonly known: readonly Target[];
  /** Also content that is not known, such as that of an undeclared model. */
  readonly unknown: boolean;
}

async function readReferrersOf(session: SyncSession, model: string): Promise<void> {
  const { visibility } = session;
  const fields = fieldsOf(session.models, model);
  const targets: Targets = {
    known: acceptedBy(fields, visibility.appeared),
    unknown: visibility.undeclaredAppeared && mayReferToAnyModel(fields),
  };
  const forRecent = visibility.hasRecentlyRead(model) ? acceptedBy(fields, visibility.changed) : [];
  const isUnproven = isUnprovenIn(session, model);
  if (!targets.unknown && targets.known.length + forRecent.length === 0 && !isUnproven) return;
  const always = targets.known;
  const ifRecent = [...always, ...forRecent];
  const [oldest, oldestIfRecent] = [oldestOf(always), oldestOf(ifRecent)];
  const isOutdated = (item: WireContent) => {
    const isRecent = visibility.isRecentlyRead(item);
    if (!targets.unknown && newestTime(item) < (isRecent ? oldestIfRecent : oldest)) return false;
    const empty = emptyReferences(fields, item);
    if (targets.unknown && empty.acceptsAny) return true;
    return mayLack(item, empty, isRecent ? ifRecent : always, (id) => visibility.wasSeenWith(item, id));
  };
  const items = await session.groupOf(model).tableOf(model).all();
  await readAgain(session, model, items.filter(isOutdated), targets);
  if (isUnproven) await readUnproven(session, model, items);
}

function oldestOf(targets: readonly Target[]): number {
  return targets.reduce((least, [, , createdAt]) => Math.min(least, createdAt), Number.POSITIVE_INFINITY);
}

/** Up to this many items are read twice at once, in case something was hidden only for a moment. */
const MAX_READ_TWICE = 3 * LIMITS.pageSize;

/** Whether empty references of a model that was read in full may have been empty only for a moment. */
function isUnprovenIn({ visibility, undeclared }: SyncSession, model: string): boolean {
  if (visibility.unprovenModels.has(model)) return true;
  return undeclared.total !== 0 && visibility.unprovenForUndeclared.has(model);
}

/**
 * Items with empty references of a model whose full read does not prove that they are empty stay unconfirmed: what was
 * hidden during that read may still be hidden while they are read again.
 */
async function readUnproven(
  session: SyncSession,
  model: string,
  items: readonly WireContent[],
): Promise<void> {
  const fields = fieldsOf(session.models, model);
  const isAnyUnproven = session.visibility.unprovenModels.has(model);
  const withEmpty = items.filter((item) =>
    isAnyUnproven ? hasEmptyReferences(fields, item) : emptyReferences(fields, item).acceptsAny,
  );
  if (withEmpty.length <= MAX_READ_TWICE)
    await readAgain(session, model, withEmpty, { known: [], unknown: true });
  else for (const item of withEmpty) session.visibility.markUnconfirmed(item);
}

/** How often an item is read again if its targets are hidden at that moment. */
const MAX_ATTEMPTS = 3;
/** Up to this many targets are requested together with the items that may refer to them. */
const MAX_TARGETS = 20;

/**
 * Reads items of a model by id, together with what they may refer to: a response that shows both proves that an
 * empty reference is empty. One that lacks a target, or an item that lost a reference without being edited, was read
 * while something was hidden: it is read again. What is not proven stays unconfirmed.
 */
async function readAgain(
  session: SyncSession,
  model: string,
  items: readonly WireContent[],
  targets: Targets,
): Promise<void> {
  const { source, tables } = session.groupOf(model);
  const targetIds = targets.known.filter(([, other]) => tables.has(other)).map(([id]) => id);
  // In another language, a target without data in it is never shown.
  const isProvable =
    session.isMainLanguage &&
    !targets.unknown &&
    targetIds.length === targets.known.length &&
    targetIds.length <= MAX_TARGETS;
  const together = isProvable ? targetIds : [];
  const hasTargets = targets.unknown || targets.known.length > 0;
  let pending = items;
  for (let attempt = 1; pending.length > 0; attempt++) {
    const lists = await Promise.all(
      chunks(pending, LIMITS.pageSize - together.length).map(async (some) => {
        const ids = new Set([...some.map(({ _id }) => _id), ...together]);
        return { some, found: await source.byId([...ids]) };
      }),
    );
    const unproven: WireContent[] = [];
    for (const { some, found } of lists) {
      const shown = new Map(found.map((item) => [item._id, item]));
      const isComplete = together.every((id) => shown.has(id));
      const lost = await lostToHidden(session, some, shown);
      for (const before of some) {
        const item = shown.get(before._id);
        if (!item) continue;
        if (attempt < MAX_ATTEMPTS && (!isComplete || lost.has(item._id))) {
          unproven.push(before);
          continue;
        }
        await session.put({ item, seenWith: [new Set(shown.keys())] });
        if (hasTargets && !(isProvable && isComplete)) session.visibility.markUnconfirmed(item);
      }
    }
    pending = unproven;
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
    visitReferences(fieldsOf(models, item._model), item, ({ value }) => {
      if (typeof value === 'number') found.add(value);
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
function acceptedBy(fields: FieldsBase, targets: readonly Target[]): readonly Target[] {
  if (mayReferToAnyModel(fields)) return targets;
  const models = new Set(referenceFields(fields).flatMap(([, field]) => targetsOf(field) ?? []));
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
