import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { type Heads, readHeads, showSame } from '../read/heads.ts';
import { areFew, type Differences, findDifferences } from './find-differences.ts';
import type { SyncSession } from './session.ts';

/** How often differences are looked for. */
const MAX_ATTEMPTS = 3;

/** Compares the count with the service's. Returns the models in which more differs than can be looked for. */
export async function reconcile(session: SyncSession, heads: Heads): Promise<readonly string[]> {
  if (isSameTotal(session, heads)) return [];
  let counting: number | Promise<number> = declaredTotal(session, heads);
  // A copy of the CDN may be old, so the total is counted again; meanwhile few differences are looked for.
  const likely = likelyDifference(session, heads);
  if (likely === 0 || !areFew(likely)) counting = await counting;
  for (let attempt = 1; ; attempt++) {
    const { total, differences } = await compareTotal(session, counting);
    if (total === session.count) return [];
    session.countDiffered = true;
    await applyDifferences(session, differences);
    if (differences.unclear.length > 0) return differences.unclear;
    if (total === session.count || attempt === MAX_ATTEMPTS) return [];
    counting = await session.headsSource.count(Object.keys(session.models));
  }
}

/** Looks for differences while the total is still being counted, if it is. */
async function compareTotal(session: SyncSession, counting: number | Promise<number>) {
  const { count } = session;
  const tables = session.groups.flatMap(({ tables: all, source }) =>
    [...all.values()].map((table) => ({ table, source })),
  );
  const difference =
    typeof counting === 'number' ? counting - count : counting.then((total) => total - count);
  const [total, differences] = await Promise.all([counting, findDifferences(tables, difference)]);
  return { total, differences };
}

async function applyDifferences(session: SyncSession, { added, missing }: Differences): Promise<void> {
  const hidden = await stillExisting(session, missing);
  for (const item of missing) if (!hidden.has(item._id)) await session.groupOf(item._model).remove(item);
  for (const item of added) await session.put({ item });
}

/** The ids of items that were only hidden when they were looked for: something else is missing in their place. */
async function stillExisting(session: SyncSession, missing: readonly WireContent[]): Promise<Set<number>> {
  const ids = missing.map(({ _id }) => _id);
  const found = await Promise.all(chunks(ids).map((some) => session.headsSource.modelsOf(some)));
  return new Set(found.flat().map(({ _id }) => _id));
}

/** Whether the heads show that nothing appeared or disappeared, as far as a total can. */
function isSameTotal({ tracksUndeclared, undeclared, count }: SyncSession, heads: Heads): boolean {
  if (!tracksUndeclared) return heads.total === count;
  // New content of an undeclared model may make up for declared content that was removed.
  const isSame = undeclared.total !== null && heads.total === count + undeclared.total;
  return isSame && !undeclared.hasChanged;
}

/** By how many items the declared models differ according to the heads; 0 if that is unknown. */
function likelyDifference({ tracksUndeclared, undeclared, count }: SyncSession, heads: Heads): number {
  if (!tracksUndeclared) return heads.total - count;
  return undeclared.total === null ? 0 : heads.total - count - undeclared.total - undeclared.newIds.size;
}

/** How many items the declared models have. The total of the heads may count others too. */
async function declaredTotal(session: SyncSession, heads: Heads): Promise<number> {
  const { headsSource, models, undeclared } = session;
  if (!session.tracksUndeclared)
    return heads.bypassedCdn ? heads.total : headsSource.count(Object.keys(models));
  const split = await splitTotal(session, heads);
  if (split.undeclared === null || split.undeclared !== undeclared.total) {
    undeclared.hasMoved = true;
    if (!isExplained(session, split.undeclared)) session.visibility.undeclaredAppeared = true;
    undeclared.total = split.undeclared;
  }
  return split.declared;
}

/** Whether all undeclared content that appeared is known, from its new total. */
function isExplained({ isFirstSync, undeclared }: SyncSession, total: number | null): boolean {
  if (isFirstSync) return true;
  if (total === null || undeclared.total === null) return false;
  return total <= undeclared.total + undeclared.newIds.size;
}

interface SplitTotal {
  readonly declared: number;
  /** `null` if it is unknown. */
  readonly undeclared: number | null;
}

/**
 * Counts declared and undeclared content at one moment: the heads are the same before and after. Equal totals would not
 * prove that: an item may have appeared and another one disappeared around the count.
 */
async function splitTotal(
  { headsSource, models, undeclared: known }: SyncSession,
  before: Heads,
): Promise<SplitTotal> {
  let heads = before;
  for (let attempt = 1; ; attempt++) {
    const declared = await headsSource.count(Object.keys(models));
    const undeclared = heads.total - declared;
    if (undeclared === known.total && !known.hasChanged) return { declared, undeclared };
    const after = await readHeads(headsSource, { bypassCdn: true });
    if (showSame(heads, after)) return { declared, undeclared };
    // Edited over and over: not knowing is safe.
    if (attempt > MAX_ATTEMPTS) return { declared, undeclared: null };
    heads = after;
  }
}
