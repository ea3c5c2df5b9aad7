import { pagesFor } from '../read/scan.ts';
import type { Cursor, Manifest } from '../store/manifest.ts';

/** Why everything is read again, bypassing the CDN. */
export type FullSyncReason =
  | 'requested'
  | 'damaged cache'
  | 'inconclusive full read'
  | 'older than maxAge'
  | 'unknown changes of the main language';

/** How a sync reads a language, and why: which models in full, and since when to catch up with the rest. */
export type SyncPlan =
  | {
      /** All pages fit in one round of parallel requests, which takes as long as the heads alone. */
      readonly kind: 'single round';
      readonly reason: FullSyncReason | 'small space';
      readonly models: readonly string[];
      readonly bypassCdn: boolean;
    }
  | {
      readonly kind: 'full';
      readonly reason: FullSyncReason | 'nothing stored' | 'no cursor';
      readonly models: readonly string[];
      readonly since: undefined;
      readonly bypassCdn: boolean;
    }
  | {
      readonly kind: 'partial';
      readonly reason: 'new models';
      /** The models of which nothing is stored. */
      readonly models: readonly string[];
      readonly since: Cursor;
      readonly bypassCdn: false;
    }
  | {
      readonly kind: 'incremental';
      readonly reason: 'up to date until the cursor';
      readonly models: readonly [];
      readonly since: Cursor;
      readonly bypassCdn: false;
    };

/** What a plan depends on. */
export interface PlanInput {
  readonly models: { readonly [model: string]: unknown };
  /** Models of which nothing is stored. */
  readonly unread: readonly string[];
  /** Models that are requested together, and how many items are stored of them. */
  readonly groups: readonly { readonly count: number }[];
  /** Requests in parallel. */
  readonly concurrency: number;
  /** Requests cost more than time: read what changed, where the heads are fewer requests than everything. */
  readonly fewRequests?: boolean | undefined;
  /** Up to where everything stored is known, if it is known of all of it. */
  readonly cursor: Cursor | undefined;
  readonly manifest: Pick<Manifest, 'settled'>;
  readonly isDamaged: boolean;
  readonly mainChanges: { readonly areKnown: boolean };
  /** A full sync was requested. */
  readonly forceFullSync: boolean;
  /** Milliseconds since the oldest full read of what is stored; `undefined` if nothing is. */
  readonly age: number | undefined;
  readonly maxAge: number;
}

export function planSync(input: PlanInput): SyncPlan {
  const { unread, cursor } = input;
  const models = Object.keys(input.models);
  const fullSync = fullSyncReason(input);
  const bypassCdn = fullSync !== undefined;
  if (fitsInOneRound(input))
    return { kind: 'single round', reason: fullSync ?? 'small space', models, bypassCdn };
  if (fullSync) return { kind: 'full', reason: fullSync, models, since: undefined, bypassCdn };
  if (!cursor) {
    const reason = unread.length === models.length ? 'nothing stored' : 'no cursor';
    return { kind: 'full', reason, models, since: undefined, bypassCdn };
  }
  if (unread.length > 0)
    return { kind: 'partial', reason: 'new models', models: unread, since: cursor, bypassCdn: false };
  const reason = 'up to date until the cursor';
  return { kind: 'incremental', reason, models: [], since: cursor, bypassCdn: false };
}

/** Why what is stored cannot be built upon. */
function fullSyncReason(input: PlanInput): FullSyncReason | undefined {
  if (input.forceFullSync) return 'requested';
  // The lost part cannot show which of its items others were read without.
  if (input.isDamaged) return 'damaged cache';
  if (!input.manifest.settled) return 'inconclusive full read';
  if (input.age !== undefined && input.age > input.maxAge) return 'older than maxAge';
  return input.mainChanges.areKnown ? undefined : 'unknown changes of the main language';
}

function fitsInOneRound({ groups, concurrency, fewRequests, unread }: PlanInput): boolean {
  const pages = groups.reduce((sum, { count }) => sum + pagesFor(count), 0);
  return unread.length === 0 && pages <= (fewRequests ? Math.min(HEADS, concurrency) : concurrency);
}

/** How many requests the heads take. */
const HEADS = 2;
