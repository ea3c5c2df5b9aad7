import { cursorOf, fingerprintOf, type Heads, readHeads } from '../read/heads.ts';
import type { Cursor } from '../store/manifest.ts';
import { applyChanges } from './apply-changes.ts';
import { catchUp } from './catch-up.ts';
import { checkModels } from './check-models.ts';
import { confirmItems, expandUnconfirmedModels } from './confirm-items.ts';
import { isAccountedFor, markHiddenMeanwhile, readInFull, sinceFullRead } from './full-read.ts';
import { lookUpUndeclared } from './look-up-undeclared.ts';
import { isEmpty } from './main-changes.ts';
import { matchesHeads } from './matches-heads.ts';
import { planSync, type SyncPlan } from './plan.ts';
import { readMainChanges } from './read-main-changes.ts';
import { reconcile } from './reconcile.ts';
import { readReferrers } from './referrers.ts';
import type { SyncSession } from './session.ts';

/**
 * Brings all models of one language up to date. They are right, or this throws and nothing is stored.
 *
 * The service shows changes by two lists only, the heads. What these cannot show (alternative texts, archived media,
 * renamed options or fields, a restored item that keeps its old time while another one disappears, an edit that the
 * service dates back) is seen at the next full read, at most `maxAge` later. The protocol and its proof are in
 * docs/architecture.md.
 */
export async function syncLanguage(session: SyncSession): Promise<void> {
  const plan = planSync(session);
  if (plan.kind === 'single round') await readInOneRound(session, plan);
  const synced = plan.kind === 'single round' ? undefined : await syncByHeads(session, plan);
  await readMainChanges(session);
  await expandUnconfirmedModels(session);
  await readReferrers(session);
  if (synced) await confirmItems(session, synced.heads);
  await lookUpUndeclared(session, synced?.heads);
  await checkModels(session);
  if (!synced || synced.areUnchanged) return;
  const { heads } = synced;
  const isConclusive = await matchesHeads(session, heads);
  session.reachHeads(heads, isConclusive ? fingerprintOf(heads) : null);
}

type SingleRoundPlan = Extract<SyncPlan, { kind: 'single round' }>;
type HeadsPlan = Exclude<SyncPlan, SingleRoundPlan>;

async function readInOneRound(session: SyncSession, { models, bypassCdn }: SingleRoundPlan): Promise<void> {
  const { isSteady } = await readInFull(session, { models, bypassCdn });
  if (!isSteady) session.needsFullSync = true;
  session.reached = { kind: 'read without heads' };
}

/** How often models are read in full before the rest is left to the next sync. */
const MAX_ROUNDS = 4;
/** How often counts are compared with later heads because content changed meanwhile. */
const MAX_RECOUNTS = 3;

/**
 * Reads the heads, and what is unknown or unclear in full. Every full read ends with new heads, which show what
 * changed meanwhile: that is read too, and may make other models unclear. So do counts, if something changed before they
 * were complete. Returns the last heads.
 */
async function syncByHeads(session: SyncSession, plan: HeadsPlan): Promise<ReachedHeads> {
  const { manifest, undeclared, visibility } = session;
  if (session.isUndeclaredUnknown) {
    undeclared.hasMoved = true;
    visibility.undeclaredAppeared = true;
  }
  const known = { cursor: plan.since, neverPublished: manifest.neverPublished };
  let heads = await readHeads(session.headsSource, { known, bypassCdn: plan.bypassCdn });
  if (plan.kind === 'incremental' && isUpToDate(session, heads)) return { heads, areUnchanged: true };
  let { models, since }: Pick<Round, 'models' | 'since'> = plan;
  for (let round = 1, recounts = 0; ; ) {
    const bypassCdn = plan.bypassCdn || round > 1;
    const isLastCount = recounts === MAX_RECOUNTS;
    const result = await readRound(session, { models, since, heads, bypassCdn, isLastCount });
    since = cursorOf(result.heads);
    heads = result.newer ?? result.heads;
    if (result.newer) recounts += 1;
    if (!result.isExplained && round > 1) session.needsFullSync = true;
    models = result.isExplained || round > 1 ? result.unclear : Object.keys(session.models);
    if (models.length === 0 && !result.newer) break;
    if (models.length > 0 && round++ === MAX_ROUNDS) {
      session.needsFullSync = true;
      break;
    }
  }
  return { heads, areUnchanged: false };
}

interface ReachedHeads {
  readonly heads: Heads;
  /** They are those of the sync before, and nothing changed in the main language either. */
  readonly areUnchanged: boolean;
}

/** Whether nothing changed, in this language or in the main one. */
function isUpToDate({ mainChanges, manifest }: SyncSession, heads: Heads): boolean {
  return isEmpty(mainChanges) && fingerprintOf(heads) === manifest.heads;
}

interface Round {
  /** To read in full. */
  readonly models: readonly string[];
  /** From where on to catch up with the others. */
  readonly since: Cursor | undefined;
  readonly heads: Heads;
  readonly bypassCdn: boolean;
  /** The count is compared, even if content changed meanwhile. */
  readonly isLastCount: boolean;
}

interface RoundResult {
  readonly heads: Heads;
  /** Later heads, if content changed while it was counted: the next round catches up with them. */
  readonly newer: Heads | undefined;
  /** Models in which more may have changed than was found: they have to be read in full. */
  readonly unclear: readonly string[];
  /** Whether it is known what appeared and disappeared while everything was read. */
  readonly isExplained: boolean;
}

/** Reads models in full, then what changed since, and reconciles the count. */
async function readRound(session: SyncSession, round: Round): Promise<RoundResult> {
  const { models, heads: before, bypassCdn } = round;
  const isComplete = models.length === Object.keys(session.models).length;
  const { isSteady } = await readInFull(session, { models, heads: before, bypassCdn });
  let { heads, since } = round;
  if (models.length > 0) {
    heads = await readHeads(session.headsSource, { bypassCdn: true });
    since = sinceFullRead({ since: isComplete ? undefined : since, before, after: heads, bypassCdn });
  }
  const changes = await catchUp(session.headsSource, session.headsModels, heads, since);
  const changedSilently = await applyChanges(session, { heads, since, changes });
  if (models.length > 0) markHiddenMeanwhile(session, { before, heads, changes, isComplete, isSteady });
  const { unclear, newer } = await reconcile(session, heads, round.isLastCount);
  return {
    heads,
    newer,
    unclear: [...new Set([...changedSilently, ...unclear])],
    isExplained: !isComplete || isAccountedFor(session, { before, heads, changes, isSteady }),
  };
}
