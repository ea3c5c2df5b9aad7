import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createStorage, type Driver, type Storage } from 'unstorage';
import { uniformStorage } from './uniform-storage.ts';

export interface CacheOptions {
  /** The folder of the cache. Default: `astro-luid` in Astro's `cacheDir`. */
  readonly dir?: string | undefined;
  /** Any unstorage Storage, to share the cache between machines. */
  readonly storage?: Storage | undefined;
}

/** The storage that the options name, or a folder. */
export function openStorage(options: CacheOptions, defaultDir: string): Storage {
  const { storage, dir = defaultDir } = options;
  return storage ? uniformStorage(storage) : createStorage({ driver: atomicFolder(dir) });
}

const PARTIAL = '.partial';
const HOUR = 60 * 60 * 1000;

/**
 * A folder as an unstorage driver. Writes are atomic, even if the process or the machine crashes: a file is written
 * under another name, flushed to disk and renamed. If the machine crashes, the last renames may be lost, and what they
 * would have stored is fetched again. Files may contain drafts, so only their owner can read them.
 */
function atomicFolder(base: string): Driver {
  const root = resolve(base);
  const pathOf = (key: string) => join(root, ...key.split(':').map(encodeURIComponent));

  let cleared: Promise<void> | undefined;

  async function write(key: string, value: string | Uint8Array): Promise<void> {
    cleared ??= clearPartials(root);
    await cleared;
    const path = pathOf(key);
    const partial = `${path}.${randomUUID()}${PARTIAL}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(partial, 'wx', 0o600);
    try {
      try {
        await file.writeFile(value);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  return {
    name: 'astro-luid-folder',
    hasItem: async (key) => (await readIfExists(pathOf(key))) !== null,
    getItem: async (key) => (await readIfExists(pathOf(key)))?.toString('utf8') ?? null,
    getItemRaw: (key) => readIfExists(pathOf(key)),
    setItem: write,
    setItemRaw: (key, value: string | Uint8Array) => write(key, value),
    removeItem: (key) => rm(pathOf(key), { force: true }),
    // Only the folder of this base: others contain many more files.
    async getKeys(base = '') {
      const folder = join(root, ...base.split(':').filter(Boolean).map(encodeURIComponent));
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(emptyIfMissing);
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(PARTIAL))
        .map((entry) => [...entry.parentPath.slice(root.length).split(/[\\/]/), entry.name].filter(Boolean))
        .flatMap((parts) => keyOf(parts) ?? []);
    },
  };
}

/** Removes partial files of processes that were killed. Another process may still be writing recent ones. */
async function clearPartials(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const { parentPath, name } of entries.filter((entry) => entry.name.endsWith(PARTIAL))) {
    const path = join(parentPath, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - HOUR) await rm(path, { force: true }).catch(() => {});
  }
}

async function readIfExists(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

function emptyIfMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** The key of a path; `undefined` for a file that this driver did not write. */
function keyOf(parts: readonly string[]): string | undefined {
  try {
    return parts.map(decodeURIComponent).join(':');
  } catch {
    return undefined;
  }
}
