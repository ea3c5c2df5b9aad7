import type { LiveLoader } from 'astro/loaders';
import type { Storage } from 'unstorage';
import { defineSpace } from '../../../../../src/index.ts';
import type { Duration } from '../../../../../src/space/duration.ts';
import { MODELS } from '../../../../support/emulated-space.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test compares whatever is returned
export type AnyLiveLoader = LiveLoader<any, any, any, Error>;

/** What a server shows: entries by collection and id, without their hints. */
export type Shown = Record<string, Record<string, unknown>>;

/** The site that all servers serve. `timeout`: milliseconds for a request; short, if the service stalls. */
export function openFleetSpace(options: {
  readonly baseUrl: string;
  readonly storage: Storage;
  readonly refresh: Duration;
  readonly stale?: Duration | undefined;
  readonly timeout?: number | undefined;
}) {
  const { baseUrl, storage, refresh, stale, timeout = 15_000 } = options;
  const space = defineSpace({
    baseUrl,
    apiKey: 'published',
    models: MODELS,
    cache: { storage },
    ...(stale !== undefined && { onError: { stale } }),
    // Few requests in parallel, so that a check reads the heads and not everything.
    network: { concurrency: 1, retries: 1, timeout, requestsPerMinute: Number.POSITIVE_INFINITY },
  });
  const live = { refresh } as const;
  const loaders: Record<string, AnyLiveLoader> = {
    articles: space.liveLoader('article', { ...live, depth: 1 }) as AnyLiveLoader,
    authors: space.liveLoader('author', live) as AnyLiveLoader,
    events: space.liveLoader('event', live) as AnyLiveLoader,
  };
  return { space, loaders };
}

export interface Loaded {
  readonly shown: Shown;
  /** The digests of all entries by their tags. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Everything that a site shows. Throws what a page would get. */
export async function loadAll(loaders: Readonly<Record<string, AnyLiveLoader>>): Promise<Loaded> {
  const shown: Shown = {};
  const digests = new Map<string, string>();
  for (const [collection, loader] of Object.entries(loaders)) {
    const result = await loader.loadCollection({ filter: { order: '_id' }, collection } as never);
    if ('error' in result) throw result.error;
    shown[collection] = {};
    for (const { cacheHint, ...entry } of result.entries) {
      shown[collection][entry.id] = entry;
      const tag = cacheHint?.tags?.find((one) => one.startsWith('luid:entry:'));
      digests.set(String(tag), String((entry as { digest?: string }).digest));
    }
  }
  return { shown, digests };
}
