import { chunks } from '../../contract/chunks.ts';
import type { SyncSession } from './session.ts';

/**
 * Reads once more what the last sync has left: a reference may have been empty only because its target was hidden at that
 * moment, and a target that returns with its old times leaves no trace. What has changed and still has an empty reference
 * is left to the next sync again; and so is what is not found, as long as it is not known to be removed.
 */
export async function readAgain(session: SyncSession): Promise<void> {
  const { manifest } = session;
  if (manifest.readAgain === 'everything') return;
  const ids = manifest.readAgain.filter((id) => !session.toReadNextTime.has(id));
  for (const group of session.groups) {
    const ours = new Set<number>();
    for (const id of ids) {
      const item = await group.find(id);
      if (item && !group.fullyRead.has(item._model)) ours.add(id);
    }
    const lists = await Promise.all(chunks([...ours]).map((some) => group.source.byId(some)));
    for (const item of lists.flat()) {
      ours.delete(item._id);
      await session.put(item);
    }
    for (const id of ours) session.toReadNextTime.add(id);
  }
}

/** Reads again what changed in the main language, except of models that were just read in full. */
export async function readMainChanges(session: SyncSession): Promise<void> {
  const { added, changed } = session.mainChanges;
  const items = new Map([...added, ...changed].map((item) => [item._id, item]));
  for (const group of session.groups) {
    const ours = [...items.values()].filter(
      ({ _model }) => group.tables.has(_model) && !group.fullyRead.has(_model),
    );
    const lists = await Promise.all(
      chunks(ours).map((some) => group.source.byId(some.map(({ _id }) => _id))),
    );
    const found = new Map(lists.flat().map((item) => [item._id, item]));
    for (const { _id } of ours) {
      const item = found.get(_id);
      const known = item ? undefined : await group.find(_id);
      if (item) await session.put(item);
      else if (known) await group.remove(known);
    }
  }
}
