import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { ageSince, ageText } from '../replica/age.ts';
import { openReplica, type Replica } from '../replica/replica.ts';
import { replicaOptions, type Which } from './replica-options.ts';
import type { SpaceCore } from './space.ts';
import { labelled, labelOf } from './sync-label.ts';

/** Astro starts all loaders at once: those of one space and key share one sync of each language. */
const running = new WeakMap<object, Map<string, Promise<Replica>>>();

export function sharedSync(space: SpaceCore, which: Which, context: LoaderContext): Promise<Replica> {
  const syncs = running.get(space) ?? new Map<string, Promise<Replica>>();
  running.set(space, syncs);
  const name = `${which.drafts} ${which.lang ?? ''}`;
  const known = syncs.get(name);
  if (known) return known;
  const started = start(space, which, context).finally(() => syncs.delete(name));
  syncs.set(name, started);
  return started;
}

async function start(space: SpaceCore, which: Which, context: LoaderContext): Promise<Replica> {
  // What changed in the main language is read again in the others.
  const main =
    which.lang === undefined ? undefined : await sharedSync(space, { ...which, lang: undefined }, context);
  const cacheDir = fileURLToPath(new URL('astro-luid', context.config.cacheDir));
  const logger = labelled(context.logger, labelOf(space, which));
  const options = {
    ...(await replicaOptions(space, which, { cacheDir, main, logger })),
    // A dev server starts all the same; a build must not publish old content unasked.
    onUnavailable: context.watcher ? ('use the cache' as const) : { hint: BUILD_WITHOUT_SERVICE },
  };
  const replica = await openReplica(options);
  // Once for a space and a key: the other languages are of the same age.
  if (options.offline && !main)
    logger.warn(offlineLine(space, which, ageSince(replica.readAt ?? 0, Date.now())));
  return replica;
}

function offlineLine({ settings }: SpaceCore, { drafts }: Which, age: number): string {
  const what = `${drafts ? 'drafts' : 'content'}${settings.space === undefined ? '' : ` of ${settings.space}`}`;
  return `offline (LUID_OFFLINE): using cached ${what}, at most ${ageText(age)}`;
}

const BUILD_WITHOUT_SERVICE =
  'There is cached content: `LUID_OFFLINE=1` builds with it once, `onError: "stale"` whenever the service is unavailable.';
