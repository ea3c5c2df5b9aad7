import { join, resolve } from 'node:path';
import type { Storage } from 'unstorage';
import { openStorage } from '../../replica/store/storage.ts';
import { LuidConfigError, LuidError } from '../../shared/errors.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import { text } from './option-kinds.ts';

/** The cache that builds of the project use too. */
export interface Cache {
  readonly storage: Storage;
  /** Throws if a read or write failed since the last call; builds only warn about it. */
  throwIfFailed(): void;
  /** Stops accepting writes and waits for pending ones. */
  close(): Promise<void>;
}

export const CACHE_OPTION = {
  'cache-dir': text(
    'DIR',
    "Astro's cacheDir, if astro.config sets one (default: node_modules/.astro)",
    'a folder',
  ),
};

/**
 * Opens the cache of the project in `root`; `cacheDir` is Astro's, relative to the project. Throws if it is not
 * writable.
 */
export async function openCache(
  { settings }: ConnectedSpace,
  root: string,
  cacheDir = 'node_modules/.astro',
): Promise<Cache> {
  const { cache: options = {} } = settings;
  if (options === false) {
    throw new LuidConfigError('The space has `cache: false`, so there is no cache to update', {
      hint: 'Remove it from defineSpace().',
    });
  }
  const dir = resolve(root, options.dir ?? join(cacheDir, 'astro-luid'));
  const cache = trackFailures(openStorage({ ...options, dir }, dir));
  const probeKey = `probe-${process.pid}`;
  await cache.storage.setItemRaw(probeKey, 'luid').catch(() => {});
  cache.throwIfFailed();
  await cache.storage.removeItem(probeKey);
  return cache;
}

function trackFailures(inner: Storage): Cache {
  const pendingWrites = new Set<Promise<void>>();
  let failure: unknown;
  let closed = false;

  const recordFailure = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const tracked: Pick<Storage, 'setItemRaw' | 'getKeys'> = {
    getKeys: (...args) => recordFailure(inner.getKeys(...args)),
    setItemRaw(...args) {
      // The process is about to exit: later writes stay pending until then.
      if (closed) return new Promise(() => {});
      const work = recordFailure(inner.setItemRaw(...args)).finally(() => pendingWrites.delete(work));
      pendingWrites.add(work);
      return work;
    },
  };

  return {
    storage: Object.assign(Object.create(inner) as Storage, tracked),
    throwIfFailed() {
      if (failure === undefined) return;
      const message = failure instanceof Error ? failure.message : String(failure);
      const error = new LuidError(`Cannot use the cache: ${message}`, {
        hint: 'Pass a writable folder as --cache-dir, or set `cache` in defineSpace().',
        cause: failure,
      });
      failure = undefined;
      throw error;
    },
    async close() {
      closed = true;
      await Promise.allSettled(pendingWrites);
    },
  };
}
