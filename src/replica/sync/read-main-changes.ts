import { chunks } from '../../contract/chunks.ts';
import type { SyncSession } from './session.ts';

/** Reads again what changed in the main language, except of models that were just read in full. */
export async function readMainChanges(session: SyncSession): Promise<void> {
  const { appeared, changed } = session.mainChanges;
  const targets = new Map([...appeared, ...changed].map((target) => [target[0], target]));
  for (const group of session.groups) {
    const ours = [...targets.values()].filter(
      ([, model]) => group.tables.has(model) && !group.fullyRead.has(model),
    );
    const lists = await Promise.all(chunks(ours).map((some) => group.source.byId(some.map(([id]) => id))));
    const found = new Map(lists.flat().map((item) => [item._id, item]));
    for (const [id, model, createdAt] of ours) {
      const item = found.get(id);
      if (item) await session.put({ item });
      else await group.remove({ _id: id, _model: model, _created_at: new Date(createdAt).toISOString() });
    }
  }
}
