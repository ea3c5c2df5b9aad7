import { createStorage, type Driver, type Storage } from 'unstorage';
import { textOf } from './snapshot-names.ts';

/** A storage that keeps what a server needs in memory. */
export interface ResilientStorage {
  readonly storage: Storage;
  /** Frees the memory of all segments but these. */
  keepSegments(hashes: ReadonlySet<string>): void;
}

const MANIFEST = ':manifest:';
const SEGMENT = ':segment:';

/**
 * Puts memory in front of a storage, so that a server can go on while the storage is not reachable: manifests and
 * segments are read and written there first. What could not be stored is stored later, segments before the manifests
 * that refer to them; and everything is stored again if the storage was emptied.
 */
export function resilientStorage(backing: Storage): ResilientStorage {
  const memory = new Map<string, Uint8Array>();
  const unstored = new Set<string>();
  const isKept = (key: string) => key.includes(MANIFEST) || key.includes(SEGMENT);

  /** Stores what is missing. Stops at the first failure. */
  async function flush(): Promise<void> {
    const keys = [...unstored].sort((a, b) => Number(a.includes(MANIFEST)) - Number(b.includes(MANIFEST)));
    for (const key of keys) {
      const bytes = memory.get(key);
      if (bytes) await backing.setItemRaw(key, decode(bytes));
      unstored.delete(key);
    }
  }

  const driver: Driver = {
    name: 'astro-luid-resilient',
    hasItem: async (key) => memory.has(key) || backing.hasItem(key),
    getItem: (key) => backing.getItem(key),
    async getItemRaw(key) {
      const known = memory.get(key);
      if (known) return known;
      const raw: unknown = await backing.getItemRaw(key);
      if (!isKept(key)) return raw;
      const bytes = raw instanceof Uint8Array ? raw : encode(textOf(raw));
      if (bytes && key.includes(SEGMENT)) memory.set(key, bytes);
      return bytes ?? null;
    },
    setItem: (key, value) => backing.setItem(key, value),
    async setItemRaw(key, value: unknown) {
      const text = textOf(value) ?? '';
      if (!isKept(key)) return backing.setItemRaw(key, text);
      memory.set(key, encode(text) as Uint8Array);
      unstored.add(key);
      // A failure shows at the next read, and what is missing is stored then.
      await flush().catch(() => {});
    },
    async removeItem(key) {
      memory.delete(key);
      unstored.delete(key);
      await backing.removeItem(key).catch(() => {});
    },
    async getKeys(base = '') {
      const inMemory = [...memory.keys()].filter((key) => key.startsWith(base));
      try {
        const stored = await backing.getKeys(base);
        const wasEmptied = base.endsWith('manifest:') && stored.length === 0 && inMemory.length > 0;
        if (wasEmptied) for (const key of memory.keys()) unstored.add(key);
        await flush();
        return [...new Set([...stored, ...inMemory.filter((key) => wasEmptied || unstored.has(key))])];
      } catch {
        return inMemory;
      }
    },
  };
  return {
    storage: createStorage({ driver }),
    keepSegments(hashes) {
      for (const key of memory.keys()) {
        const isUsed = !key.includes(SEGMENT) || hashes.has(key.slice(key.lastIndexOf(':') + 1));
        if (!isUsed && !unstored.has(key)) memory.delete(key);
      }
    },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const decode = (bytes: Uint8Array) => decoder.decode(bytes);
const encode = (text: string | undefined) => (text === undefined ? undefined : encoder.encode(text));
