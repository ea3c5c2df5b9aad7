import type { LoaderContext } from 'astro/loaders';
import { createEmulator, type Seed } from '../../../src/emulator/index.ts';
import { defineSpace } from '../../../src/index.ts';
import { AstroStore, type StoredEntry } from '../../histories/astro-store.ts';
import { CacheStorage } from '../../histories/storage.ts';

type Options = Record<string, unknown>;

/** The options of loaders, by collection. */
export type SiteCollections = Record<string, { readonly model: string } & Options>;

interface BuildOptions {
  /** Of the space. */
  readonly space?: Options;
  readonly context?: Partial<LoaderContext>;
  /** Default: what the last build stored. */
  readonly store?: AstroStore;
}

let sites = 0;

/** A site with several collections. Each build is a new process, with the cache and the store of the last one. */
export function openTestSite(
  models: object,
  contents: readonly ({ readonly id: number; readonly model: string } & Options)[],
  media: readonly Options[] = [],
  more: Partial<Seed> = {},
) {
  const seed = {
    languages: { main: 'ja', sub: ['en'] },
    keys: [
      { key: 'published', reads: 'published' },
      { key: 'drafts', reads: 'drafts' },
    ],
    models,
    media,
    contents: contents.map(({ id, model, published, draft, space, ...values }) => ({
      id,
      model,
      created_at: new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString(),
      published: published ?? (draft ? undefined : { ja: values }),
      ...(draft !== undefined && { draft }),
      ...(space !== undefined && { space }),
    })),
    ...more,
  };
  const service = createEmulator(seed as unknown as Seed, {
    origin: `http://test-site-${++sites}.test`,
    rateLimit: false,
  });
  service.clock.set(Date.UTC(2026, 0, 20));
  const cache = new CacheStorage();
  const lastStore = new AstroStore();

  /** Gives what was logged, with the errors of collections. */
  async function build(
    collections: SiteCollections,
    { space: spaceOptions = {}, context = {}, store = lastStore }: BuildOptions = {},
  ): Promise<string[]> {
    const { storage, end } = cache.open();
    const space = defineSpace({
      baseUrl: service.baseUrl,
      apiKey: 'published',
      draftApiKey: 'drafts',
      languages: seed.languages,
      models,
      network: { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0, concurrency: 1 },
      fetch: service.fetch,
      clock: { now: () => service.clock.now(), sleep },
      cache: { storage },
      ...spaceOptions,
    } as never);
    const lines: string[] = [];
    const results = await Promise.allSettled(
      Object.entries(collections).map(([name, { model, ...options }]) =>
        space
          .loader(model as never, options as never)
          .load({ ...store.context(name, (line) => lines.push(line)), ...context }),
      ),
    );
    end();
    const errors = results.flatMap((result) => (result.status === 'rejected' ? String(result.reason) : []));
    return [...lines, ...errors];
  }

  return {
    service,
    build,
    /** A build without a cache, into an empty store. */
    async buildAnew(collections: SiteCollections, { space = {}, context = {} }: BuildOptions = {}) {
      const store = new AstroStore();
      const lines = await build(collections, { space: { ...space, cache: false }, context, store });
      return { lines, entries: (collection: string) => entriesOf(store, collection) };
    },
    entries: (collection: string) => entriesOf(lastStore, collection),
    /** Changes a byte of everything in the cache but its manifests. */
    damageSegments: () => cache.damage((key) => key.includes(':segment:')),
  };
}

/** Delays before retries are over at once; no request takes so long that it is aborted. */
async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (milliseconds > 10_000) await new Promise(() => {});
}

function entriesOf(store: AstroStore, collection: string): Record<string, StoredEntry> {
  return Object.fromEntries(store.entries(collection));
}
