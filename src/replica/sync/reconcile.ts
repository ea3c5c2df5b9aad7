import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { findDifferences } from './find-differences.ts';
import type { Heads } from './heads.ts';
import { SOME_UNDECLARED, type SyncSession } from './session.ts';

/** Compares the count with the service's. Returns the models in which more is different than can be looked for. */
export async function reconcile(session: SyncSession, heads: Heads): Promise<string[]> {
  let total = await declaredTotal(session, heads);
  const unclear = new Set<string>();
  for (let attempt = 0; attempt < 3 && unclear.size === 0 && total !== session.count; attempt++) {
    const copies = session.groups.flatMap(({ copies: all, source }) =>
      [...all.values()].map((copy) => ({ copy, source })),
    );
    session.hadDifferences = true;
    const differences = await findDifferences(copies, total - session.count);
    for (const item of differences.found) session.groupOf(item._model).recordAdded(item);
    for (const item of await confirmMissing(session, differences.missing))
      session.groupOf(item._model).recordRemoved(item);
    session.markAppeared(differences.found);
    for (const model of differences.unclear) unclear.add(model);
    if (total !== session.count && unclear.size === 0)
      total = await session.headsSource.count(Object.keys(session.models));
  }
  return [...unclear];
}

/** Puts back what was only hidden when it was looked for: something else is missing in its place. */
async function confirmMissing(
  session: SyncSession,
  missing: readonly WireContent[],
): Promise<readonly WireContent[]> {
  const [ids = []] = chunks(missing.map(({ _id }) => _id));
  if (ids.length === 0) return missing;
  const found = new Set((await session.headsSource.modelsOf(ids)).map(({ _id }) => _id));
  for (const item of missing.filter(({ _id }) => found.has(_id)))
    await session.groupOf(item._model).copyOf(item._model).put(item);
  return missing.filter(({ _id }) => !found.has(_id));
}

/** How many items the declared models have. The total of the heads may count others too. */
async function declaredTotal(session: SyncSession, heads: Heads): Promise<number> {
  const { headsSource, models, undeclaredTotal, count } = session;
  const expected = count + (session.tracksUndeclared ? (undeclaredTotal ?? Number.NaN) : 0);
  // New content of an undeclared model may make up for declared content that was removed.
  if (heads.total === expected && !session.undeclaredEdited) return count;
  if (!session.tracksUndeclared) return heads.fresh ? heads.total : headsSource.count(Object.keys(models));
  const { total, undeclared } = await splitTotal(session, heads);
  if (undeclared !== undeclaredTotal) {
    session.undeclaredMoved = true;
    const isExplained =
      session.isFirst ||
      (undeclared !== null &&
        undeclaredTotal !== null &&
        undeclared <= undeclaredTotal + session.newUndeclared.size);
    if (!isExplained) session.markAppeared([SOME_UNDECLARED]);
    session.undeclaredTotal = undeclared;
  }
  return total;
}

/** RequestCounts declared and undeclared content, at one moment: the count of all is the same before and after. */
async function splitTotal({ headsSource, models, undeclaredTotal }: SyncSession, heads: Heads) {
  let all = heads.total;
  for (let attempt = 0; ; attempt++) {
    const total = await headsSource.count(Object.keys(models));
    const undeclared = all - total;
    if (undeclared === (undeclaredTotal ?? 0)) return { total, undeclared };
    const after = await headsSource.count('all');
    // Edited over and over: not knowing is safe.
    if (after === all || attempt === 3) return { total, undeclared: after === all ? undeclared : null };
    all = after;
  }
}
