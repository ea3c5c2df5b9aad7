import { createStorage } from 'unstorage';
import fs from 'unstorage/drivers/fs-lite';
import type { AnyLiveLoader } from '../../src/astro/live/live-options.ts';

// Run with the condition `workerd`: the package is what a Worker contains. Each message is a request for an entry.
const { defineSpace } = (await import(
  '../../dist/index.js' as string
)) as typeof import('../../src/index.ts');
const { base, ...options } = JSON.parse(process.argv[2] ?? '{}');
const requested: string[] = [];
const space = defineSpace({
  ...options,
  cache: { storage: createStorage({ driver: fs({ base }) }) },
  fetch: async (...request: Parameters<typeof fetch>) => {
    requested.push(new Request(...request).url);
    return fetch(...request);
  },
});
const loader = space.liveLoader('article' as never, { refresh: '1s' } as never) as unknown as AnyLiveLoader;
process.on('message', async (id) => {
  const loaded = (await loader.loadEntry({ filter: { id }, collection: 'articles' } as never)) as object;
  const error = 'error' in loaded ? String(loaded.error) : undefined;
  process.send?.({ ...loaded, error, requested });
});
