import { chunks } from '../../contract/chunks.ts';
import { fingerprintOf, type Heads } from '../read/heads.ts';
import type { ModelGroup } from './model-group.ts';
import type { SyncSession } from './session.ts';

/**
 * Reads items a second time whose references may have been empty because their targets were hidden at that moment: all
 * that the last sync left unconfirmed and this one has not read yet. A target that returned as it was leaves no trace,
 * so this depends on nothing else that happened. What unchanged heads show as it is stored is confirmed by that.
 */
export async function confirmItems(session: SyncSession, heads: Heads): Promise<void> {
  const { visibility, manifest } = session;
  if (fingerprintOf(heads) === manifest.heads) confirmShown(session, heads);
  for (const group of session.groups) {
    const ids = visibility.stillUnconfirmed
      .filter(([id, model]) => group.tables.has(model) && !visibility.wasRead(id))
      .map(([id]) => id);
    await confirm(session, group, ids);
  }
}

/** Of models with more unconfirmed items than are stored, names all that have an empty reference. */
export async function expandUnconfirmedModels({ groups, visibility }: SyncSession): Promise<void> {
  for (const { tables } of groups) {
    for (const [model, table] of tables)
      if (visibility.isUnconfirmed(model)) visibility.expandUnconfirmed(model, await table.all());
  }
}

async function confirm(session: SyncSession, { source }: ModelGroup, ids: readonly number[]): Promise<void> {
  const { visibility } = session;
  const lists = await Promise.all(chunks(ids).map((some) => source.byId(some)));
  for (const item of lists.flat()) await session.put({ item });
  // What is not found does not exist any more.
  for (const id of ids) if (!visibility.wasRead(id)) visibility.unconfirmed.delete(id);
}

/** Only items of the first group are shown in the formats in which they are stored. */
function confirmShown(session: SyncSession, { updated, published }: Heads): void {
  for (const { _id, _model } of [...updated.data, ...published.data]) {
    if (session.isDeclared(_model) && session.groupOf(_model) === session.groups[0])
      session.visibility.unconfirmed.delete(_id);
  }
}
