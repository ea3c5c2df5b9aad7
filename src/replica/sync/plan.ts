import { MAX_KNOWN_PAGES } from '../read/page-bytes.ts';
import { pagesFor } from '../read/scan.ts';
import type { Cursor, Manifest } from '../store/manifest/manifest.ts';
import type { MainChanges } from './main-changes.ts';
import type { SyncSession } from './session.ts';

/** How a sync reads a language: which models in full, and since when to catch up with the rest. */
export interface SyncPlan {
  readonly reason: FullSyncReason | OtherReason;
  /** All pages fit in one round of parallel requests, which takes as long as the heads alone: these are not read. */
  readonly isSmall: boolean;
  /** To read in full. */
  readonly models: readonly string[];
  /** Up to where the other models are known. */
  readonly since: Cursor | undefined;
  readonly bypassCdn: boolean;
}

/** Why everything is read again, bypassing the CDN. */
export type FullSyncReason =
  | 'requested'
  | 'damaged cache'
  | 'too much is uncertain'
  | 'older than maxAge'
  | 'unknown changes of the main language';

type OtherReason = 'small space' | 'nothing stored' | 'no cursor' | 'another model map' | 'incremental';

type Session = Pick<
  SyncSession,
  | 'unread'
  | 'outdated'
  | 'concurrency'
  | 'fewRequests'
  | 'bypassCdn'
  | 'isDamaged'
  | 'forceFullSync'
  | 'age'
  | 'maxAge'
>;

/** What a plan depends on. */
export interface PlanInput extends Session {
  readonly models: { readonly [model: string]: unknown };
  /** Models that are requested together, and how many items are stored of them, or in the service if nothing is. */
  readonly groups: readonly { readonly count: number; readonly expected?: number | undefined }[];
  readonly manifest: Pick<Manifest, 'cursor' | 'readAgain'>;
  readonly mainChanges: Pick<MainChanges, 'areKnown'>;
}

export function planSync(input: PlanInput): SyncPlan {
  const { unread, manifest, bypassCdn = false } = input;
  const { cursor } = manifest;
  const models = Object.keys(input.models);
  const fullSync = fullSyncReason(input);
  const isNothingStored = unread.length === models.length;
  const everything = { models, since: undefined, bypassCdn: bypassCdn || fullSync !== undefined };
  if (isSmallSpace(input)) {
    // A page from the CDN may be older than the last edit: without heads, only stored items can show that.
    const reason = fullSync ?? 'small space';
    return { ...everything, reason, isSmall: true, bypassCdn: everything.bypassCdn || isNothingStored };
  }
  if (fullSync) return { reason: fullSync, isSmall: false, ...everything };
  if (!cursor) {
    const reason = isNothingStored ? 'nothing stored' : 'no cursor';
    return { reason, isSmall: false, ...everything };
  }
  const toRead = [...new Set([...unread, ...input.outdated])];
  const reason = toRead.length > 0 ? 'another model map' : 'incremental';
  return { reason, isSmall: false, models: toRead, since: cursor, bypassCdn };
}

/** Why what is stored cannot be built upon. */
function fullSyncReason(input: PlanInput): FullSyncReason | undefined {
  if (input.forceFullSync) return 'requested';
  // An item of the lost part may have been hidden when others were read, so no empty reference can be trusted.
  if (input.isDamaged) return 'damaged cache';
  if (input.manifest.readAgain === 'everything') return 'too much is uncertain';
  if (input.age !== undefined && input.age > input.maxAge) return 'older than maxAge';
  return input.mainChanges.areKnown ? undefined : 'unknown changes of the main language';
}

function isSmallSpace({ models, groups, concurrency, fewRequests, unread }: PlanInput): boolean {
  const pages = groups.reduce((sum, { count, expected }) => sum + pagesFor(expected ?? count), 0);
  const most = fewRequests ? HEADS : MAX_KNOWN_PAGES;
  const isPartial = unread.length > 0 && unread.length < Object.keys(models).length;
  return !isPartial && pages <= Math.min(most, concurrency);
}

/** How many requests the heads take. */
const HEADS = 2;
