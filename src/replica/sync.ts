import type { Connect } from '../client/connection.ts';
import { listContents } from '../client/contents.ts';
import type { WireContent } from '../contract/content.ts';
import { LuidError } from '../errors.ts';
import { formatsOf } from '../models/formats.ts';
import type { ModelMap } from '../models/types.ts';
import { scan } from './scan.ts';
import { loadSnapshot, type SnapshotOf, saveSnapshot } from './snapshot.ts';
import { type CacheOptions, openStorage } from './storage.ts';

export interface SyncOptions {
  readonly connect: Connect;
  readonly models: ModelMap;
  readonly space: string | undefined;
  readonly cache: CacheOptions | false;
  /** Where the cache lies unless `cache` says otherwise. */
  readonly cacheDir: string;
  /** Use the last snapshot and ask nothing. */
  readonly offline: boolean;
  readonly logger: { info(message: string): void; warn(message: string): void };
}

/** The flat copy of a space: every item of the declared models, references as ids. */
export interface Replica {
  readonly items: ReadonlyMap<number, WireContent>;
}

/** Brings the replica of a space up to date. It is right, or it throws and nothing has changed. */
export async function sync(options: SyncOptions): Promise<Replica> {
  const { connect, models, space, cache, logger } = options;
  const { baseUrl, apiKey } = await connect();
  const of: SnapshotOf = { baseUrl, apiKey, space, models };
  const storage = cache === false ? undefined : openStorage(cache, options.cacheDir);

  if (options.offline) {
    const items = storage && (await loadSnapshot(storage, of));
    if (!items) {
      throw new LuidError('LUID_OFFLINE is set, but there is no sound snapshot of this space', {
        hint: 'Build once with the service in reach, with `cache` not false.',
      });
    }
    logger.warn('LUID_OFFLINE: using the last snapshot, the service is not asked');
    return replicaOf(items);
  }

  const perModel = await Promise.all(Object.keys(models).map((model) => readModel(options, model)));
  const items = perModel.flat();
  if (storage) await saveSnapshot(storage, of, items);
  logger.info(`${items.length} items of ${perModel.length} models read`);
  return replicaOf(items);
}

function readModel({ connect, models, space }: SyncOptions, model: string): Promise<WireContent[]> {
  const query = { model, depth: 0, order: '_created_at,_id', space, ...formatsOf(models[model] ?? {}) };
  return scan(model, (page) => listContents(connect, { ...query, ...page }));
}

function replicaOf(items: readonly WireContent[]): Replica {
  return { items: new Map(items.map((item) => [item._id, item])) };
}
