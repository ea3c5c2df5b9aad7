import { createHmac } from 'node:crypto';
import type { Storage } from 'unstorage';
import type { KnownSize } from './known-dimensions.ts';

export interface SizesCache {
  /** All sizes that are stored whole. */
  load(): Promise<Map<string, KnownSize>>;
  /** Stores what was learned; together with what was there before, once that lies in many files. */
  add(sizes: ReadonlyMap<string, KnownSize>): Promise<void>;
}

const FOLDER = 'sizes-v2';
const MOST_FILES = 8;

/**
 * Sizes of pictures by address. The picture at an address never changes, so neither does what is stored:
 * files are named by a signature of what they hold, and two builds that write at once both keep what they
 * learned. The key of the signature is derived from the API key, so nobody else can add sizes to a shared cache.
 */
export function openSizesCache(storage: Storage, apiKey: string): SizesCache {
  const signingKey = createHmac('sha256', apiKey).update('astro-luid cache sizes').digest();
  const signatureOf = (text: string) => createHmac('sha256', signingKey).update(text).digest('hex');
  /** The files whose content is in `known`. */
  const read = new Set<string>();
  const known = new Map<string, KnownSize>();

  return {
    async load() {
      for (const key of await storage.getKeys(FOLDER)) {
        const name = key.slice(key.lastIndexOf(':') + 1);
        const text = String((await storage.getItem(`${FOLDER}:${name}`)) ?? '');
        // One that went since was put together with others by another process.
        if (signatureOf(text) !== name) continue;
        read.add(name);
        for (const line of text.split('\n')) {
          const [, width, height, format = '', url] = /^(\d+)x(\d+) (\S*) (\S+)$/.exec(line) ?? [];
          if (url) known.set(url, { width: Number(width), height: Number(height), format });
        }
      }
      return new Map(known);
    },

    async add(sizes) {
      for (const [url, size] of sizes) known.set(url, size);
      const isMany = read.size >= MOST_FILES;
      const text = [...(isMany ? known : sizes)]
        .map(([url, { width, height, format }]) => `${width}x${height} ${format} ${url}`)
        .sort()
        .join('\n');
      const name = signatureOf(text);
      await storage.setItem(`${FOLDER}:${name}`, text);
      const old = isMany ? [...read].filter((one) => one !== name) : [];
      await Promise.all(old.map((one) => storage.removeItem(`${FOLDER}:${one}`)));
      for (const one of old) read.delete(one);
      read.add(name);
    },
  };
}
