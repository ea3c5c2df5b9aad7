import { chunks } from '../../../contract/chunks.ts';
import type { WireContent } from '../../../contract/content.ts';
import { areConclusive, type Heads, isSameVersion } from '../../read/heads.ts';
import { sortKeyOf } from '../../store/segments/segments.ts';
import { isSame } from '../model-group.ts';
import type { SyncSession } from '../session.ts';
import { type Differences, findDifferences } from './find-differences.ts';

export interface ReconcileResult {
  /** Models in which more differs than can be looked for. */
  readonly unclear: readonly string[];
  /** Whether as many items are known now as the service had when the heads were read. */
  readonly isSettled: boolean;
}

/**
 * Compares the count with the service's. It has to be that of the heads: in a later one, an item that appeared would make
 * up for one that disappeared before.
 */
export async function reconcile(session: SyncSession, heads: Heads): Promise<ReconcileResult> {
  if (heads.total === session.count) return { unclear: [], isSettled: true };
  // Heads from the CDN may be old: then how the tables differ from them is not used.
  const [total, differences] = await Promise.all([
    heads.bypassedCdn ? heads.total : session.headsSource.count(Object.keys(session.models)),
    findDifferences(session, heads.total - session.count),
  ]);
  if (total !== heads.total) return { unclear: [], isSettled: false };
  await applyDifferences(session, differences);
  return { unclear: differences.unclear, isSettled: total === session.count };
}

async function applyDifferences(session: SyncSession, { added, missing }: Differences): Promise<void> {
  const found = await stillExisting(session, missing);
  for (const item of missing) if (!found.has(item._id)) await session.groupOf(item._model).remove(item);
  for (const item of added) await session.put(item);
}

/** The ids of items that were only hidden when they were looked for, and are of their models still. */
async function stillExisting(session: SyncSession, missing: readonly WireContent[]): Promise<Set<number>> {
  const models = new Map(missing.map(({ _id, _model }) => [_id, _model]));
  const found = await Promise.all(chunks([...models.keys()]).map((ids) => session.headsSource.modelsOf(ids)));
  const same = found.flat().filter(({ _id, _model }) => models.get(_id) === _model);
  return new Set(same.map(({ _id }) => _id));
}

/** Whether the tables are what the heads show: only then do the same heads mean that nothing changed. */
export async function matchesHeads(session: SyncSession, heads: Heads): Promise<boolean> {
  const { updated, published, total } = heads;
  if (total !== session.count || !areConclusive(heads)) return false;
  for (const item of [...updated.data, ...published.data]) {
    const group = session.groupOf(item._model);
    const isOwnFormat = group === session.groups[0];
    if (isOwnFormat && (await group.tableOf(item._model).isUnchanged(item))) continue;
    const ours = await group.tableOf(item._model).get(sortKeyOf(item));
    const isEqual = isOwnFormat ? isSame : isSameVersion;
    if (!ours || !isEqual(ours, item)) return false;
  }
  return true;
}
