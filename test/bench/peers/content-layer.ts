import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Loader } from 'astro/loaders';

/**
 * Astro's content layer and data store themselves, without Vite around them: what a loader gets is what it
 * gets in `astro build`.
 */
export interface Layer {
  sync(): Promise<void>;
  entries(): Entry[];
  /** Keeps the store for the next process. Astro would do it half a second into a load too, while others wait. */
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
  const { ContentLayer } = await internal('content/content-layer.js');
  const { MutableDataStore } = await internal('content/mutable-data-store.js');
  const { AstroLogger } = await internal('core/logger/core.js');
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
      get: () => ({ status: 'loaded', config: { collections, digest: 'the same' } }),
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

/** Astro exports none of these, so they are untyped here. */
async function internal(path: string): Promise<Internals> {
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
