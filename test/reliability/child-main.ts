import { join } from 'node:path';
import { openStorage } from '../../src/replica/store/storage.ts';
import type { ChildAnswer, ChildOptions } from './child.ts';
import { type Line, loadAll, MutableDataStore, spaceOf } from './loading.ts';
import { watchedStorage } from './storage.ts';

/** A site in a process of its own: it loads whenever it is told the time. */
const { baseUrl, key, dir, concurrency, diesAt } = JSON.parse(process.argv[2] ?? '{}') as ChildOptions;
const store = new MutableDataStore();

let writes = 0;
const folder = openStorage({}, join(dir, 'astro-luid'));
const storage = watchedStorage(
  folder,
  (work) => work(),
  async (work) => {
    const isLast = ++writes === diesAt?.write;
    if (isLast && !diesAt?.isDone) process.kill(process.pid, 'SIGKILL');
    await work();
    if (isLast) process.kill(process.pid, 'SIGKILL');
  },
);

process.on('message', async (now: number) => {
  const lines: Line[] = [];
  const space = spaceOf({
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
  const answer: ChildAnswer = { ...(error !== undefined && { error }), store: store.toString(), lines };
  process.send?.(answer);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
