import { chunks } from '../../contract/chunks.ts';
import { LIMITS } from '../../contract/limits.ts';
import { fingerprintOf, type Heads } from '../read/heads.ts';
import type { SyncSession } from './session.ts';

/**
 * Reads items a second time whose references may have been empty because their targets were hidden at that moment.
 * What unchanged heads show as it is stored is confirmed by that. Of the others one request's worth; not in a sync
 * that has differences to look for, and without any change only if that is all of them: such a sync takes two requests.
 */
export async function confirmItems(session: SyncSession, heads: Heads): Promise<void> {
  const { visibility, manifest } = session;
  const isUnchanged = fingerprintOf(heads) === manifest.heads;
  if (isUnchanged) confirmShown(session, heads);
  if (session.countDiffered) return;
  const unconfirmed = visibility.stillUnconfirmed;
  if (isUnchanged && unconfirmed.length > LIMITS.pageSize) return;
  const [some = []] = chunks(unconfirmed);
  for (const group of session.groups) {
    const ids = some.filter(([, model]) => group.tables.has(model)).map(([id]) => id);
    if (ids.length === 0) continue;
    for (const item of await group.source.byId(ids)) await session.put({ item });
    // What is not found does not exist any more.
    for (const id of ids) if (!visibility.wasRead(id)) visibility.unconfirmed.delete(id);
  }
}

/** Only items of the first group are shown in the formats in which they are stored. */
function confirmShown(session: SyncSession, { updated, published }: Heads): void {
  for (const { _id, _model } of [...updated.data, ...published.data]) {
    if (session.isDeclared(_model) && session.groupOf(_model) === session.groups[0])
      session.visibility.unconfirmed.delete(_id);
  }
}
