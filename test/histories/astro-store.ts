import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { LoaderContext } from 'astro/loaders';

export interface StoredEntry {
  readonly id: string;
  readonly digest?: string | undefined;
  readonly data: Record<string, unknown>;
}

type Collection = { readonly entries: Map<string, StoredEntry>; readonly meta: Map<string, string> };

/** Astro's store between builds. As Astro's own, it keeps an entry whose digest is the same. */
export class AstroStore {
  #collections = new Map<string, Collection>();

  entries(collection: string): ReadonlyMap<string, StoredEntry> {
    return this.#collection(collection).entries;
  }

  copy(): AstroStore {
    const copy = new AstroStore();
    for (const [name, { entries, meta }] of this.#collections) {
      copy.#collections.set(name, { entries: new Map(entries), meta: new Map(meta) });
    }
    return copy;
  }

  /** What Astro passes to the loader of a collection. */
  context(collection: string, log: (line: string) => void): LoaderContext {
    const { entries, meta } = this.#collection(collection);
    return {
      collection,
      store: {
        get: (id: string) => entries.get(id),
        has: (id: string) => entries.has(id),
        keys: () => [...entries.keys()],
        values: () => [...entries.values()],
        entries: () => [...entries.entries()],
        delete: (id: string) => void entries.delete(id),
        clear: () => entries.clear(),
        set: (entry: StoredEntry) => {
          if (entry.digest && entries.get(entry.id)?.digest === entry.digest) return false;
          entries.set(entry.id, entry);
          return true;
        },
      },
      meta: {
        get: (key: string) => meta.get(key),
        set: (key: string, value: string) => void meta.set(key, value),
        has: (key: string) => meta.has(key),
        delete: (key: string) => void meta.delete(key),
      },
      logger: { info: log, warn: log, error: log, debug: log },
      config: { cacheDir: pathToFileURL('/nowhere/') },
      parseData: async ({ data }: { data: unknown }) => data,
      renderMarkdown: async (html: string) => ({ html }),
      generateDigest: (data: unknown) =>
        createHash('sha1')
          .update(typeof data === 'string' ? data : JSON.stringify(data))
          .digest('hex'),
    } as unknown as LoaderContext;
  }

  #collection(name: string): Collection {
    const known = this.#collections.get(name) ?? { entries: new Map(), meta: new Map() };
    this.#collections.set(name, known);
    return known;
  }
}
