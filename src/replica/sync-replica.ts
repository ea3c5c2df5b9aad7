import { concurrentReads } from '../client/http/limits/rate-limiter.ts';
import { errorMessage } from '../shared/errors.ts';
import { DamagedSegment, type SegmentItems } from './content/segment-items.ts';
import type { Replica } from './replica.ts';
import type { Manifest } from './store/manifest/manifest.ts';
import { replicaFingerprint } from './store/manifest/stored-models.ts';
import { type Cache, openCache } from './store/replica-cache.ts';
import type { SegmentSink, SegmentWriter } from './store/segments/segment-writer.ts';
import { storedReplica } from './stored-replica.ts';
import { mainChanges } from './sync/main-changes.ts';
import { nextManifest } from './sync/next-manifest.ts';
import { createProgress, type Progress, type Summary, summaryLine } from './sync/progress.ts';
import { openSession, type SyncOptions, type SyncSession } from './sync/session.ts';
import { syncLanguage } from './sync/sync.ts';

export interface SyncReplicaOptions extends SyncOptions {
  /** Store when everything was read, even if no content changed. */
  readonly storeReadTime?: boolean | undefined;
  /** Keep the items that were read as objects, as builds do. Default true. */
  readonly keepsItems?: boolean | undefined;
  /** Segments that are in memory: what is equal is not read again. */
  readonly known?: readonly SegmentItems[] | undefined;
  /** Receives each page that was read. Default: lines through the logger, every few seconds. */
  readonly progress?: Progress | undefined;
}

/** Other processes may commit something else during each sync. */
const MAX_ATTEMPTS = 4;

/** Syncs a language and commits what changed. Models with damaged segments are read again. */
export async function syncReplica(
  options: SyncReplicaOptions,
  cache: Cache,
  damagedModels: ReadonlySet<string> = new Set(),
  attempt = 1,
): Promise<Replica> {
  const { logger } = options;
  // `repair` must not keep `known`: each replica would keep all before it in memory.
  const { known = [], ...later } = options;
  const stop = new AbortController();
  const connection = await options.connect();
  const now = () => connection.clock.now();
  const session = openSession({
    ...later,
    ...cache,
    damagedModels,
    mainChanges: await mainChanges(cache.manifest, options.main),
    progress: options.progress ?? createProgress(logger, now),
    now,
    concurrency: concurrentReads(connection),
    stop,
  });
  try {
    await syncLanguage(session);
    const writer = cache.snapshot?.openWriter();
    const next = await nextManifest(session, writer ?? NOWHERE);
    const summary = summaryOf(session);
    logger.info(summaryLine(summary));
    const isNew = mustCommit(options, session, next);
    const manifest = isNew ? next : session.manifest;
    const committing = isNew
      ? commit(options, cache, { manifest, writer, now: now(), attempt })
      : Promise.resolve('this' as const);
    const { keepsItems = true } = options;
    const tables = session.groups.flatMap((group) => [...group.tables.values()]);
    const replica: Replica = storedReplica({
      ...options,
      manifest,
      readSegment: session.readSegment,
      known: [...known, ...tables.flatMap((table) => table.toItems(keepsItems))],
      keepsItems,
      summary,
      stored: committing.then((stored) => (stored === 'this' ? replica : stored)),
      repair: async (damage) => {
        await committing;
        return repair(later, { ...cache, manifest, modelMapChanged: false }, damage);
      },
    });
    return replica;
  } catch (error) {
    // No request of this sync is still running when the next one starts.
    stop.abort(error);
    if (!(error instanceof DamagedSegment) || damagedModels.has(error.model)) throw error;
    return resync(options, cache, damagedModels, error);
  }
}

/** Syncs without what is stored of a damaged model, which is then stored again. */
export async function repair(
  options: SyncReplicaOptions,
  cache: Cache,
  damage: DamagedSegment,
): Promise<Replica> {
  const replica = await resync(options, cache, new Set(), damage);
  await replica.stored;
  return replica;
}

/** Syncs again without what is stored of one more model. */
function resync(
  options: SyncReplicaOptions,
  cache: Cache,
  damagedModels: ReadonlySet<string>,
  { model, message }: DamagedSegment,
): Promise<Replica> {
  options.logger.warn(`${message}; fetching it again`);
  return syncReplica(options, cache, new Set([...damagedModels, model]));
}

function mustCommit({ storeReadTime }: SyncReplicaOptions, session: SyncSession, next: Manifest): boolean {
  const { isDamaged, modelMapChanged, manifest } = session;
  return isDamaged || modelMapChanged || storeReadTime === true || !isEqual(manifest, next);
}

interface Commit {
  readonly manifest: Manifest;
  readonly writer: SegmentWriter | undefined;
  readonly now: number;
  readonly attempt: number;
}

/**
 * Returns what is stored then. If another process has committed other content meanwhile, only the service knows which is
 * newer: what it shows now is synced on top of what is stored, and is newer than both.
 */
async function commit(
  options: SyncReplicaOptions,
  { snapshot }: Cache,
  { manifest, writer, now, attempt }: Commit,
): Promise<'this' | Replica | undefined> {
  const { logger, models } = options;
  try {
    await writer?.end();
    const main = await options.main?.stored;
    // A language is never stored ahead of the main one.
    if (options.main && !main) return undefined;
    if (main?.fingerprint === options.main?.fingerprint) {
      const others = (await snapshot?.commit(manifest, now)) ?? [];
      const content = replicaFingerprint(models, manifest);
      if (others.every((other) => replicaFingerprint(models, other) === content)) return 'this';
    }
    if (attempt === MAX_ATTEMPTS) return undefined;
    logger.info('Another process has stored other content meanwhile; syncing again');
    const again = await syncReplica({ ...options, main }, await openCache(options), new Set(), attempt + 1);
    return await again.stored;
  } catch (error) {
    logger.warn(
      `Cannot write the cache; the next build starts from the previous one: ${errorMessage(error)}`,
    );
    return undefined;
  }
}

/** Without a cache. */
const NOWHERE: SegmentSink = { set() {} };

const HOUR = 60 * 60 * 1000;

/** Whether a manifest contains nothing new, so that a rebuild without changes writes nothing. */
function isEqual(before: Manifest, after: Manifest): boolean {
  const contentOf = ({ generation: _, unused: __, models, pages, ...rest }: Manifest) => {
    const stored = Object.entries(models).map(([key, model]) => [
      key,
      { ...model, readAt: Math.floor(model.readAt / HOUR) },
    ]);
    // Other bytes of the same content are stored with the next change, or hour: a proxy may change them each time.
    return JSON.stringify([stored, Object.keys(pages), rest]);
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
