import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createStorage, type Driver, type Storage } from 'unstorage';

export interface CacheOptions {
  /** Where the cache lies. Default: `astro-luid` in Astro's `cacheDir`. */
  readonly dir?: string | undefined;
  /** Any unstorage Storage, to share the cache between machines. */
  readonly storage?: Storage | undefined;
}

/** The storage that the options name, or a folder. */
export function openStorage(options: CacheOptions, defaultDir: string): Storage {
  return options.storage ?? createStorage({ driver: atomicFolder(options.dir ?? defaultDir) });
}

const PARTIAL = '.partial';
const HOUR = 60 * 60 * 1000;

/**
 * A folder as an unstorage driver. A file is there whole or not at all, whatever happens to the
 * process or the machine: it is written beside its place, forced to disk, and renamed. Files may hold drafts,
 * so only their owner can read them.
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
    try {
      const file = await open(partial, 'wx', 0o600);
      try {
        await file.writeFile(value);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  return {
    name: 'astro-luid-folder',
    hasItem: async (key) => (await readIfThere(pathOf(key))) !== null,
    getItem: async (key) => (await readIfThere(pathOf(key)))?.toString('utf8') ?? null,
    getItemRaw: (key) => readIfThere(pathOf(key)),
    setItem: write,
    setItemRaw: (key, value: string | Uint8Array) => write(key, value),
    removeItem: (key) => rm(pathOf(key), { force: true }),
    // Only the folder that is asked for: the others hold many more files.
    async getKeys(base = '') {
      const folder = join(root, ...base.split(':').filter(Boolean).map(encodeURIComponent));
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nothingThere);
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(PARTIAL))
        .map((entry) => [...entry.parentPath.slice(root.length).split(/[\\/]/), entry.name].filter(Boolean))
        .flatMap((parts) => keyOf(parts) ?? []);
    },
  };
}

/** Removes what processes left behind that were killed. What is young may be another's that is writing. */
async function clearPartials(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const { parentPath, name } of entries.filter((entry) => entry.name.endsWith(PARTIAL))) {
    const path = join(parentPath, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - HOUR) await rm(path, { force: true }).catch(() => {});
  }
}

async function readIfThere(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

function nothingThere(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** A rename lasts once its folder is on disk too. Not every platform can force a folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** The key that a path stands for; `undefined` for a file that was not written here. */
function keyOf(parts: readonly string[]): string | undefined {
  try {
    return parts.map(decodeURIComponent).join(':');
  } catch {
    return undefined;
  }
}
