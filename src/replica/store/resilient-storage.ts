import { createStorage, type Driver, type Storage } from 'unstorage';
import { GuardedStorage } from './guarded-storage.ts';
import type { SegmentBody } from './segments/segments.ts';
import { textOf } from './snapshot-names.ts';

/** A storage that keeps what a server needs in memory. */
export interface ResilientStorage {
  readonly storage: Storage;
  /** Frees the memory of all segments but these. */
  keepSegments(hashes: ReadonlySet<string>): void;
}

const MANIFEST = ':manifest:';
const SEGMENT = ':segment:';
const CONCURRENT_WRITES = 16;

/**
 * Puts memory in front of a storage, so that a server can go on while the storage is not reachable: manifests and
 * segments are read and written there first. What could not be stored is stored later, segments before the manifests
 * that refer to them; and everything is stored again if the storage was emptied.
 */
export function resilientStorage(backing: Storage, timeLimit?: number): ResilientStorage {
  const guarded = new GuardedStorage(backing, timeLimit);
  const memory = new Map<string, Uint8Array>();
  const unstored = new Set<string>();
  const isKept = (key: string) => key.includes(MANIFEST) || key.includes(SEGMENT);
  const inMemory = (base: string) => [...memory.keys()].filter((key) => key.startsWith(base));

  let flushing: Promise<void> | undefined;
  /** Stores what is missing. Stops at the first failure. */
  async function flush(): Promise<void> {
    // With nothing to store, `storeMissing` would end before its promise is assigned.
    if (unstored.size === 0) return;
    flushing ??= storeMissing();
    await flushing;
  }

  async function storeMissing(): Promise<void> {
    try {
      while (unstored.size > 0) {
        const segments = [...unstored].filter((key) => !key.includes(MANIFEST));
        const next = segments.length > 0 ? segments.slice(0, CONCURRENT_WRITES) : [...unstored].slice(0, 1);
        await Promise.all(next.map(store));
      }
    } finally {
      // Without a gap after the last look at `unstored`: what is added from now on is stored by the next call.
      flushing = undefined;
    }
  }

  async function store(key: string): Promise<void> {
    const bytes = memory.get(key);
    if (bytes) await guarded.call((storage) => storage.setItemRaw(key, decode(bytes)));
    unstored.delete(key);
  }

  /** Compares what is stored with what is in memory. */
  function noteManifests(base: string, stored: readonly string[]): void {
    const known = inMemory(base);
    if (stored.length === 0 && known.length > 0) {
      for (const key of memory.keys()) unstored.add(key);
      return;
    }
    // Others were removed by another server.
    const names = new Set(stored);
    for (const key of known) if (!names.has(key) && !unstored.has(key)) memory.delete(key);
  }

  const driver: Driver = {
    name: 'astro-luid-resilient',
    hasItem: async (key) => memory.has(key) || guarded.call((storage) => storage.hasItem(key)),
    getItem: (key) => guarded.call((storage) => storage.getItem(key)),
    async getItemRaw(key) {
      const known = memory.get(key);
      if (known) return known;
      const raw = await guarded.call((storage) => storage.getItemRaw<SegmentBody>(key));
      if (!isKept(key)) return raw;
      const bytes = raw instanceof Uint8Array ? raw : encode(textOf(raw));
      if (bytes) memory.set(key, bytes);
      return bytes ?? null;
    },
    setItem: (key, value) => guarded.call((storage) => storage.setItem(key, value)),
    async setItemRaw(key, value: SegmentBody) {
      const text = textOf(value) ?? '';
      if (!isKept(key)) return guarded.call((storage) => storage.setItemRaw(key, text));
      memory.set(key, encode(text) as Uint8Array);
      unstored.add(key);
      // What fails is stored after the next read of the manifests.
      await flush().catch(() => {});
    },
    async removeItem(key) {
      memory.delete(key);
      unstored.delete(key);
      const removing = guarded.call((storage) => storage.removeItem(key));
      // The next commit removes what is still stored.
      await (isKept(key) ? removing.catch(() => {}) : removing);
    },
    async getKeys(base = '') {
      let stored: readonly string[];
      try {
        stored = await guarded.call((storage) => storage.getKeys(base));
      } catch {
        return inMemory(base);
      }
      if (base.endsWith(MANIFEST)) noteManifests(base, stored);
      const missing = [...unstored].filter((key) => key.startsWith(base));
      await flush().catch(() => {});
      return [...new Set([...stored, ...missing.filter((key) => memory.has(key))])];
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
