import { chunks } from '../../contract/chunks.ts';
import { fingerprintOf, type Heads, readHeads, showSame } from '../read/heads.ts';
import { matchesHeads } from './matches-heads.ts';
import type { ModelGroup } from './model-group.ts';
import type { SyncSession } from './session.ts';

/**
 * Reads items a second time whose references may have been empty because their targets were hidden at that moment: all
 * that the last sync left unconfirmed and this one has not read yet. A target that returned as it was leaves no trace,
 * so this depends on nothing else that happened. What unchanged heads show as it is stored is confirmed by that.
 *
 * It does not count if the main language knows something that is hidden now, because copies of the CDN still show it: that
 * will return as a change, and changes concern unconfirmed items only. Only a list of the main language shows by its
 * total whether something was hidden at that moment.
 */
export async function confirmItems(session: SyncSession, heads: Heads): Promise<void> {
  const { visibility, manifest } = session;
  if (fingerprintOf(heads) === manifest.heads) confirmShown(session, heads);
  const proven = new Set(session.isMainLanguage ? visibility.confirmed : []);
  for (const group of session.groups) {
    const ids = visibility.stillUnconfirmed
      .filter(([id, model]) => group.tables.has(model) && !visibility.wasRead(id))
      .map(([id]) => id);
    await confirm(session, group, ids);
  }
  const unproven = visibility.confirmed.filter((target) => !proven.has(target));
  if (unproven.length > 0 && !(await isMainCurrent(session, heads))) visibility.revokeConfirmed(unproven);
}

/** Whether the main language knows exactly what the service shows now. */
async function isMainCurrent(session: SyncSession, heads: Heads): Promise<boolean> {
  const now = await readHeads(session.mainHeadsSource, { bypassCdn: true });
  if (!session.isMainLanguage) return fingerprintOf(now) === session.mainHeads;
  return showSame(heads, now) && (await matchesHeads(session, heads));
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
  for (const id of ids) if (!visibility.wasRead(id)) visibility.forgetItem(id);
}

/** Only items of the first group are shown in the formats in which they are stored. */
function confirmShown(session: SyncSession, { updated, published }: Heads): void {
  for (const { _id, _model } of [...updated.data, ...published.data]) {
    if (session.isDeclared(_model) && session.groupOf(_model) === session.groups[0])
      session.visibility.unconfirmed.delete(_id);
  }
}
