import { createStorage, type Storage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs';

export interface CacheOptions {
  /** Where the cache lies. Default: `astro-luid` in Astro's `cacheDir`. */
  readonly dir?: string;
  /** Any unstorage Storage, to share the cache between machines. */
  readonly storage?: Storage;
}

/** The storage that the options name, or a folder. */
export function openStorage(options: CacheOptions, defaultDir: string): Storage {
  return options.storage ?? createStorage({ driver: fsDriver({ base: options.dir ?? defaultDir }) });
}
