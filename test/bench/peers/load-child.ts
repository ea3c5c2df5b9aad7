/** Runs a loader once with Astro's content layer, in a separate process as in a build. */
import { Session } from 'node:inspector/promises';
import { pathToFileURL } from 'node:url';
import type { Loader } from 'astro/loaders';
import { type Area, byFile, byFunction, GARBAGE, sumByArea, WAITING } from '../cpu-areas.ts';
import { compareStore, countStore, type StoreComparison } from './compare-store.ts';
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
  /** How many authors the articles have. */
  readonly authors?: number | undefined;
  /** Whether to profile it, which makes it slower. */
  readonly isProfiled?: boolean | undefined;
  /** Megabytes of heap. Then the store is only counted, not compared or saved: that would need more. */
  readonly heap?: number | undefined;
}

export interface LoadResult {
  readonly ms: number;
  /** Milliseconds in Astro's store, part of `ms`. */
  readonly storeMs: number;
  /** Milliseconds of CPU time, user and system. */
  readonly cpu: number;
  /** Peak memory in bytes, above that of the process before the load. */
  readonly peak: number;
  readonly ended: 'completed' | 'failed' | 'timeout';
  readonly error?: string | undefined;
  readonly comparison: StoreComparison;
  readonly profile?: LoadProfile | undefined;
}

/** Where the time of a load goes, and what its memory is at its peak. */
export interface LoadProfile {
  readonly areas: readonly [area: string, ms: number][];
  /** Bytes: of objects, and outside of V8's heap. */
  readonly memory: { readonly heap: number; readonly external: number };
}

const AREAS: readonly Area[] = [
  WAITING,
  GARBAGE,
  ['loading modules', byFile(/^node:internal\/(?:modules|bootstrap)/)],
  ['SHA-256', (name, url) => name === 'hash' && url.startsWith('node:')],
  ['reading and writing files', byFile(/node:(?:internal\/)?fs|unstorage/)],
  ['reading and writing files', byFunction(/^(?:openFileHandle|read|fstat|close|createUnsafeBuffer)$/)],
  ['Astro’s content layer and store', byFile(/devalue|neotraverse|astro\/dist\/content\//)],
  ['requests and their JSON', byFile(/undici|dist\/client\/all/)],
  ['the replica', byFile(/dist\/replica\/all/)],
  ['entries', byFile(/dist\/entries\/all|dist\/models\/all|dist\/chunks\/|\/zod\/|xxhash/)],
];

process.on('disconnect', () => process.exit());
const task = JSON.parse(process.argv[2] ?? '{}') as LoadTask;
const peer = await importPeer(task.name);
const { loader, schema } = await peer.open(task.url, task.key);
let measured = { ms: 0, storeMs: 0, cpu: 0, peak: 0 };
let profile: LoadProfile | undefined;
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
const comparison = task.heap
  ? countStore(peer, layer.entries(), task)
  : compareStore(peer, layer.entries(), task);
if (result.ended === 'completed' && !task.heap) layer.save();
process.send?.({ ...measured, ...result, comparison, profile } satisfies LoadResult, () => process.exit());

async function measure(...[context]: Parameters<Loader['load']>): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = 0;
  let memory = { heap: 0, external: 0 };
  const sampleMemory = () => {
    const now = process.memoryUsage.rss() - before;
    if (now <= peak) return;
    peak = now;
    if (!task.isProfiled) return;
    const { heapTotal: heap, external } = process.memoryUsage();
    memory = { heap, external };
  };
  const endProfile = task.isProfiled ? await startProfile() : undefined;
  const sampling = setInterval(sampleMemory, 20);
  const store = timeCalls(context.store);
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const read = () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    return { ms: performance.now() - start, storeMs: store.ms(), cpu: (user + system) / 1000, peak };
  };
  const timer = setTimeout(() => {
    measured = { ...read(), ms: task.timeout };
    abort({ ended: 'timeout' });
  }, task.timeout);
  try {
    await loader.load({ ...context, store: store.timed });
  } finally {
    clearTimeout(timer);
    clearInterval(sampling);
    sampleMemory();
    measured = read();
    if (endProfile) profile = { areas: await endProfile(), memory };
  }
}

async function startProfile(): Promise<() => Promise<LoadProfile['areas']>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  // Starting and stopping takes longer than some loads.
  const now = () => Number(process.hrtime.bigint() / 1000n);
  const from = now();
  return async () => {
    const to = now();
    return sumByArea((await session.post('Profiler.stop')).profile, AREAS, { from, to });
  };
}

/** The same object, and how long its methods took so far. */
function timeCalls<T extends object>(object: T): { timed: T; ms: () => number } {
  let ms = 0;
  const timed = Object.fromEntries(
    Object.entries(object).map(([name, method]) => [
      name,
      typeof method !== 'function'
        ? method
        : (...args: unknown[]) => {
            const start = performance.now();
            try {
              return method.apply(object, args);
            } finally {
              ms += performance.now() - start;
            }
          },
    ]),
  ) as T;
  return { timed, ms: () => ms };
}
