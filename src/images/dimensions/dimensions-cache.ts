import { createHmac } from 'node:crypto';
import type { Storage } from 'unstorage';
import type { ImageInfo } from './known-dimensions.ts';

export interface DimensionsCache {
  /** All stored dimensions. Damaged and foreign files are ignored. */
  load(): Promise<Map<string, ImageInfo>>;
  /** Stores new dimensions in a file of their own; if there are many files, all that were read are merged into one. */
  add(images: ReadonlyMap<string, ImageInfo>): Promise<void>;
}

const FOLDER = 'sizes-v2';
const MAX_FILES = 8;

/**
 * Image dimensions by URL. The image at a URL never changes, so files are immutable: each is named by the HMAC of
 * its content, and builds that write at the same time do not conflict. The HMAC key is derived from the API key,
 * so only its owners can add files to a shared cache.
 */
export function openDimensionsCache(storage: Storage, apiKey: string): DimensionsCache {
  const hmacKey = createHmac('sha256', apiKey).update('astro-luid cache sizes').digest();
  const hmac = (content: string) => createHmac('sha256', hmacKey).update(content).digest('hex');
  /** The files whose content is in `known`. */
  const files = new Set<string>();
  const known = new Map<string, ImageInfo>();

  return {
    async load() {
      for (const key of await storage.getKeys(FOLDER)) {
        const name = key.slice(key.lastIndexOf(':') + 1);
        const content = String((await storage.getItem(`${FOLDER}:${name}`)) ?? '');
        // Another process may also have merged and removed the file meanwhile.
        if (hmac(content) !== name) continue;
        files.add(name);
        for (const line of content.split('\n')) {
          const [, width, height, format = '', url] = /^(\d+)x(\d+) (\S*) (\S+)$/.exec(line) ?? [];
          if (url) known.set(url, { width: Number(width), height: Number(height), format });
        }
      }
      return new Map(known);
    },

    async add(images) {
      for (const [url, image] of images) known.set(url, image);
      const isMerge = files.size >= MAX_FILES;
      const content = [...(isMerge ? known : images)]
        .map(([url, { width, height, format }]) => `${width}x${height} ${format} ${url}`)
        .sort()
        .join('\n');
      const name = hmac(content);
      await storage.setItem(`${FOLDER}:${name}`, content);
      const merged = isMerge ? [...files].filter((file) => file !== name) : [];
      await Promise.all(merged.map((file) => storage.removeItem(`${FOLDER}:${file}`)));
      for (const file of merged) files.delete(file);
      files.add(name);
    },
  };
}
