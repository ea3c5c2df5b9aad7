import { join, resolve } from 'node:path';
import type { Storage } from 'unstorage';
import { errorMessage, LuidConfigError, LuidError } from '../../errors.ts';
import { openStorage } from '../../replica/store/storage.ts';
import type { CopiedSpace } from '../../space/replica-options.ts';

/** The cache that builds of the project use. */
export interface Cache {
  readonly storage: Storage;
  /** Throws if something of late could not be stored, which to a build is only a warning. */
  check(): void;
  /** Takes no more writes, and resolves when those under way are done. */
  close(): Promise<void>;
}

export interface CachePlace {
  /** The project's folder. */
  readonly dir: string;
  /** Astro's `cacheDir`, where it is not the default. */
  readonly astroCacheDir?: string | undefined;
}

/** Opens it, or throws if it cannot be written. */
export async function openCache({ settings }: CopiedSpace, place: CachePlace): Promise<Cache> {
  const { cache: options = {} } = settings;
  if (options === false) {
    throw new LuidConfigError('The space has `cache: false`, so there is no cache to keep', {
      hint: 'Take it off defineSpace().',
    });
  }
  const astroCacheDir = place.astroCacheDir ?? join(place.dir, 'node_modules/.astro');
  const dir = options.dir === undefined ? join(astroCacheDir, 'astro-luid') : resolve(place.dir, options.dir);
  const cache = guard(openStorage({ ...options, dir }, dir));
  const probe = `probe-${process.pid}`;
  await cache.storage.setItemRaw(probe, 'luid').catch(() => {});
  cache.check();
  await cache.storage.removeItem(probe);
  return cache;
}

function guard(inner: Storage): Cache {
  const writing = new Set<Promise<void>>();
  let failure: unknown;
  let closed = false;

  const note = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const guarded: Pick<Storage, 'setItemRaw' | 'getKeys'> = {
    getKeys: (...args) => note(inner.getKeys(...args)),
    setItemRaw(...args) {
      // Whoever writes after the end waits for the end.
      if (closed) return new Promise(() => {});
      const work = note(inner.setItemRaw(...args)).finally(() => writing.delete(work));
      writing.add(work);
      return work;
    },
  };

  return {
    storage: Object.assign(Object.create(inner) as Storage, guarded),
    check() {
      if (failure === undefined) return;
      const error = new LuidError(`The cache cannot be used: ${errorMessage(failure)}`, {
        hint: 'Give a folder that can be written: --cache-dir, or `cache` in defineSpace().',
        cause: failure,
      });
      failure = undefined;
      throw error;
    },
    async close() {
      closed = true;
      await Promise.allSettled(writing);
    },
  };
}
