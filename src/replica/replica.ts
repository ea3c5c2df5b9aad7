import { isUnavailable } from '../client/http/request-errors.ts';
import { errorMessage, withHint } from '../errors.ts';
import { ageText } from './age.ts';
import { cachedReplica } from './cached-replica.ts';
import type { Replica } from './make-replica.ts';
import { ageOf } from './store/full-read-times.ts';
import type { DamagedSegment } from './store/model-table.ts';
import { openCache } from './store/replica-cache.ts';
import { repairItems, type SyncOptions, syncReplica } from './sync-replica.ts';

export type { Replica } from './make-replica.ts';

export interface ReplicaOptions extends SyncOptions {
  /** Return the replica while the cache is still being written: see `stored`. */
  readonly storeInBackground?: boolean;
  /** Use the cache and request nothing. */
  readonly offline?: boolean;
  /** If the sync fails, use cached content that is not older than this, in milliseconds. Default: fail. */
  readonly staleFor?: number | undefined;
  /**
   * If the service is unavailable and there is cached content: use it, whatever `staleFor` says, or add this hint to
   * the error.
   */
  readonly onUnavailable?: 'use the cache' | { readonly hint: string } | undefined;
}

/** Brings the replica of a space up to date, and stores it. It is right, or this throws and nothing has changed. */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const cache = await openCache(options);
  if (options.offline) {
    const repair = async (error: DamagedSegment) => {
      throw withHint(error, 'Build once while the service is available: what is damaged is fetched again.');
    };
    return cachedReplica(options, cache, { reason: 'LUID_OFFLINE is set', repair });
  }
  try {
    const replica = await syncReplica(options, cache);
    if (!options.storeInBackground) await replica.stored;
    return replica;
  } catch (error) {
    const { clock } = await options.connect();
    const age = ageOf(options.models, cache.manifest, clock.now());
    if (age === undefined) throw error;
    const { staleFor = Number.NEGATIVE_INFINITY, onUnavailable } = options;
    if (age > staleFor) {
      if (onUnavailable === undefined || !isUnavailable(error)) throw error;
      if (onUnavailable !== 'use the cache') throw withHint(error, onUnavailable.hint);
    }
    options.logger.warn(`Service unavailable; using cached content (${ageText(age)})`);
    options.logger.warn(errorMessage(error));
    const repair = (damage: DamagedSegment) => repairItems(options, cache, damage);
    return cachedReplica(options, cache, { reason: 'Service unavailable', repair });
  }
}
