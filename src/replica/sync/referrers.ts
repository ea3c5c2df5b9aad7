import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { newestTime, timeOf } from '../../contract/item-times.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { referenceFields } from '../../models/reference-paths.ts';
import { emptyReferences, mayReferToAnyModel } from '../item-links.ts';
import { MAX_READ_AGAIN, type SyncSession } from './session.ts';

/**
 * Reads items again whose empty reference fields may be out of date.
 *
 * A reference to an item that the key cannot see is an empty field, and no time of the referrer moves when the item
 * becomes visible. So when X appears, every item with an empty field that accepts X is read again, unless its data is
 * older than X: then it cannot know X.
 *
 * Items are read by id, because the service's filters have defects (spec §8).
 */
export async function readReferrers(session: SyncSession): Promise<void> {
  await Promise.all(Object.keys(session.models).map((model) => readReferrersOf(session, model)));
}

async function readReferrersOf(session: SyncSession, model: string): Promise<void> {
  const targets = targetsAcceptedBy(session, model);
  if (targets.length === 0) return;
  const oldest = Math.min(...targets.map(createdAt));
  const group = session.groupOf(model);
  const items = (await group.tableOf(model).all()).filter(
    (item) => newestTime(item) >= oldest && mayLack(session, item, targets),
  );
  const ids = items.map(({ _id }) => _id);
  const lists = await Promise.all(chunks(ids).map((some) => group.source.byId(some)));
  const found = new Map(lists.flat().map((item) => [item._id, item]));
  // An item may be hidden at this moment, or what it refers to. Of very many, what is as it was is not read once more.
  for (const id of ids) if (ids.length <= MAX_READ_AGAIN || !found.has(id)) session.toReadNextTime.add(id);
  for (const item of found.values()) await session.put(item);
}

function createdAt(item: WireContent): number {
  return timeOf(item, '_created_at');
}

/** What appeared, and is accepted by some field of a model. */
function targetsAcceptedBy({ models, appeared }: SyncSession, model: string): readonly WireContent[] {
  const fields = fieldsOf(models, model);
  const targets = [...appeared.values()];
  if (mayReferToAnyModel(fields)) return targets;
  const accepted = new Set(referenceFields(fields).flatMap(([, field]) => targetsOf(field) ?? []));
  return targets.filter(({ _model }) => accepted.has(_model));
}

/** Whether an empty field of an item could be a reference to one of these that was not visible when it was read. */
function mayLack({ models }: SyncSession, item: WireContent, targets: readonly WireContent[]): boolean {
  const accepted = emptyReferences(models, item);
  if (accepted !== 'any model' && accepted.size === 0) return false;
  const newest = newestTime(item);
  return targets.some(
    (target) =>
      (accepted === 'any model' || accepted.has(target._model)) &&
      createdAt(target) <= newest &&
      target._id !== item._id,
  );
}
