/** One load, in a process of its own as in a build: Astro's own content layer runs the loader once. */
import { pathToFileURL } from 'node:url';
import type { Loader } from 'astro/loaders';
import { openLayer } from './content-layer.ts';
import type { Change } from './corpus.ts';
import { judge, type Verdict } from './judge.ts';
import { type PeerName, peerOf } from './peer.ts';

export interface LoadOrder {
  readonly name: PeerName;
  readonly url: string;
  readonly key: string;
  readonly size: number;
  /** What was done to the content, and how much of it before the last good load. */
  readonly changes: readonly Change[];
  readonly known: number;
  /** Where the site's cache lies. */
  readonly folder: string;
  /** Part of Astro's configuration, so that another one is a changed configuration. */
  readonly site: string;
  /** Milliseconds after which the load is given up. */
  readonly limit: number;
}

export interface Loaded {
  readonly ms: number;
  /** Bytes of memory over what the process held before. */
  readonly peak: number;
  readonly ended: 'well' | 'failed' | 'too long';
  readonly error?: string | undefined;
  readonly verdict: Verdict;
}

process.on('disconnect', () => process.exit());
const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder;
const peer = await peerOf(order.name);
const { loader, schema } = await peer.open(order.url, order.key);
let measured = { ms: 0, peak: 0 };
const { promise: late, resolve: giveUp } = Promise.withResolvers<{ ended: 'too long' }>();
const layer = await openLayer({
  folder: pathToFileURL(`${order.folder}/`),
  site: order.site,
  loader: { ...loader, load: measure },
  schema,
});

const sync = layer.sync().then(
  () => ({ ended: 'well' as const }),
  (error: Error) => ({ ended: 'failed' as const, error: error.message.split('\n')[0] }),
);
const result = await Promise.race([sync, late]);
const verdict = judge(peer, layer.entries(), order);
if (result.ended === 'well') layer.save();
process.send?.({ ...measured, ...result, verdict } satisfies Loaded, () => process.exit());

async function measure(...[context]: Parameters<Loader['load']>): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss() - before);
  };
  const sampling = setInterval(look, 20);
  const start = performance.now();
  const limit = setTimeout(() => {
    measured = { ms: order.limit, peak };
    giveUp({ ended: 'too long' });
  }, order.limit);
  try {
    await loader.load(context);
  } finally {
    const ms = performance.now() - start;
    clearTimeout(limit);
    clearInterval(sampling);
    look();
    measured = { ms, peak };
  }
}
