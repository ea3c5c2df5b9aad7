import { join } from 'node:path';
import { openStorage } from '../../src/replica/store/storage.ts';
import type { BuildProcessOptions, LoadResult } from './build-process.ts';
import { interceptStorage } from './failing-storage.ts';
import { createSpace, type Line, loadAll, MutableDataStore } from './load-collections.ts';

// A site in a process of its own. It loads whenever it is sent the time.
const { baseUrl, key, dir, concurrency, killAt } = JSON.parse(process.argv[2] ?? '{}') as BuildProcessOptions;
const store = new MutableDataStore();

let writes = 0;
const folder = openStorage({}, join(dir, 'astro-luid'));
const storage = interceptStorage(
  folder,
  (work) => work(),
  async (work) => {
    const isLast = ++writes === killAt?.write;
    if (isLast && !killAt?.isDone) process.kill(process.pid, 'SIGKILL');
    await work();
    if (isLast) process.kill(process.pid, 'SIGKILL');
  },
);

process.on('message', async (now: number) => {
  const lines: Line[] = [];
  const space = createSpace({
    baseUrl,
    apiKey: key,
    cache: { storage },
    network: { concurrency, retries: 0 },
    clock: { now: () => now, sleep: () => new Promise(() => {}) },
  });
  const error = await loadAll(space, store, dir, (line) => lines.push(line)).then(
    () => undefined,
    (reason: unknown) => String(reason),
  );
  const result: LoadResult = { ...(error !== undefined && { error }), store: store.toString(), lines };
  process.send?.(result);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
