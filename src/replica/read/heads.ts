import type { WireContent, WireList } from '../../contract/content.ts';
import { type ItemVersion, timeOf } from '../../contract/item-times.ts';
import type { Cursor } from '../store/manifest/manifest.ts';
import { hashOf } from '../store/segments/segments.ts';
import type { NewestBy, Source } from './source.ts';

/** The newest items, by both times that a change may move, and how many there are in all. */
export interface Heads {
  readonly updated: WireList;
  readonly published: WireList;
  readonly total: number;
  readonly bypassedCdn: boolean;
  /** A time that no change can have yet, by a wide margin. */
  readonly ahead: number;
}

const DAY = 24 * 60 * 60 * 1000;
const MAX_RETRIES = 3;

interface ReadHeadsOptions {
  /** Up to where everything is known. */
  readonly cursor?: Cursor | undefined;
  readonly bypassCdn?: boolean;
}

/**
 * Reads the heads. The CDN keeps a copy per region: one that is older than what is known, or two that do not fit
 * together, are requested again bypassing it.
 */
export async function readHeads(
  source: Source,
  { cursor, bypassCdn: always = false }: ReadHeadsOptions = {},
): Promise<Heads> {
  for (let attempt = 0; ; attempt++) {
    const bypassedCdn = always || attempt > 0;
    const [updated, published] = await Promise.all([
      source.newest('_updated_at', { bypassCdn: bypassedCdn }),
      source.newest('_last_published_at', { bypassCdn: bypassedCdn }),
    ]);
    const ahead = (await source.now()) + DAY;
    const heads = { updated, published, total: updated.total, bypassedCdn, ahead };
    // What was never published is in the first list only.
    const areTogether = published.total <= updated.total;
    if (areTogether && (bypassedCdn || reachesCursor(heads, cursor))) return heads;
    // Edited between the two responses, over and over: the count is reconciled later.
    if (attempt === MAX_RETRIES) return heads;
  }
}

function reachesCursor(heads: Heads, cursor: Cursor | undefined): boolean {
  const { updated, published } = cursorOf(heads);
  return !cursor || (updated >= cursor.updated && published >= cursor.published);
}

/**
 * Up to where the heads show everything. The times are the service's own; but one in the future would hide every
 * change before it, so it is ignored. If the local clock is wrong, more is read than necessary, and nothing missed.
 */
export function cursorOf({ updated, published, ahead }: Heads): Cursor {
  return {
    updated: newestOf(updated.data, '_updated_at', ahead),
    published: newestOf(published.data, '_last_published_at', ahead),
  };
}

function newestOf(items: readonly WireContent[], by: NewestBy, ahead: number): number {
  const times = items.map((item) => timeOf(item, by)).filter((time) => time < ahead);
  return Math.max(0, ...times);
}

/**
 * Whether the same heads at another time would mean that nothing changed. Not if everything that they show is of
 * one moment that has just passed: there may be another change of that moment that they have no room for.
 */
export function areConclusive({ updated, published, ahead }: Heads): boolean {
  return reachesBack(updated, '_updated_at', ahead) && reachesBack(published, '_last_published_at', ahead);
}

function reachesBack({ data, total }: WireList, by: NewestBy, ahead: number): boolean {
  const newest = newestOf(data, by, ahead);
  return data.length >= total || data.some((item) => timeOf(item, by) < newest) || newest < ahead - 2 * DAY;
}

/** Whether an item was visible, as it is now, when the heads were read. */
export function wasVisibleAt(heads: Heads): (item: ItemVersion) => boolean {
  const { updated, published } = cursorOf(heads);
  const shown = new Map([...heads.updated.data, ...heads.published.data].map((item) => [item._id, item]));
  return (item) => {
    if (timeOf(item, '_updated_at') < updated && timeOf(item, '_last_published_at') < published) return true;
    const other = shown.get(item._id);
    return other !== undefined && isSameVersion(other, item);
  };
}

/** Whether two readings of an item are of the same version, by what every change moves; not by formatted texts. */
export function isSameVersion(a: ItemVersion, b: ItemVersion): boolean {
  return (
    a._updated_at === b._updated_at &&
    a._last_published_at === b._last_published_at &&
    a._status === b._status
  );
}

/**
 * Whether no more happened between two readings of the heads than these items show: items that were created (for a
 * key that sees drafts) or published for the first time (for one that does not). Otherwise something disappeared
 * or returned, at a time that nothing shows.
 */
export function explainsDifference(before: Heads, after: Heads, changes: readonly WireContent[]): boolean {
  const { updated, published } = cursorOf(before);
  const known = new Set([...before.updated.data, ...before.published.data].map(({ _id }) => _id));
  const unknown = changes.filter(({ _id }) => !known.has(_id));
  const created = unknown.filter((item) => timeOf(item, '_created_at') >= updated).length;
  const launched = unknown.filter((item) => timeOf(item, '_published_at') >= published).length;
  const difference = after.total - before.total;
  return difference === created || difference === launched;
}

/** Equal if and only if the heads are, byte for byte. */
export function fingerprintOf({ updated, published }: Heads): string {
  return hashOf(JSON.stringify([updated.total, published.total, updated.data, published.data]));
}
