import type { Storage } from 'unstorage';
import { vi } from 'vitest';
import type { LazyLiveSource } from '../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../src/astro/live/live-sources.ts';
import { createEmulator, type Emulator } from '../../src/emulator/index.ts';
import { defineSpace } from '../../src/index.ts';
import type { AnyLiveLoader } from '../astro/live/from-replica/fleet/fleet-space.ts';
import { MODELS, seedOf } from './emulated-space.ts';

let spaces = 0;

/** A service whose clock is that of the servers. */
export function openLiveService(count = 40): Emulator {
  return createEmulator(seedOf(count), {
    origin: `http://live-servers-${++spaces}.test`,
    rateLimit: false,
    clock: () => Date.now(),
  });
}

export interface LiveServer {
  /** The title of an article, or the error that a page gets. */
  title(id?: string): Promise<string>;
  /** Whether a page is told that the content could not be checked. */
  isStale(): Promise<boolean>;
  readonly source: LazyLiveSource;
  /** How many requests it has sent. */
  readonly requests: () => number;
}

/** A server that shows the articles of a service, and shares a storage with others. */
export function startLiveServer(
  service: Emulator,
  storage: Storage,
  { refresh, ...options }: { readonly refresh: number } & Record<string, unknown>,
): LiveServer {
  let requests = 0;
  const known = new Set(liveSources().all());
  const space = defineSpace({
    baseUrl: service.baseUrl,
    apiKey: 'published',
    models: MODELS,
    cache: { storage },
    network: { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0, concurrency: 1 },
    fetch: (async (...request: [Request]) => {
      requests += 1;
      return service.fetch(...request);
    }) as typeof fetch,
    ...options,
  } as never);
  const loader = space.liveLoader('article' as never, { refresh } as never) as AnyLiveLoader;
  const load = async (id: string) => {
    const result = await loader.loadEntry({ filter: { id }, collection: 'articles' } as never);
    if (!result) throw new Error(`There is no article ${id}`);
    return result;
  };
  return {
    requests: () => requests,
    source: liveSources()
      .all()
      .find((one) => !known.has(one)) as LazyLiveSource,
    async title(id = '2') {
      const result = await load(id);
      return 'error' in result ? String(result.error) : (result.data as { title: string }).title;
    },
    async isStale() {
      const result = await load('2');
      return !('error' in result) && (result.cacheHint?.tags ?? []).includes('luid:stale');
    },
  };
}

/** Closes all servers: for `afterEach`. */
export function closeLiveServers(): void {
  for (const source of liveSources().all()) (source as LazyLiveSource).close();
}

/** Sets the clock of service and servers forward. Needs fake timers of `Date`. */
export const advance = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
