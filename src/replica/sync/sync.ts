import { chunks } from '../../contract/chunks.ts';
import { LIMITS } from '../../contract/limits.ts';
import { placeOf } from '../store/segments.ts';
import { applyChanges } from './apply-changes.ts';
import { catchUp } from './catch-up.ts';
import { checkModels } from './check-models.ts';
import { isAccountedFor, markHiddenMeanwhile, readInFull, sinceFullRead } from './full-read.ts';
import { areConclusive, cursorOf, digestOf, type Heads, isSameVersion, readHeads } from './heads.ts';
import { isSame } from './model-group.ts';
import { reconcile } from './reconcile.ts';
import { readReferrers } from './referrers.ts';
import type { SyncSession } from './session.ts';
import { lookUpUndeclared } from './undeclared.ts';

/**
 * Brings the copies of all models in one language up to date. They are right, or this throws and nothing is stored.
 *
 * The service shows changes by two lists only: the newest items by `_updated_at` and by `_last_published_at`, the
 * heads. What these cannot show (an alternative text, archived media, a renamed option or field, a restored item
 * that keeps its old time while another one disappears, an edit that the service dates back) is seen at the next
 * full read, at most `maxAge` later. The protocol and its proof are in docs/architecture.md.
 */
export async function syncLanguage(session: SyncSession): Promise<void> {
  const heads = fitsInOneRound(session) ? await readSmallSpace(session) : await syncByHeads(session);
  await readOwed(session);
  await readReferrers(session);
  await lookUpUndeclared(session);
  await checkModels(session);
  if (heads) session.advance(heads, (await matches(session, heads)) ? digestOf(heads) : null);
}

/** All pages of a small space fit in one round of parallel requests: reading it takes as long as its heads. */
function fitsInOneRound({ groups, concurrency, unread }: SyncSession): boolean {
  const pagesOf = (count: number) =>
    1 + Math.max(0, Math.ceil((count - LIMITS.pageSize) / (LIMITS.pageSize - 1)));
  return unread.length === 0 && groups.reduce((sum, { count }) => sum + pagesOf(count), 0) <= concurrency;
}

async function readSmallSpace(session: SyncSession): Promise<undefined> {
  const reads = await readInFull(session, Object.keys(session.models), {});
  if (!reads.isSteady) session.markUnsettled();
  // Nothing shows which edits under way this read has seen.
  session.forgetCursor();
}

/** How often models are read in full before the sync is left unsettled. */
const MOST_ROUNDS = 4;

/**
 * Reads the heads, and in full what is unknown or in doubt. Every full read ends with new heads, which show what
 * changed meanwhile: that, too, is taken, and may raise new doubts.
 */
async function syncByHeads(session: SyncSession): Promise<Heads | undefined> {
  const { headsSource, manifest, cursor } = session;
  const known = { cursor: cursor ?? null, neverPublished: manifest.neverPublished };
  let heads = await readHeads(headsSource, known, session.isFull);
  const all = Object.keys(session.models);
  let models = session.isFull || cursor === null ? all : session.unread;
  if (models.length === 0 && session.owesNothing && digestOf(heads) === manifest.heads) {
    await confirm(session, heads);
    return undefined;
  }

  let since = cursor ?? undefined;
  for (let round = 1; ; round++) {
    const before = heads;
    const isFresh = session.isFull || round > 1;
    const isComplete = models.length === all.length;
    const { isSteady } = await readInFull(session, models, { heads, isFresh });
    if (models.length > 0) {
      heads = await readHeads(headsSource, undefined, true);
      since = sinceFullRead(isComplete ? undefined : since, before, heads, isFresh);
    }
    const changes = await catchUp(headsSource, session.headsCover, heads, since);
    const doubtful = await applyChanges(session, { heads, since, changes });
    if (models.length > 0) {
      const isWatched = isComplete && session.groups.length === 1;
      const quiet = isWatched && isSteady && before.total === heads.total;
      markHiddenMeanwhile(session, before, changes, quiet);
    }
    for (const model of await reconcile(session, heads)) doubtful.add(model);
    const isExplained = !isComplete || isAccountedFor({ session, before, heads, changes, isSteady });
    models = isExplained || round > 1 ? [...doubtful] : all;
    if (!isExplained && round > 1) session.markUnsettled();
    since = cursorOf(heads);
    if (models.length === 0) break;
    if (round === MOST_ROUNDS) {
      session.markUnsettled();
      break;
    }
  }
  await confirm(session, heads);
  return heads;
}

/**
 * Reads items a second time whose references may have been empty because their targets were hidden at that moment.
 * What the heads show as it is known is confirmed by that. Of the others one request's worth; not in a sync that has
 * differences to look for, and without any change only if that is all of them: such a sync takes two requests.
 */
async function confirm(session: SyncSession, heads: Heads): Promise<void> {
  const { unconfirmed, manifest } = session;
  const isUnchanged = digestOf(heads) === manifest.heads;
  if (isUnchanged) {
    for (const { _id, _model } of [...heads.updated.data, ...heads.published.data]) {
      if (session.isDeclared(_model) && session.groupOf(_model) === session.groups[0])
        unconfirmed.delete(_id);
    }
  }
  if (session.hadDifferences) return;
  const before = new Set(manifest.unconfirmed.items.map(([id]) => id));
  const carried = [...unconfirmed.values()].filter(([id]) => before.has(id));
  if (isUnchanged && carried.length > LIMITS.pageSize) return;
  const [some = []] = chunks(carried);
  for (const group of session.groups) {
    const ids = some.filter(([, model]) => group.copies.has(model)).map(([id]) => id);
    if (ids.length === 0) continue;
    for (const item of await group.source.byId(ids)) await session.take({ item });
    for (const id of ids) if (!session.wasTaken(id)) unconfirmed.delete(id);
  }
}

/** Whether the copies are what the heads show: only then do the same heads mean that nothing changed. */
async function matches(session: SyncSession, heads: Heads): Promise<boolean> {
  const { updated, published, total } = heads;
  const undeclared = session.tracksUndeclared ? (session.undeclaredTotal ?? 0) : 0;
  if (total !== session.count + undeclared || !areConclusive(heads)) return false;
  for (const item of [...updated.data, ...published.data]) {
    if (!session.isDeclared(item._model)) continue;
    const group = session.groupOf(item._model);
    const ours = await group.copyOf(item._model).get(placeOf(item));
    const isEqual = group === session.groups[0] ? isSame : isSameVersion;
    if (!ours || !isEqual(ours, item)) return false;
  }
  return true;
}

/** Reads again what changed in the main language since this one followed it, unless all of its model just was. */
async function readOwed(session: SyncSession): Promise<void> {
  const owed = new Map(
    [...session.owed.appeared, ...session.owed.changed].map((target) => [target[0], target]),
  );
  for (const group of session.groups) {
    const ours = [...owed.values()].filter(
      ([, model]) => group.copies.has(model) && !group.readInFull.has(model),
    );
    const lists = await Promise.all(
      chunks(ours).map((targets) => group.source.byId(targets.map(([id]) => id))),
    );
    const found = new Map(lists.flat().map((item) => [item._id, item]));
    for (const [id, model, createdAt] of ours) {
      const item = found.get(id);
      if (item) await session.take({ item });
      else await group.remove({ _id: id, _model: model, _created_at: new Date(createdAt).toISOString() });
    }
  }
}
