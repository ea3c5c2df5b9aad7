import type { Connect } from '../../client/http/connection.ts';
import type { ModelMap } from '../../models/types.ts';
import { errorMessage } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { storedModelKeys } from './manifest/stored-models.ts';
import { emptyManifest, type Loaded, openSnapshot, type Snapshot } from './snapshot.ts';
import { type CacheOptions, openStorage } from './storage.ts';

/** What content is cached, and where. */
export interface CachedContent {
  readonly connect: Connect;
  readonly models: ModelMap;
  readonly space?: string | undefined;
  /** Absent: the main language. */
  readonly lang?: string | undefined;
  /** Whether the key is the one for drafts: everything is encrypted then. */
  readonly drafts?: boolean | undefined;
  readonly cache: CacheOptions | false;
  /** The folder of the cache unless `cache` names another. */
  readonly cacheDir: string;
  readonly logger: Logger;
}

export interface Cache extends Loaded {
  /** Absent: nothing is cached. */
  readonly snapshot: Snapshot | undefined;
}

/** Opens the cache and reads its manifest. A cache that cannot be read is not a reason to fail. */
export async function openCache(content: CachedContent): Promise<Cache> {
  const { connect, models, space, lang, cache, cacheDir, logger } = content;
  if (cache === false) return emptyCache();
  const { baseUrl, apiKey } = await connect();
  const of = { baseUrl, apiKey, space, lang, modelKeys: storedModelKeys(models) };
  const snapshot = await openSnapshot(openStorage(cache, cacheDir), of);
  try {
    const loaded = await snapshot.load();
    if (loaded.damaged) logger.warn('Part of the cache is damaged; fetching everything again');
    return { snapshot, ...loaded };
  } catch (error) {
    logger.warn(`Cannot read the cache; fetching everything: ${errorMessage(error)}`);
    return emptyCache();
  }
}

function emptyCache(): Cache {
  return { snapshot: undefined, manifest: emptyManifest(), damaged: false, modelMapChanged: false };
}
