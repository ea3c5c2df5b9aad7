import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { cursorOf, type Heads, isSameVersion } from '../read/heads.ts';
import type { Cursor } from '../store/manifest.ts';
import { sortKeyOf } from '../store/segments.ts';
import type { Change } from './catch-up.ts';
import { isNewer, isSame } from './model-group.ts';
import type { SyncSession } from './session.ts';

/** What the heads and the pages since a cursor show. */
interface Changes {
  readonly heads: Heads;
  readonly since: Cursor | undefined;
  readonly changes: readonly Change[];
}

/** Stores what changed. Returns the models with a change that no time shows: there may be more of them. */
export async function applyChanges(session: SyncSession, found: Changes): Promise<Set<string>> {
  const { heads, since, changes } = found;
  const [firstGroup] = session.groups;
  const inOwnFormats: Change[] = [];
  const inOtherFormats: WireContent[] = [];
  for (const change of changes) {
    const { item } = change;
    if (!session.isDeclared(item._model)) recordUndeclared(session, item, since);
    else if (session.groupOf(item._model) === firstGroup) inOwnFormats.push(change);
    else inOtherFormats.push(item);
  }
  const changedSilently = new Set<string>();
  const put = async (change: Change) => {
    if ((await session.put(change)) === 'silently changed') changedSilently.add(change.item._model);
  };
  for (const change of await rereadIfStale(session, found, inOwnFormats)) await put(change);
  for (const item of await readInOwnFormats(session, inOtherFormats, since ?? cursorOf(heads)))
    await put({ item });
  return changedSilently;
}

/**
 * Content of an undeclared model that changed may have been hidden until now, unless it is known. Restored content may
 * have a new `_updated_at` only.
 */
function recordUndeclared({ undeclared, visibility }: SyncSession, item: WireContent, since?: Cursor): void {
  if (!since || !isSince(item, since)) return;
  undeclared.hasChanged = true;
  visibility.markChanged(item);
  if (undeclared.ids.has(item._id) && !undeclared.missingBefore.has(item._id)) return;
  undeclared.hasMoved = true;
  // At the time of the cursor itself it may have been counted already.
  if (isAfter(item, since)) undeclared.newIds.add(item._id);
  visibility.markAppeared([item]);
}

function isAfter(item: WireContent, since: Cursor): boolean {
  return timeOf(item, '_created_at') > since.updated || timeOf(item, '_published_at') > since.published;
}

function isSince(item: WireContent, since: Cursor): boolean {
  return (
    timeOf(item, '_updated_at') >= since.updated || timeOf(item, '_last_published_at') >= since.published
  );
}

/**
 * A copy of the CDN may be older than what is stored, and show what no longer exists or how it was. What changed
 * without a later time, or is unknown though it is older than the cursor, is read once more, bypassing the CDN.
 */
async function rereadIfStale(
  session: SyncSession,
  { heads, since }: Changes,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  if (heads.bypassedCdn) return changes;
  const current: Change[] = [];
  const maybeStale: number[] = [];
  for (const change of changes) {
    const { item } = change;
    const table = session.groupOf(item._model).tableOf(item._model);
    if (await table.isUnchanged(item)) {
      current.push(change);
      continue;
    }
    const known = await table.get(sortKeyOf(item));
    const isLate = !known && timeOf(item, '_created_at') <= (since?.updated ?? 0);
    if (isLate || (known && !isSame(known, item) && !isNewer(item, known))) maybeStale.push(item._id);
    else current.push(change);
  }
  const read = await Promise.all(chunks(maybeStale).map((ids) => session.headsSource.byId(ids)));
  return [...current, ...read.flat().map((item) => ({ item }))];
}

/** The heads show items in the formats of the first group. Changed items of other groups are read in their own. */
async function readInOwnFormats(
  session: SyncSession,
  items: readonly WireContent[],
  since: Cursor,
): Promise<WireContent[]> {
  const read: WireContent[] = [];
  for (const group of session.groups.slice(1)) {
    const ids: number[] = [];
    for (const item of items.filter(({ _model }) => group.tables.has(_model))) {
      const known = await group.tableOf(item._model).get(sortKeyOf(item));
      if (isSince(item, since) || !known || !isSameVersion(known, item)) ids.push(item._id);
    }
    for (const some of await Promise.all(chunks(ids).map((part) => group.source.byId(part))))
      read.push(...some);
  }
  return read;
}
