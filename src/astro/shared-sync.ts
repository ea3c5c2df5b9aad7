import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { openReplica, type Replica } from '../replica/replica.ts';
import { milliseconds } from './settings.ts';
import type { Space } from './space.ts';

export interface Which {
  readonly drafts: boolean;
  /** Absent: the main language. */
  readonly lang: string | undefined;
}

/** Astro starts all loaders at once: those of one space and key share one sync of each language. */
const running = new WeakMap<object, Map<string, Promise<Replica>>>();

export function sharedSync(space: Space, which: Which, context: LoaderContext): Promise<Replica> {
  const syncs = running.get(space) ?? new Map<string, Promise<Replica>>();
  running.set(space, syncs);
  const name = `${which.drafts} ${which.lang ?? ''}`;
  const known = syncs.get(name);
  if (known) return known;
  const started = start(space, which, context).finally(() => syncs.delete(name));
  syncs.set(name, started);
  return started;
}

async function start(space: Space, which: Which, context: LoaderContext): Promise<Replica> {
  const { cache = {}, onError = 'fail', verify = {}, space: subSpace } = space.settings;
  // What changed in the main language is read again in the others.
  const main =
    which.lang === undefined ? undefined : await sharedSync(space, { ...which, lang: undefined }, context);
  return openReplica({
    connect: space.connect({ drafts: which.drafts }),
    models: space.models,
    space: subSpace,
    lang: which.lang,
    cache,
    cacheDir: fileURLToPath(new URL('astro-luid', context.config.cacheDir)),
    maxAge:
      verify === 'always'
        ? 0
        : milliseconds(verify.maxAge ?? (which.drafts ? '10min' : '24h'), 'verify.maxAge'),
    audit: verify === 'always' || process.env.LUID_VERIFY === '1',
    offline: process.env.LUID_OFFLINE === '1',
    staleFor: staleFor(onError),
    touched: main?.touched ?? [],
    logger: context.logger,
  });
}

function staleFor(onError: NonNullable<Space['settings']['onError']>): number | undefined {
  if (onError === 'fail') return undefined;
  return onError === 'stale' ? Number.POSITIVE_INFINITY : milliseconds(onError.stale, 'onError.stale');
}
