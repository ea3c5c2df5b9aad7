import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { type Heads, readHeads, showSame } from '../read/heads.ts';
import { areFew, type Differences, findDifferences } from './find-differences.ts';
import type { SyncSession } from './session.ts';

export interface ReconcileResult {
  /** Models in which more differs than can be looked for. */
  readonly unclear: readonly string[];
  /** Later heads, if the count could not be compared with the given ones: what changed until then is to be read first. */
  readonly newer?: Heads | undefined;
}

/**
 * Compares the count with the service's. It has to be that of the heads: in a later one, an item that appeared would make
 * up for one that disappeared before.
 */
export async function reconcile(
  session: SyncSession,
  heads: Heads,
  isLastCount: boolean,
): Promise<ReconcileResult> {
  if (isSameTotal(session, heads)) return { unclear: [] };
  let counting: Counted | Promise<Counted> = countDeclared(session, heads, isLastCount);
  // A copy of the CDN may be old, so the total is counted again; meanwhile few differences are looked for.
  const likely = likelyDifference(session, heads);
  if (likely === 0 || !areFew(likely)) counting = await counting;
  const { counted, differences } = await compareTotal(session, counting);
  if ('newer' in counted) return { unclear: [], newer: counted.newer };
  if (counted.total === session.count) return { unclear: [] };
  session.countDiffered = true;
  await applyDifferences(session, differences);
  const { unclear } = differences;
  if (unclear.length > 0 || counted.total === session.count || isLastCount) return { unclear };
  return { unclear, newer: await readHeads(session.headsSource, { bypassCdn: true }) };
}

/** How many items the declared models have; or later heads, if content changed while it was counted. */
type Counted = { readonly total: number } | { readonly newer: Heads };

/** Looks for differences while the total is still being counted, if it is. */
async function compareTotal(session: SyncSession, counting: Counted | Promise<Counted>) {
  const tables = session.groups.flatMap(({ tables: all, source }) =>
    [...all.values()].map((table) => ({ table, source })),
  );
  const { count } = session;
  const differenceOf = (counted: Counted) => ('newer' in counted ? 0 : counted.total - count);
  const difference = counting instanceof Promise ? counting.then(differenceOf) : differenceOf(counting);
  const [counted, differences] = await Promise.all([counting, findDifferences(tables, difference)]);
  return { counted, differences };
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

/** Counts the items of the declared models. The total of the heads may count others too. */
async function countDeclared(session: SyncSession, heads: Heads, isLastCount: boolean): Promise<Counted> {
  const { headsSource, models, undeclared } = session;
  if (session.tracksUndeclared) {
    const split = await splitTotal(session, heads, isLastCount);
    if ('newer' in split) return split;
    if (split.undeclared === null || split.undeclared !== undeclared.total) {
      undeclared.hasMoved = true;
      if (!isExplained(session, split.undeclared)) session.visibility.undeclaredAppeared = true;
      undeclared.total = split.undeclared;
    }
    return { total: split.declared };
  }
  if (heads.bypassedCdn) return { total: heads.total };
  const total = await headsSource.count(Object.keys(models));
  if (total === heads.total || isLastCount) return { total };
  return { newer: await readHeads(headsSource, { bypassCdn: true }) };
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
  heads: Heads,
  isLastCount: boolean,
): Promise<SplitTotal | { readonly newer: Heads }> {
  const declared = await headsSource.count(Object.keys(models));
  const undeclared = heads.total - declared;
  if (undeclared === known.total && !known.hasChanged) return { declared, undeclared };
  const after = await readHeads(headsSource, { bypassCdn: true });
  if (showSame(heads, after)) return { declared, undeclared };
  // Edited over and over: not knowing is safe.
  return isLastCount ? { declared, undeclared: null } : { newer: after };
}
