import { cursorOf, fingerprintOf, type Heads, readHeads } from '../read/heads.ts';
import { applyChanges } from './apply-changes.ts';
import { catchUp } from './catch-up.ts';
import { checkModels } from './check-models.ts';
import { isAccountedFor, markNew, readInFull, sinceFullRead } from './full-read.ts';
import { isNothingToRead } from './main-changes.ts';
import { planSync, type SyncPlan } from './plan.ts';
import { readAgain, readMainChanges } from './read-again.ts';
import { matchesHeads, reconcile } from './reconcile/reconcile.ts';
import { readReferrers } from './referrers.ts';
import type { SyncSession } from './session.ts';

/**
 * Brings all models of one language up to date. They are right, or this throws and nothing is stored.
 *
 * The service shows changes by two lists only, the heads. What these cannot show is seen at the next full read, at most
 * `maxAge` later: "What a rebuild may miss" in docs/guides/deploying.md lists it. The protocol is in
 * docs/architecture.md.
 */
export async function syncLanguage(session: SyncSession): Promise<void> {
  await countUnknown(session);
  const plan = planSync(session);
  if (plan.isSmall) await readSmallSpace(session, plan);
  else await syncByHeads(session, plan);
  await checkModels(session);
}

/** Whether a space is small decides how it is read: if nothing is stored, the service counts its content first. */
async function countUnknown({ models, unread, groups }: SyncSession): Promise<void> {
  if (unread.length < Object.keys(models).length) return;
  const counts = await Promise.all(
    groups.map(({ source }) => source.count(source.models, { bypassCdn: false })),
  );
  for (const [index, group] of groups.entries()) group.expected = counts[index];
}

/** Nothing shows which of the edits under way this has seen, but the next sync reads everything again. */
async function readSmallSpace(session: SyncSession, { models, bypassCdn }: SyncPlan): Promise<void> {
  await readInFull(session, { models, bypassCdn });
  session.reached = { cursor: null, heads: null };
}

async function syncByHeads(session: SyncSession, plan: SyncPlan): Promise<void> {
  // What is read again may not depend on copies that are older than what it refers to.
  const { readAgain: left } = session.manifest;
  const bypassCdn = plan.bypassCdn || (left !== 'everything' && left.length > 0);
  let heads = await readHeads(session.headsSource, { cursor: plan.since, bypassCdn });
  const areUnchanged = isUpToDate(session, plan, heads);
  if (!areUnchanged) heads = await readChanges(session, plan, heads);
  await readMainChanges(session);
  await readReferrers(session);
  await readAgain(session);
  if (areUnchanged) return;
  const isMatch = await matchesHeads(session, heads);
  session.reached = { cursor: cursorOf(heads), heads: isMatch ? fingerprintOf(heads) : null };
}

/** Whether nothing changed, in this language or in the main one. */
function isUpToDate({ mainChanges, manifest }: SyncSession, { reason }: SyncPlan, heads: Heads): boolean {
  return reason === 'incremental' && isNothingToRead(mainChanges) && fingerprintOf(heads) === manifest.heads;
}

/** How often what is unclear is read before the rest is left to the next sync. */
const MAX_ROUNDS = 4;

/**
 * Reads models in full as planned, then all changes, and reconciles the count: again and again, until nothing is
 * unclear and the count is that of the heads. Returns the last heads.
 */
async function readChanges(session: SyncSession, plan: SyncPlan, first: Heads): Promise<Heads> {
  const all = Object.keys(session.models);
  let { models, since, bypassCdn } = plan;
  let heads = first;
  for (let round = 1; ; round++) {
    const before = heads;
    const isComplete = models.length === all.length;
    const { isSteady } = await readInFull(session, { models, heads, bypassCdn });
    if (models.length > 0 || round > 1) heads = await readHeads(session.headsSource, { bypassCdn: true });
    if (models.length > 0)
      since = sinceFullRead({ since: isComplete ? undefined : since, before, after: heads, bypassCdn });
    const changes = await catchUp(session.headsSource, all, heads, since);
    const unclear = await applyChanges(session, { heads, since, changes });
    const around = { before, heads, changes, isSteady };
    if (models.length > 0) markNew(session, around);
    since = cursorOf(heads);
    bypassCdn = true;
    if (isComplete && !isAccountedFor(around)) {
      if (round === 1) continue;
      session.isInconclusive = true;
    }
    const counted = await reconcile(session, heads);
    models = [...new Set([...unclear, ...counted.unclear])];
    if (models.length === 0 && counted.isSettled) return heads;
    if (round === MAX_ROUNDS) {
      session.isInconclusive = true;
      return heads;
    }
  }
}
