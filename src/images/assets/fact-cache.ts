import { createHmac } from 'node:crypto';
import type { Storage } from 'unstorage';
import { openCipher } from '../../shared/encryption/content-cipher.ts';
import { factPurpose } from './fact-folders.ts';

export interface FactCache<T> {
  /** All stored facts by URL. Damaged and foreign files are ignored. */
  load(): Promise<Map<string, T>>;
  /** Stores new facts in a file of their own; if there are many files, all that were read are merged into one. */
  add(facts: ReadonlyMap<string, T>): Promise<void>;
}

const MAX_FILES = 8;

/**
 * Facts about assets by URL. The file at a URL never changes, so files are immutable: each is named by the HMAC of
 * its content, and builds that write at the same time do not conflict. The HMAC key is derived from the API key,
 * so only its owners can add files to a shared cache, and the folder, which names the kind of fact. They are encrypted:
 * some of the images may be those of drafts.
 */
export function openFactCache<T>(storage: Storage, apiKey: string, folder: string): FactCache<T> {
  const cipher = openCipher(apiKey);
  const hmacKey = createHmac('sha256', apiKey).update(factPurpose(folder)).digest();
  const hmac = (content: string) => createHmac('sha256', hmacKey).update(content).digest('hex');
  /** The files whose content is in `known`. */
  const files = new Set<string>();
  const known = new Map<string, T>();

  return {
    async load() {
      for (const key of await storage.getKeys(folder)) {
        const name = key.slice(key.lastIndexOf(':') + 1);
        const stored = String((await storage.getItem(`${folder}:${name}`)) ?? '');
        const content = String(cipher.decrypt(stored) ?? '');
        // Another process may also have merged and removed the file meanwhile.
        if (hmac(content) !== name) continue;
        files.add(name);
        for (const [url, fact] of JSON.parse(content)) known.set(url, fact);
      }
      return new Map(known);
    },

    async add(facts) {
      for (const [url, fact] of facts) known.set(url, fact);
      const isMerge = files.size >= MAX_FILES;
      const content = JSON.stringify([...(isMerge ? known : facts)].sort());
      const name = hmac(content);
      // Not after `setItem`: what another call has added by then is not in `content`.
      const merged = isMerge ? [...files].filter((file) => file !== name) : [];
      await storage.setItem(`${folder}:${name}`, cipher.encrypt(content));
      await Promise.all(merged.map((file) => storage.removeItem(`${folder}:${file}`)));
      for (const file of merged) files.delete(file);
      files.add(name);
    },
  };
}
