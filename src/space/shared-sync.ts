import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { ageSince, ageText } from '../replica/age.ts';
import { openReplica, type Replica } from '../replica/replica.ts';
import { auditCacheDir, auditedReplica } from './audited-content.ts';
import { type ContentView, viewLogger } from './content-view.ts';
import { replicaOptions } from './replica-options.ts';
import type { RunningSpace } from './space.ts';

/** Syncs a view. Astro starts all loaders at once: those that need the same view share one sync. */
export function sharedSync(space: RunningSpace, view: ContentView, context: LoaderContext): Promise<Replica> {
  return space.runtime.sync(view, () => startSync(space, view, context));
}

async function startSync(space: RunningSpace, view: ContentView, context: LoaderContext): Promise<Replica> {
  // Items that changed in the main language are read again in the others.
  const main =
    view.lang === undefined ? undefined : await sharedSync(space, { ...view, lang: undefined }, context);
  const logger = viewLogger(context.logger, view, space.settings.languages?.main);
  const options = {
    ...(await replicaOptions(space, view, { cacheDir: cacheDirOf(context), main, logger })),
    ...(auditCacheDir() !== undefined && { cache: {} }),
    // Entries are made meanwhile; each load waits for it in the end.
    storeInBackground: true,
    // A dev server starts with cached content; a build must not publish stale content unless `onError` allows it.
    onUnavailable: context.watcher ? ('use the cache' as const) : { hint: BUILD_WITHOUT_SERVICE },
  };
  const replica = await openReplica(options);
  // Once per key: the other languages are as old as the main one.
  if (options.offline && !main)
    logger.warn(offlineLine(space, view, ageSince(replica.readAt ?? 0, Date.now())));
  return auditedReplica(space, view, replica);
}

/** The folder for our files in Astro's cache. */
export function cacheDirOf({ config }: LoaderContext): string {
  return auditCacheDir() ?? fileURLToPath(new URL('astro-luid', config.cacheDir));
}

function offlineLine({ settings }: RunningSpace, { drafts }: ContentView, age: number): string {
  const content = `${drafts ? 'drafts' : 'content'}${settings.space === undefined ? '' : ` of ${settings.space}`}`;
  return `offline (LUID_OFFLINE): using cached ${content}, at most ${ageText(age)}`;
}

const BUILD_WITHOUT_SERVICE =
  'There is cached content: `LUID_OFFLINE=1` builds with it once, `onError: "stale"` whenever the service is unavailable.';
