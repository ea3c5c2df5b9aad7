import { isUnavailable } from '../client/http/errors/request-errors.ts';
import { errorMessage, LuidError, withHint } from '../shared/errors.ts';
import { ageText } from './age.ts';
import type { DamagedSegment } from './content/segment-items.ts';
import type { Replica } from './replica.ts';
import { ageOf, storedModel } from './store/manifest/stored-models.ts';
import { type Cache, openCache } from './store/replica-cache.ts';
import { storedReplica } from './stored-replica.ts';
import { repair, type SyncReplicaOptions, syncReplica } from './sync-replica.ts';

export interface ReplicaOptions extends SyncReplicaOptions {
  /** Return the replica while the cache is still being written: see `stored`. */
  readonly storeInBackground?: boolean;
  /** Use the cache and request nothing. */
  readonly offline?: boolean;
  /** If the sync fails, use cached content that is not older than this, in milliseconds. Default: fail. */
  readonly staleFor?: number | undefined;
  /**
   * If the service is unavailable and there is cached content: use it, whatever `staleFor` is, or add this hint to
   * the error.
   */
  readonly onUnavailable?: 'use the cache' | { readonly hint: string } | undefined;
}

/** Brings the replica of a space up to date, and stores it. It is right, or this throws and nothing has changed. */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const cache = await openCache(options);
  if (options.offline) {
    const fail = async (damage: DamagedSegment) => {
      throw withHint(damage, 'Build once while the service is available: what is damaged is fetched again.');
    };
    return cachedReplica(options, cache, 'LUID_OFFLINE is set', fail);
  }
  const { clock } = await options.connect();
  const age = ageOf(options.models, cache.manifest, clock.now());
  const { staleFor = Number.NEGATIVE_INFINITY, onUnavailable, main, logger } = options;
  const startsFromCache = age !== undefined && onUnavailable === 'use the cache';
  const useCache = (knownAge: number) => {
    logger.warn(`Service unavailable; using cached content (${ageText(knownAge)})`);
    return cachedReplica(options, cache, 'Service unavailable', (damage) => repair(options, cache, damage));
  };
  // Its retries have failed just now.
  if (main?.isFromCache && age !== undefined && (startsFromCache || age <= staleFor)) return useCache(age);
  try {
    const replica = await syncReplica({ ...options, retryConnecting: !startsFromCache }, cache);
    return options.storeInBackground ? replica : ((await replica.stored) ?? replica);
  } catch (error) {
    if (age === undefined) throw error;
    if (age > staleFor) {
      if (onUnavailable === undefined || !isUnavailable(error)) throw error;
      if (onUnavailable !== 'use the cache') throw withHint(error, onUnavailable.hint);
    }
    const replica = useCache(age);
    logger.warn(errorMessage(error));
    return replica;
  }
}

/** The replica as it is stored. `reason`: why the service is not used. */
function cachedReplica(
  { models, lang }: ReplicaOptions,
  { manifest, snapshot }: Cache,
  reason: string,
  repairWith: (damage: DamagedSegment) => Promise<Replica>,
): Replica {
  if (!Object.keys(models).every((model) => storedModel(models, manifest, model))) {
    throw new LuidError(`${reason}, but the cache does not contain all models in this language`, {
      hint: 'Build once while the service is available, and do not set `cache` to `false`.',
    });
  }
  const readSegment = async (hash: string) => snapshot?.segment(hash);
  const how = { keepsItems: true, isFromCache: true, repair: repairWith };
  return storedReplica({ models, lang, manifest, readSegment, ...how });
}
