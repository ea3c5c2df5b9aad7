import { openReplica, type ReplicaOptions } from '../../replica/open-replica.ts';
import type { Replica } from '../../replica/replica.ts';
import type { Progress } from '../../replica/sync/progress.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { didYouMean } from '../../shared/suggest.ts';
import { isSwitchedOn } from '../../space/environment/environment.ts';
import { replicaOptions, type SyncedSpace } from '../../space/replica-options.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import type { Cache } from './open-cache.ts';

export interface SyncOptions extends Pick<ReplicaOptions, 'bypassCdn' | 'fewRequests' | 'keepsItems'> {
  readonly cache: Cache;
  readonly drafts: boolean;
  /** The sub-languages to sync. Default: all. */
  readonly langs?: readonly string[] | undefined;
  /** Do a full sync that bypasses the CDN. Default: as configured in the space. */
  readonly forceFullSync?: boolean | undefined;
  readonly logger: (lang: string | undefined) => Logger;
  /** Displays progress. Default: lines written to the logger. */
  readonly progress?: ((lang: string | undefined) => Progress) | undefined;
}

export interface SyncedReplica {
  /** `undefined`: the main language. */
  readonly lang: string | undefined;
  readonly replica: Replica;
}

/** Syncs the replicas of a space: the main language first, then the others. */
export async function syncSpace(space: SyncedSpace, options: SyncOptions): Promise<SyncedReplica[]> {
  const { cache, drafts, langs, forceFullSync, logger, progress, ...others } = options;
  if (await isSwitchedOn('LUID_OFFLINE')) {
    throw new LuidConfigError('LUID_OFFLINE is set, so no requests are made', { hint: 'Unset it.' });
  }
  const synced: SyncedReplica[] = [];
  for (const lang of [undefined, ...subLanguages(space, langs)]) {
    const view = { drafts, lang };
    const main = synced[0]?.replica;
    const common = await replicaOptions(space, view, { cacheDir: '', main, logger: logger(lang) });
    const replica = await openReplica({
      ...common,
      ...others,
      cache: { storage: cache.storage },
      // Stale content would be mistaken for the current content.
      staleFor: undefined,
      forceFullSync: forceFullSync || common.forceFullSync === true,
      storeReadTime: forceFullSync,
      progress: progress?.(lang),
    });
    cache.throwIfFailed();
    synced.push({ lang, replica });
  }
  return synced;
}

/** The sub-languages of a space, or those of them that are requested. */
export function subLanguages({ settings }: ConnectedSpace, requested?: readonly string[]): readonly string[] {
  const { main, sub = [] } = settings.languages ?? {};
  const unknown = requested?.find((lang) => lang !== main && !sub.includes(lang));
  if (unknown !== undefined) {
    const known = main === undefined ? [] : [main, ...sub];
    throw new LuidConfigError(`Unknown language ${JSON.stringify(unknown)}${didYouMean(unknown, known)}`, {
      hint: `The space declares ${known.join(', ') || 'none'}.`,
    });
  }
  return requested ? sub.filter((lang) => requested.includes(lang)) : sub;
}
