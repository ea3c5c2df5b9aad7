import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Loader } from 'astro/loaders';

/** Astro's own content layer and data store, without Vite: a loader gets the same context as in `astro build`. */
export interface Layer {
  sync(): Promise<void>;
  entries(): Entry[];
  /** Stores the entries for the next process. Astro itself would also save during the load, after half a second. */
  save(): void;
}

export interface Entry {
  readonly id: string;
  readonly data: never;
}

export interface LayerOptions {
  readonly folder: URL;
  readonly site: string;
  readonly loader: Loader;
  readonly schema?: unknown;
}

const COLLECTION = 'articles';
const DIST = new URL('./dist/', import.meta.resolve('astro/package.json')).href;

export async function openLayer({ folder, site, loader, schema }: LayerOptions): Promise<Layer> {
  const { ContentLayer } = await importInternal('content/content-layer.js');
  const { MutableDataStore } = await importInternal('content/mutable-data-store.js');
  const { AstroLogger } = await importInternal('core/logger/core.js');
  const file = new URL('data-store.json', folder);
  const store = existsSync(file)
    ? await MutableDataStore.fromString(readFileSync(file, 'utf8'))
    : new MutableDataStore();
  const collections = { [COLLECTION]: { type: 'content_layer', loader, ...(schema ? { schema } : {}) } };
  const layer = new ContentLayer({
    store,
    logger: new AstroLogger({ level: 'silent', destination: { write: () => true } }),
    settings: {
      config: { root: folder, cacheDir: folder, site, experimental: {}, legacy: {} },
      dotAstroDir: folder,
      contentEntryTypes: [],
      dataEntryTypes: [],
    },
    contentConfigObserver: {
      get: () => ({ status: 'loaded', config: { collections, digest: 'unchanged' } }),
    },
  });
  return {
    sync: () => layer.sync(),
    entries: () => store.values(COLLECTION),
    save() {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, store.toString());
    },
  };
}

/** Astro does not export these modules, so they have no types. */
async function importInternal(path: string): Promise<Internals> {
  return import(DIST + path);
}

interface Internals {
  ContentLayer: new (options: object) => Pick<Layer, 'sync'>;
  AstroLogger: new (options: object) => object;
  MutableDataStore: { new (): Store; fromString(text: string): Promise<Store> };
}

interface Store {
  values(collection: string): Entry[];
  toString(): string;
}
