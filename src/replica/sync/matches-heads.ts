import {
  areConclusive,
  fingerprintOf,
  type Heads,
  isSameVersion,
  readHeads,
  showSame,
} from '../read/heads.ts';
import { sortKeyOf } from '../store/segments.ts';
import { isSame } from './model-group.ts';
import type { SyncSession } from './session.ts';

/** Whether the tables are what the heads show: only then do the same heads mean that nothing changed. */
export async function matchesHeads(session: SyncSession, heads: Heads): Promise<boolean> {
  const { updated, published, total } = heads;
  const undeclared = session.tracksUndeclared ? (session.undeclared.total ?? 0) : 0;
  if (total !== session.count + undeclared || !areConclusive(heads)) return false;
  for (const item of [...updated.data, ...published.data]) {
    if (!session.isDeclared(item._model)) continue;
    const group = session.groupOf(item._model);
    const isOwnFormat = group === session.groups[0];
    if (isOwnFormat && (await group.tableOf(item._model).isUnchanged(item))) continue;
    const ours = await group.tableOf(item._model).get(sortKeyOf(item));
    const isEqual = isOwnFormat ? isSame : isSameVersion;
    if (!ours || !isEqual(ours, item)) return false;
  }
  return true;
}

/** Whether the main language knows exactly what the service shows now. */
export async function isMainCurrent(session: SyncSession, heads: Heads): Promise<boolean> {
  const now = await readHeads(session.mainHeadsSource, { bypassCdn: true });
  if (!session.isMainLanguage) return fingerprintOf(now) === session.mainHeads;
  return showSame(heads, now) && (await matchesHeads(session, heads));
}
