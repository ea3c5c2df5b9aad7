import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { cursorOf, type Heads, isSameVersion } from '../read/heads.ts';
import type { Cursor } from '../store/manifest/manifest.ts';
import { sortKeyOf } from '../store/segments/segments.ts';
import { isNewer, isSame } from './model-group.ts';
import type { SyncSession } from './session.ts';

/** What the heads and the pages since a cursor show. */
interface FoundChanges {
  readonly heads: Heads;
  readonly since: Cursor | undefined;
  readonly changes: readonly WireContent[];
}

/** Stores what changed. Returns the models with a change that no time shows: there may be more of them. */
export async function applyChanges(session: SyncSession, found: FoundChanges): Promise<Set<string>> {
  const { heads, since, changes } = found;
  const [firstGroup] = session.groups;
  const isOwnFormat = ({ _model }: WireContent) => session.groupOf(_model) === firstGroup;
  const changedSilently = new Set<string>();
  const current = [
    ...(await rereadIfStale(session, found, changes.filter(isOwnFormat))),
    ...(await readInOwnFormats(
      session,
      changes.filter((item) => !isOwnFormat(item)),
      since ?? cursorOf(heads),
    )),
  ];
  for (const item of current)
    if ((await session.put(item)) === 'silently changed') changedSilently.add(item._model);
  return changedSilently;
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
  { heads, since }: FoundChanges,
  changes: readonly WireContent[],
): Promise<readonly WireContent[]> {
  if (heads.bypassedCdn) return changes;
  const current: WireContent[] = [];
  const maybeStale: number[] = [];
  for (const item of changes) {
    const table = session.groupOf(item._model).tableOf(item._model);
    if (await table.isUnchanged(item)) {
      current.push(item);
      continue;
    }
    const known = await table.get(sortKeyOf(item));
    const isLate = !known && timeOf(item, '_created_at') <= (since?.updated ?? 0);
    if (isLate || (known && !isSame(known, item) && !isNewer(item, known))) maybeStale.push(item._id);
    else current.push(item);
  }
  const read = await Promise.all(chunks(maybeStale).map((ids) => session.headsSource.byId(ids)));
  return [...current, ...read.flat()];
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
