import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import type { Cursor } from '../store/manifest.ts';
import { placeOf } from '../store/segments.ts';
import type { Change } from './catch-up.ts';
import { type Heads, isSameVersion } from './heads.ts';
import { isNewer, isSame } from './model-group.ts';
import type { SyncSession } from './session.ts';

interface Applied {
  readonly heads: Heads;
  readonly since: Cursor | undefined;
  readonly changes: readonly Change[];
}

/** Takes what changed. Returns the models in which something changed that no time shows, which may be more. */
export async function applyChanges(session: SyncSession, applied: Applied): Promise<Set<string>> {
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
