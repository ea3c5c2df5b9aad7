import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import { cursorOf, explainsDifference, fingerprintOf, type Heads, wasVisibleAt } from '../read/heads.ts';
import type { Cursor } from '../store/manifest/manifest.ts';
import { readModels } from './read-models.ts';
import type { SyncSession } from './session.ts';

interface FullReadOptions {
  readonly models: readonly string[];
  /** The heads before; absent if the next sync reads everything anyway. */
  readonly heads?: Heads;
  readonly bypassCdn: boolean;
}

/**
 * Reads models in full. Returns whether the totals of all pages were the same. Only if all content is one list of the
 * main language does that prove that nothing was hidden from what refers to it; otherwise the next sync reads again
 * what is new or changed.
 */
export async function readInFull(
  session: SyncSession,
  { models, heads, bypassCdn }: FullReadOptions,
): Promise<{ isSteady: boolean }> {
  const isComplete = models.length === Object.keys(session.models).length;
  const isOneList = isComplete && session.groups.length === 1;
  const reads = session.groups.map(async (group) => {
    const ours = models.filter((model) => group.tables.has(model));
    if (ours.length === 0) return true;
    const read = await readModels(group, ours, {
      bypassCdn,
      expected: heads ? expectedCount(session, ours, heads) : group.expected,
      totalBefore: isOneList ? heads?.total : undefined,
      onPage: (items, total) => session.progress.page(ours.join(','), items, total),
    });
    const { found, changed, isSteady, isFromPages } = read;
    const isProof = isOneList && session.isMainLanguage && isSteady && isFromPages;
    if (heads && !isProof) session.readNextTime([...found, ...changed]);
    // What turns up while other models are known may have become visible since these were read.
    if (!isComplete) session.markAppeared(found);
    return isSteady;
  });
  return { isSteady: (await Promise.all(reads)).every(Boolean) };
}

/**
 * How many items unread models are likely to have: exactly what the heads count, if these count nothing else; or half
 * of what their share of the newest items suggests, because requests for pages that do not exist are wasted.
 */
function expectedCount(session: SyncSession, models: readonly string[], heads: Heads): number {
  const known = session.count;
  const { data } = heads.updated;
  const ours = data.filter(({ _model }) => models.includes(_model)).length;
  if (ours === data.length) return heads.total - known;
  const most = LIMITS.pageSize * session.concurrency;
  return Math.min(most, Math.floor((heads.total * ours) / (2 * data.length || 1)));
}

/** How much later a purge may reach some copies of the CDN. */
const PURGE_DELAY = 60_000;

/**
 * From where to catch up after a full read: from the heads before it; a page from the CDN may be older than these.
 * The specification names no header by which a response from the CDN could be recognised.
 */
export function sinceFullRead(read: {
  /** Up to where the models that were not read are known, if there are any. */
  readonly since: Cursor | undefined;
  readonly before: Heads;
  readonly after: Heads;
  readonly bypassCdn: boolean;
}): Cursor | undefined {
  const { since, before, after, bypassCdn } = read;
  const { updated, published } = cursorOf(before);
  const back = bypassCdn ? 0 : PURGE_DELAY;
  const start = { updated: Math.max(0, updated - back), published: Math.max(0, published - back) };
  if (since) {
    return {
      updated: Math.min(since.updated, start.updated),
      published: Math.min(since.published, start.published),
    };
  }
  return bypassCdn && fingerprintOf(before) === fingerprintOf(after) ? undefined : start;
}

/** A full read: the heads before and after it, and what changed meanwhile. */
interface HeadsAround {
  readonly before: Heads;
  readonly heads: Heads;
  readonly changes: readonly WireContent[];
  /** Whether the totals of all pages were the same. */
  readonly isSteady: boolean;
}

/** Marks what was created or published for the first time while others were read in full. */
export function markNew(session: SyncSession, { before, changes }: HeadsAround): void {
  const wasVisible = wasVisibleAt(before);
  const { updated, published } = cursorOf(before);
  const isNew = (item: WireContent) =>
    timeOf(item, '_created_at') >= updated || timeOf(item, '_published_at') >= published;
  session.markAppeared(changes.filter((item) => isNew(item) && !wasVisible(item)));
}

/** Whether it is known what appeared and disappeared while everything was read. */
export function isAccountedFor({ before, heads, changes, isSteady }: HeadsAround): boolean {
  // Pages with another total, but as many items after as before: something was hidden and returned.
  const wasHidden = !isSteady && before.total === heads.total;
  return !wasHidden && explainsDifference(before, heads, changes);
}
