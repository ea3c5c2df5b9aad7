import { createConnection } from '../../src/client/http/connection.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { openReplica } from '../../src/replica/open-replica.ts';
import { killAt } from './kill-point.ts';

/** What a sync in a process of its own is started with, as JSON. */
export interface ChildOptions {
  readonly baseUrl: string;
  readonly dir: string;
  readonly models: ModelMap;
  /** The emulator's time, so that the ages in the cache are of one clock. */
  readonly now: number;
  /** Sync once and end, or once for each message, which is the time, and answer with the items. */
  readonly once: boolean;
  /** The request or step of a write at which it kills itself. */
  readonly killedAt?: number;
}

/** A sync in a process of its own, which can be killed. */
const { baseUrl, dir, models, now, once, killedAt } = JSON.parse(process.argv[2] ?? '{}') as ChildOptions;
if (killedAt !== undefined) killAt(killedAt);

async function sync(time: number): Promise<{ items: object; warnings: string[] }> {
  const warnings: string[] = [];
  const found = createConnection({
    baseUrl,
    apiKey: 'published',
    clock: { now: () => time, sleep: () => new Promise(() => {}) },
    network: { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0, concurrency: 1 },
  });
  const replica = await openReplica({
    connect: async () => found,
    models,
    cache: {},
    cacheDir: dir,
    maxAge: 24 * 3600 * 1000,
    logger: { info: () => {}, warn: (line) => warnings.push(line) },
  });
  return { items: Object.fromEntries(await replica.items()), warnings };
}

if (once) await sync(now);
else {
  process.on('message', async (time: number) => {
    try {
      process.send?.(await sync(time));
    } catch (error) {
      process.send?.({ error: String(error) });
    }
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}
