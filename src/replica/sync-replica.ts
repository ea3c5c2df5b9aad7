import { CONCURRENT_READS } from '../client/http/rate-limiter.ts';
import { errorMessage } from '../errors.ts';
import { makeReplica, type Replica } from './make-replica.ts';
import type { Items } from './replica-items.ts';
import type { Manifest } from './store/manifest.ts';
import { DamagedSegment } from './store/model-table.ts';
import type { Cache, CachedContent } from './store/replica-cache.ts';
import type { SegmentSink, SegmentWriter } from './store/segment-writer.ts';
import { nextManifest } from './sync/next-manifest.ts';
import { createProgress, type Progress, type Summary, summaryLine } from './sync/progress.ts';
import { SyncSession } from './sync/session.ts';
import { syncLanguage } from './sync/sync.ts';

export interface SyncOptions extends CachedContent {
  /** Milliseconds after which everything is read again. */
  readonly maxAge: number;
  /** Read everything now, bypassing the CDN. */
  readonly forceFullSync?: boolean;
  /** For servers that check every few seconds: see `PlanInput`. */
  readonly fewRequests?: boolean | undefined;
  /** Store when everything was read, even if no content changed. */
  readonly storeReadTime?: boolean | undefined;
  /** Of another language: the replica of the main one, just synced. */
  readonly main?:
    | (Pick<Replica, 'journal'> & Partial<Pick<Replica, 'heads' | 'isUndeclaredUnknown' | 'stored'>>)
    | undefined;
  /** Receives each page that was read. Default: lines through the logger, every few seconds. */
  readonly progress?: Progress | undefined;
}

/** Syncs a language and commits what changed. Models with damaged segments are read again. */
export async function syncReplica(
  options: SyncOptions,
  cache: Cache,
  damagedModels: ReadonlySet<string> = new Set(),
): Promise<Replica> {
  const { logger } = options;
  const stop = new AbortController();
  const session = await openSession(options, cache, damagedModels, stop);
  try {
    await syncLanguage(session);
    const writer = cache.snapshot?.openWriter();
    const next = await nextManifest(session, writer ?? NOWHERE);
    const summary = summaryOf(session);
    logger.info(summaryLine(summary));
    const stored = mustCommit(options, session, next.manifest)
      ? commit(options, cache, next.manifest, { writer, now: session.now() })
      : Promise.resolve();
    const synced = { ...cache, manifest: next.manifest, modelMapChanged: false };
    return makeReplica({
      ...options,
      manifest: next.manifest,
      tables: session.groups.flatMap((group) => [...group.tables.values()]),
      summary,
      isFromCache: false,
      stored,
      repair: async (error) => {
        await stored;
        return repairItems(options, synced, error);
      },
    });
  } catch (error) {
    // No request of this sync is still running when the next one starts.
    stop.abort(error);
    if (!(error instanceof DamagedSegment) || damagedModels.has(error.model)) throw error;
    return resync(options, cache, damagedModels, error);
  }
}

/** The items after a sync without what is stored of a damaged model. What was damaged is stored again. */
export async function repairItems(
  options: SyncOptions,
  cache: Cache,
  damage: DamagedSegment,
): Promise<Items> {
  const replica = await resync(options, cache, new Set(), damage);
  await replica.stored;
  return replica.unresolvedItems();
}

/** Syncs again without what is stored of one more model. */
function resync(
  options: SyncOptions,
  cache: Cache,
  damagedModels: ReadonlySet<string>,
  { model, message }: DamagedSegment,
): Promise<Replica> {
  options.logger.warn(`${message}; fetching it again`);
  return syncReplica(options, cache, new Set([...damagedModels, model]));
}

async function openSession(
  options: SyncOptions,
  cache: Cache,
  damagedModels: ReadonlySet<string>,
  stop: AbortController,
): Promise<SyncSession> {
  const { logger } = options;
  const { clock, network } = await options.connect();
  const now = () => clock.now();
  return new SyncSession({
    ...options,
    ...cache,
    space: options.space,
    lang: options.lang,
    forceFullSync: options.forceFullSync === true,
    damagedModels,
    mainJournal: options.main?.journal,
    mainHeads: options.main?.heads,
    isUndeclaredUnknown: options.main?.isUndeclaredUnknown,
    progress: options.progress ?? createProgress(logger, now),
    warn: (message) => logger.warn(message),
    now,
    concurrency: network.concurrency ?? CONCURRENT_READS,
    stop,
  });
}

function mustCommit({ storeReadTime }: SyncOptions, session: SyncSession, next: Manifest): boolean {
  const { isDamaged, modelMapChanged, manifest } = session;
  return isDamaged || modelMapChanged || storeReadTime === true || !isEqual(manifest, next);
}

async function commit(
  { logger, main }: SyncOptions,
  { snapshot }: Cache,
  manifest: Manifest,
  { writer, now }: { readonly writer: SegmentWriter | undefined; readonly now: number },
): Promise<void> {
  try {
    await writer?.end();
    // A language is never stored ahead of the main one.
    await main?.stored;
    await snapshot?.commit(manifest, new Map(), now);
  } catch (error) {
    logger.warn(
      `Cannot write the cache; the next build starts from the previous one: ${errorMessage(error)}`,
    );
  }
}

/** Without a cache. */
const NOWHERE: SegmentSink = { set() {} };

const HOUR = 60 * 60 * 1000;

/** Whether a manifest contains nothing new, so that a rebuild without changes writes nothing. */
function isEqual(before: Manifest, after: Manifest): boolean {
  const contentOf = ({ generation: _, leaving: __, models, ...rest }: Manifest) => {
    const stored = Object.entries(models).map(([key, model]) => [
      key,
      { ...model, readAt: Math.floor(model.readAt / HOUR) },
    ]);
    return JSON.stringify([stored, rest]);
  };
  return contentOf(before) === contentOf(after);
}

function summaryOf({ groups, stats }: SyncSession): Summary {
  const sum = (of: (group: SyncSession['groups'][number]) => number) =>
    groups.reduce((all, group) => all + of(group), 0);
  return {
    items: sum(({ count }) => count),
    added: sum(({ added }) => added.size),
    changed: sum(({ changed }) => changed.size),
    removed: sum(({ removed }) => removed.size),
    ...stats.counts(),
  };
}
