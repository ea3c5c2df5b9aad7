/** Runs a loader once with Astro's content layer, in a separate process as in a build. */
import { pathToFileURL } from 'node:url';
import type { Loader } from 'astro/loaders';
import { compareStore, type StoreComparison } from './compare-store.ts';
import { openLayer } from './content-layer.ts';
import type { Change } from './dataset.ts';
import { importPeer, type PeerName } from './peer.ts';

export interface LoadTask {
  readonly name: PeerName;
  readonly url: string;
  readonly key: string;
  readonly size: number;
  /** All changes to the content so far, and how many of them were made before the last correct load. */
  readonly changes: readonly Change[];
  readonly known: number;
  /** The folder of the site's store and cache. */
  readonly folder: string;
  /** `site` of Astro's config: another value is a changed config. */
  readonly site: string;
  /** Milliseconds after which the load is aborted. */
  readonly timeout: number;
}

export interface LoadResult {
  readonly ms: number;
  /** Peak memory in bytes, above that of the process before the load. */
  readonly peak: number;
  readonly ended: 'completed' | 'failed' | 'timeout';
  readonly error?: string | undefined;
  readonly comparison: StoreComparison;
}

process.on('disconnect', () => process.exit());
const task = JSON.parse(process.argv[2] ?? '{}') as LoadTask;
const peer = await importPeer(task.name);
const { loader, schema } = await peer.open(task.url, task.key);
let measured = { ms: 0, peak: 0 };
const { promise: timedOut, resolve: abort } = Promise.withResolvers<{ ended: 'timeout' }>();
const layer = await openLayer({
  folder: pathToFileURL(`${task.folder}/`),
  site: task.site,
  loader: { ...loader, load: measure },
  schema,
});

const sync = layer.sync().then(
  () => ({ ended: 'completed' as const }),
  (error: Error) => ({ ended: 'failed' as const, error: error.message.split('\n')[0] }),
);
const result = await Promise.race([sync, timedOut]);
const comparison = compareStore(peer, layer.entries(), task);
if (result.ended === 'completed') layer.save();
process.send?.({ ...measured, ...result, comparison } satisfies LoadResult, () => process.exit());

async function measure(...[context]: Parameters<Loader['load']>): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = 0;
  const sampleMemory = () => {
    peak = Math.max(peak, process.memoryUsage.rss() - before);
  };
  const sampling = setInterval(sampleMemory, 20);
  const start = performance.now();
  const timer = setTimeout(() => {
    measured = { ms: task.timeout, peak };
    abort({ ended: 'timeout' });
  }, task.timeout);
  try {
    await loader.load(context);
  } finally {
    const ms = performance.now() - start;
    clearTimeout(timer);
    clearInterval(sampling);
    sampleMemory();
    measured = { ms, peak };
  }
}
