import type { Connect } from '../../client/http/connection.ts';
import { errorMessage } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import type { ModelMap } from '../../models/types.ts';
import { emptyManifest, type Loaded, openSnapshot, type Snapshot } from './snapshot.ts';
import { type CacheOptions, openStorage } from './storage.ts';
import { storedModelKey } from './stored-model-key.ts';

/** What content is cached, and where. */
export interface CachedContent {
  readonly connect: Connect;
  readonly models: ModelMap;
  readonly space?: string | undefined;
  /** Absent: the main language. */
  readonly lang?: string | undefined;
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
  const modelKeys = Object.keys(models).map((model) => storedModelKey(models, model));
  const snapshot = openSnapshot(openStorage(cache, cacheDir), { baseUrl, apiKey, space, lang, modelKeys });
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
