import type { WireContent, WireList } from '../contract/content.ts';
import { LIMITS } from '../contract/limits.ts';
import { isSame } from './group.ts';
import type { Cursor } from './manifest.ts';
import { scan, timeOf } from './scan.ts';
import { hashOf } from './segments.ts';
import type { Source, TimeProperty } from './source.ts';

/** The newest items, by both times that a change may move, and how many there are in all. */
export interface Heads {
  readonly updated: WireList;
  readonly published: WireList;
  readonly total: number;
  /** Asked for past the CDN. */
  readonly fresh: boolean;
  /** A time that no change can have yet, by a wide margin. */
  readonly ahead: number;
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * Reads the heads. The CDN keeps a copy per region, and one that is older than what is known, or two
 * that do not agree, are asked for again past it.
 */
export async function readHeads(source: Source, known: Cursor | undefined, audit = false): Promise<Heads> {
  for (let attempt = 0; ; attempt++) {
    const fresh = audit || attempt > 0;
    const [updated, published] = await Promise.all([
      source.newest('_updated_at', fresh),
      source.newest('_last_published_at', fresh),
    ]);
    const heads = { updated, published, total: updated.total, fresh, ahead: (await source.now()) + DAY };
    const agree = updated.total === published.total;
    if (agree && (fresh || !known || !isOlder(cursorOf(heads), known))) return heads;
    // Edited between the two answers, over and over: a count that is off is an alarm, which comes later.
    if (attempt === 3) return heads;
  }
}

function isOlder(found: Cursor, known: Cursor): boolean {
  return found.updated < known.updated || found.published < known.published;
}

/**
 * Up to where the heads tell of everything. The times are the service's own; but one that lies ahead would
 * let every change before it pass unseen, so it counts for nothing. If the clock here is wrong, then more is
 * read than need be, and none is missed.
 */
export function cursorOf({ updated, published, ahead }: Heads): Cursor {
  return {
    updated: newestOf(updated.data, '_updated_at', ahead),
    published: newestOf(published.data, '_last_published_at', ahead),
  };
}

function newestOf(items: readonly WireContent[], by: TimeProperty, ahead: number): number {
  const times = items.map((item) => timeOf(item, by)).filter((time) => time < ahead);
  return Math.max(0, ...times);
}

/**
 * Whether the same heads at another time would mean that nothing changed. Not if all that they show is of one
 * moment that has just passed: another change in it may be one that they have no room for.
 */
export function tellAll({ updated, published, ahead }: Heads): boolean {
  return tellsAll(updated, '_updated_at', ahead) && tellsAll(published, '_last_published_at', ahead);
}

function tellsAll({ data, total }: WireList, by: TimeProperty, ahead: number): boolean {
  const newest = newestOf(data, by, ahead);
  const reachesBack = data.some((item) => timeOf(item, by) < newest);
  return data.length >= total || reachesBack || newest < ahead - 2 * DAY;
}

/** Tells whether an item stood there as it is now when the heads were read. */
export function presenceIn(heads: Heads): (item: WireContent) => boolean {
  const { updated, published } = cursorOf(heads);
  const shown = new Map([...heads.updated.data, ...heads.published.data].map((item) => [item._id, item]));
  return (item) => {
    if (timeOf(item, '_updated_at') < updated && timeOf(item, '_last_published_at') < published) return true;
    const other = shown.get(item._id);
    return other !== undefined && isSame(other, item);
  };
}

/**
 * Whether no more happened between two readings of the heads than these items show: items that were
 * created (for a key that sees drafts) or published for the first time (for one that does not).
 * Otherwise something went or came back, at a time that nothing tells.
 */
export function isAccountedFor(before: Heads, after: Heads, changes: readonly WireContent[]): boolean {
  const { updated, published } = cursorOf(before);
  const known = new Set([...before.updated.data, ...before.published.data].map(({ _id }) => _id));
  const came = changes.filter(({ _id }) => !known.has(_id));
  const created = came.filter((item) => timeOf(item, '_created_at') >= updated).length;
  const launched = came.filter((item) => timeOf(item, '_published_at') >= published).length;
  const difference = after.total - before.total;
  return difference === created || difference === launched;
}

/**
 * How many items each model is likely to have at least: half of what its share of the newest says, and no more in
 * all than can be asked for at once, since what there is not would be asked for in vain.
 */
export function likelyIn(
  { updated, total }: Heads,
  models: readonly string[],
  concurrency: number,
): (model: string) => number {
  const most = LIMITS.pageSize * Math.floor(concurrency / models.length);
  return (model) => {
    const newest = updated.data.filter(({ _model }) => _model === model).length;
    return Math.min(most, Math.floor((total * newest) / (2 * updated.data.length || 1)));
  };
}

/** Equal if and only if the heads are, to the letter. */
export function digestOf({ updated, published }: Heads): string {
  return hashOf(JSON.stringify([updated.total, updated.data, published.data]));
}

/**
 * Everything that changed since a cursor, itself included: what the heads show, and if they do not
 * reach back that far, the pages since then; without a cursor, what the heads show. Of an item that was
 * seen in two states, neither is believed: it is read once more.
 */
export async function catchUp(
  source: Source,
  heads: Heads,
  since: Cursor | undefined,
): Promise<WireContent[]> {
  const seen = [
    ...(await changedBy(source, '_updated_at', heads.updated, since?.updated)),
    ...(await changedBy(source, '_last_published_at', heads.published, since?.published)),
  ];
  const items = new Map<number, WireContent>();
  const disputed = new Set<number>();
  for (const item of seen) {
    const other = items.get(item._id);
    if (other && JSON.stringify(other) !== JSON.stringify(item)) disputed.add(item._id);
    items.set(item._id, item);
  }
  for (const id of disputed) items.delete(id);
  for (const ids of chunks([...disputed], 100)) {
    for (const item of await source.byId(ids)) items.set(item._id, item);
  }
  return [...items.values()];
}

async function changedBy(
  source: Source,
  by: TimeProperty,
  head: WireList,
  since: number | undefined,
): Promise<WireContent[]> {
  const reachesBack =
    since === undefined ||
    head.data.length >= head.total ||
    head.data.some((item) => timeOf(item, by) < since && timeOf(item, by) !== Number.NEGATIVE_INFINITY);
  if (reachesBack) return head.data;
  const filters = { [`${by}[gte]`]: new Date(since).toISOString() };
  return [...head.data, ...(await scan(source, { models: source.models, by, filters, fresh: true }))];
}

export function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) =>
    list.slice(n * size, (n + 1) * size),
  );
}
