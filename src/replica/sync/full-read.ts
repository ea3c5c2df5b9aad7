import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { LIMITS } from '../../contract/limits.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { referenceFields } from '../../models/reference-paths.ts';
import { cursorOf, explainsDifference, fingerprintOf, type Heads, wasVisibleAt } from '../read/heads.ts';
import { mayReferToAnyModel } from '../reference-fields.ts';
import type { Cursor } from '../store/manifest.ts';
import type { Change } from './catch-up.ts';
import type { SyncSession } from './session.ts';

interface FullReadOptions {
  readonly models: readonly string[];
  /** The heads before, where there are any. */
  readonly heads?: Heads;
  readonly bypassCdn: boolean;
}

/** Reads models in full. What turns up while other models are known may have become visible since these were read. */
export async function readInFull(
  session: SyncSession,
  { models, heads, bypassCdn }: FullReadOptions,
): Promise<{ isSteady: boolean }> {
  const isComplete = models.length === Object.keys(session.models).length;
  const { visibility } = session;
  const reads = session.groups.map(async (group) => {
    const ours = models.filter((model) => group.tables.has(model));
    if (ours.length === 0) return { found: [], isSteady: true };
    const isComparable = isComplete && session.groups.length === 1 && !session.tracksUndeclared;
    const read = await group.readModels(ours, {
      bypassCdn,
      expected: heads ? expectedCount(session, ours, heads) : 0,
      totalBefore: isComparable ? heads?.total : undefined,
      onPage: session.onPage(ours),
    });
    for (const model of ours) {
      visibility.forgetUnconfirmed(model);
      if (heads) markUnproven(session, model, isComplete && read.isFromPages);
    }
    return read;
  });
  const results = await Promise.all(reads);
  if (!isComplete) visibility.markAppeared(results.flatMap(({ found }) => found));
  return { isSteady: results.every(({ isSteady }) => isSteady) };
}

function markUnproven(session: SyncSession, model: string, isOneList: boolean): void {
  const { visibility, models } = session;
  if (!provesReferences(session, model, isOneList)) visibility.unprovenModels.add(model);
  else if (mayReferToAnyModel(fieldsOf(models, model))) visibility.unprovenForUndeclared.add(model);
}

/**
 * Whether nothing declared that a model refers to could be hidden for a moment without a change in the totals of its
 * pages.
 */
function provesReferences(session: SyncSession, model: string, isOneList: boolean): boolean {
  const references = referenceFields(fieldsOf(session.models, model));
  if (references.length === 0) return true;
  if (!isOneList || !session.isMainLanguage) return false;
  const { tables } = session.groupOf(model);
  return (
    session.groups.length === 1 ||
    references.every(([, field]) => targetsOf(field)?.every((target) => tables.has(target)) === true)
  );
}

/**
 * How many items unread models are likely to have: exactly what the heads count, if these count nothing else; or half
 * of what their share of the newest items suggests, because requests for pages that do not exist are wasted.
 */
function expectedCount(session: SyncSession, models: readonly string[], heads: Heads): number {
  const known = session.count;
  const { data } = heads.updated;
  const ours = data.filter(({ _model }) => models.includes(_model)).length;
  if (ours === data.length && !session.tracksUndeclared) return heads.total - known;
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
  readonly changes: readonly Change[];
  /** Whether the totals of all pages were the same. */
  readonly isSteady: boolean;
}

/**
 * What changed while others were read in full may have been hidden from them for a moment. Not if totals show that
 * nothing was hidden, unless it was created or published for the first time.
 */
export function markHiddenMeanwhile(
  session: SyncSession,
  { before, heads, changes, isSteady, isComplete }: HeadsAround & { readonly isComplete: boolean },
): void {
  const isQuiet = isComplete && session.groups.length === 1 && isSteady && before.total === heads.total;
  const wasVisible = wasVisibleAt(before);
  const { updated, published } = cursorOf(before);
  const isNew = (item: WireContent) =>
    timeOf(item, '_created_at') >= updated || timeOf(item, '_published_at') >= published;
  const items = changes.map(({ item }) => item).filter((item) => !wasVisible(item));
  // The totals of pages do not count content of undeclared models.
  const mayHaveBeenHidden = (item: WireContent) =>
    !isQuiet || isNew(item) || !session.isDeclared(item._model);
  session.visibility.markAppeared(items.filter(mayHaveBeenHidden));
}

/** Whether it is known what appeared and disappeared while everything was read. */
export function isAccountedFor(
  session: SyncSession,
  { before, heads, changes, isSteady }: HeadsAround,
): boolean {
  // The heads also count content of undeclared models; the pages do not.
  if (session.tracksUndeclared && session.groups.length === 1 && isSteady) return true;
  // Pages with another total, but as many items after as before: something was hidden and returned.
  const wasHidden = !isSteady && before.total === heads.total;
  return !wasHidden && explainsDifference(before, heads, changes);
}
