import type { WireContent } from '../contract/content.ts';
import { LIMITS } from '../contract/limits.ts';
import { LuidError } from '../errors.ts';
import { targetsOf } from '../models/kinds/reference.ts';
import { printable } from '../printable.ts';
import { type Change, catchUp } from './catch-up.ts';
import { chunks } from './chunks.ts';
import { referenceFields } from './empty-slots.ts';
import {
  areConclusive,
  cursorOf,
  digestOf,
  explainsTotals,
  type Heads,
  isSameVersion,
  readHeads,
  wasVisibleAt,
} from './heads.ts';
import type { Cursor } from './manifest.ts';
import { isNewer, isSame } from './model-group.ts';
import { findDifferences } from './reconcile.ts';
import { readReferrers } from './referrers.ts';
import { timeOf } from './scan.ts';
import { placeOf } from './segments.ts';
import { SOME_UNDECLARED, type SyncSession } from './session.ts';
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

/** Whether what appeared and disappeared during a full read is known. */
function isAccountedFor(read: {
  readonly session: SyncSession;
  readonly before: Heads;
  readonly heads: Heads;
  readonly changes: readonly Change[];
  readonly isSteady: boolean;
}): boolean {
  const { session, before, heads, changes, isSteady } = read;
  // The heads also count content of undeclared models; the pages do not.
  if (session.tracksUndeclared && session.groups.length === 1 && isSteady) return true;
  // Pages of another total, and yet as many items after as before: something was hidden and returned.
  const isDip = !isSteady && before.total === heads.total;
  return !isDip && explainsTotals(before, heads, changes);
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

interface FullReadOptions {
  /** The heads before, where there are any. */
  readonly heads?: Heads;
  readonly isFresh?: boolean;
}

/** Reads models in full. What turns up in a model that was known became visible unnoticed. */
async function readInFull(
  session: SyncSession,
  models: readonly string[],
  { heads, isFresh = session.isFull }: FullReadOptions,
): Promise<{ isSteady: boolean }> {
  const wasKnown = new Set(models.filter((model) => !session.unread.includes(model)));
  const isAll = models.length === Object.keys(session.models).length;
  const reads = session.groups.map(async (group) => {
    const ours = models.filter((model) => group.copies.has(model));
    if (ours.length === 0) return { found: [], isSteady: true };
    const isComparable = isAll && session.groups.length === 1 && !session.tracksUndeclared;
    return group.readModels(ours, {
      fresh: isFresh,
      expected: heads ? expectedCount(session, ours, heads) : 0,
      totalBefore: isComparable ? heads?.total : undefined,
      onPage: session.onPage(ours),
    });
  });
  const results = await Promise.all(reads);
  if (heads) for (const model of models) if (isReadAlone(session, model, isAll)) session.readAlone.add(model);
  if (!isAll) {
    const found = results.flatMap((result) => result.found);
    session.markAppeared(found.filter(({ _model }) => wasKnown.has(_model)));
  }
  return { isSteady: results.every(({ isSteady }) => isSteady) };
}

/** Whether something that a model refers to could be hidden for a moment without a change in the totals of its pages. */
function isReadAlone(session: SyncSession, model: string, isAll: boolean): boolean {
  const references = referenceFields(session.models[model] ?? {});
  if (references.length === 0) return false;
  if (!isAll || !session.isMainLanguage) return true;
  const { copies } = session.groupOf(model);
  return (
    session.groups.length > 1 &&
    references.some(([, field]) => !targetsOf(field)?.every((target) => copies.has(target)))
  );
}

/**
 * How many items models of which nothing is known are likely to have: exactly what the heads count, if that is all
 * there is; else half of what their share of the newest suggests, since pages that do not exist would be requested
 * in vain.
 */
function expectedCount(session: SyncSession, models: readonly string[], heads: Heads): number {
  const known = session.count;
  const { data } = heads.updated;
  const ours = data.filter(({ _model }) => models.includes(_model)).length;
  if (ours === data.length && !session.tracksUndeclared) return heads.total - known;
  const most = LIMITS.pageSize * session.concurrency;
  return Math.min(most, Math.floor((heads.total * ours) / (2 * data.length || 1)));
}

/** How much later than the heads a purge may reach the other copies of the CDN. */
const PURGE_DELAY = 60_000;

/**
 * From where to catch up after a full read: from the heads before it; a page from the CDN may be older than these.
 * The specification names no header by which a response from the CDN could be recognised.
 */
function sinceFullRead(
  known: Cursor | undefined,
  before: Heads,
  after: Heads,
  isFresh: boolean,
): Cursor | undefined {
  const { updated, published } = cursorOf(before);
  const back = isFresh ? 0 : PURGE_DELAY;
  const start = { updated: Math.max(0, updated - back), published: Math.max(0, published - back) };
  if (known) {
    return {
      updated: Math.min(known.updated, start.updated),
      published: Math.min(known.published, start.published),
    };
  }
  return isFresh && digestOf(before) === digestOf(after) ? undefined : start;
}

interface Applied {
  readonly heads: Heads;
  readonly since: Cursor | undefined;
  readonly changes: readonly Change[];
}

/** Takes what changed. Returns the models in which something changed that no time shows, which may be more. */
async function applyChanges(session: SyncSession, applied: Applied): Promise<Set<string>> {
  const { since, changes } = applied;
  const inOtherFormats: WireContent[] = [];
  const ours: Change[] = [];
  for (const change of changes) {
    const { item } = change;
    if (!session.isDeclared(item._model)) noteUndeclared(session, item, since);
    else if (session.groupOf(item._model) !== session.groups[0]) inOtherFormats.push(item);
    else ours.push(change);
  }
  const doubtful = new Set<string>();
  const take = async (change: Change) => {
    if ((await session.take(change)) === 'changed in place') doubtful.add(change.item._model);
  };
  for (const change of await trustworthy(session, applied, ours)) await take(change);
  for (const item of await readInOwnFormats(session, inOtherFormats, since)) await take({ item });
  return doubtful;
}

/** Content of an undeclared model that changed may have been hidden until now, unless it is known. */
function noteUndeclared(session: SyncSession, item: WireContent, since: Cursor | undefined): void {
  if (!since || !isSince(item, since)) return;
  session.undeclaredEdited = true;
  session.markTouched(item);
  const isPublished = timeOf(item, '_last_published_at') >= since.published;
  const isCreated = timeOf(item, '_created_at') >= since.updated;
  if (session.undeclared.has(item._id) || !(isPublished || isCreated)) return;
  session.undeclaredMoved = true;
  // At the time of the cursor itself it may have been counted already.
  if (isAfter(item, since)) session.newUndeclared.add(item._id);
  session.markAppeared([item]);
}

function isAfter(item: WireContent, since: Cursor): boolean {
  return timeOf(item, '_created_at') > since.updated || timeOf(item, '_published_at') > since.published;
}

function isSince(item: WireContent, since: Cursor | undefined): boolean {
  return (
    timeOf(item, '_updated_at') >= (since?.updated ?? 0) ||
    timeOf(item, '_last_published_at') >= (since?.published ?? 0)
  );
}

/**
 * A copy of the CDN may be older than ours, and show what no longer exists or how it was. What changed without a
 * later time, or turns up late, is read once more past it.
 */
async function trustworthy(
  session: SyncSession,
  { heads, since }: Applied,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  if (heads.fresh) return changes;
  const sure: Change[] = [];
  const doubtful: number[] = [];
  for (const change of changes) {
    const { item } = change;
    const known = await session.groupOf(item._model).copyOf(item._model).get(placeOf(item));
    const isLate = !known && timeOf(item, '_created_at') <= (since?.updated ?? 0);
    if (isLate || (known && !isSame(known, item) && !isNewer(item, known))) doubtful.push(item._id);
    else sure.push(change);
  }
  const read = await Promise.all(chunks(doubtful).map((ids) => session.headsSource.byId(ids)));
  return [...sure, ...read.flat().map((item) => ({ item }))];
}

/** The heads show items in the formats of the first group. Those of others are read again in their own. */
async function readInOwnFormats(
  session: SyncSession,
  items: readonly WireContent[],
  since: Cursor | undefined,
): Promise<WireContent[]> {
  const read: WireContent[] = [];
  for (const group of session.groups.slice(1)) {
    const ids: number[] = [];
    for (const item of items.filter(({ _model }) => group.copies.has(_model))) {
      const known = await group.copyOf(item._model).get(placeOf(item));
      if (isSince(item, since) || !known || !isSameVersion(known, item)) ids.push(item._id);
    }
    for (const some of await Promise.all(chunks(ids).map((part) => group.source.byId(part))))
      read.push(...some);
  }
  return read;
}

/**
 * What changed while others were read in full may have been hidden from them for a moment. Not if totals show that
 * nothing was hidden, unless it was created or published for the first time.
 */
function markHiddenMeanwhile(
  session: SyncSession,
  before: Heads,
  changes: readonly Change[],
  isQuiet: boolean,
): void {
  const wasVisible = wasVisibleAt(before);
  const { updated, published } = cursorOf(before);
  const isNew = (item: WireContent) =>
    timeOf(item, '_created_at') >= updated || timeOf(item, '_published_at') >= published;
  const items = changes.map(({ item }) => item).filter((item) => !wasVisible(item));
  // The totals of pages do not count content of undeclared models.
  const mayHaveBeenHidden = (item: WireContent) =>
    !isQuiet || isNew(item) || !session.isDeclared(item._model);
  session.markAppeared(items.filter(mayHaveBeenHidden));
}

/** Compares the count with the service's. Returns the models in which more is different than can be looked for. */
async function reconcile(session: SyncSession, heads: Heads): Promise<string[]> {
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
    if (total !== session.count) total = await session.headsSource.count(Object.keys(session.models));
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

/** Counts declared and undeclared content, at one moment: the count of all is the same before and after. */
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

/** A model that had content and has none any more was renamed by its owner, or emptied. */
async function checkModels(session: SyncSession): Promise<void> {
  for (const group of session.groups) {
    for (const [model, copy] of group.copies) {
      if (copy.count > 0) continue;
      const gone = [...group.removed.values()].filter((item) => item._model === model);
      if (gone.length > 0) await refuseRenamed(session, model, gone);
      // That a model was never translated is not unusual.
      else if (session.isMainLanguage)
        session.warnOnce(
          `${model} has no content that this key can see: is its LUID right? Run \`npx luid check\` to compare the models with the content`,
        );
    }
  }
}

async function refuseRenamed(
  session: SyncSession,
  model: string,
  gone: readonly WireContent[],
): Promise<void> {
  const [ids = []] = chunks(gone.map(({ _id }) => _id));
  const found = await session.headsSource.modelsOf(ids);
  const other = found.find(({ _model }) => _model !== model);
  if (!other) return;
  const renamed = printable(other._model, 60);
  throw new LuidError(`There is no model ${model} any more: its content is of ${renamed} now`, {
    model,
    hint: `Write ${renamed} in place of ${model} in the model map.`,
  });
}
