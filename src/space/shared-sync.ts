import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { ageSince, ageText } from '../replica/age.ts';
import type { Content } from '../replica/content/content.ts';
import { openReplica } from '../replica/open-replica.ts';
import type { Replica } from '../replica/replica.ts';
import { auditCacheDir, auditedReplica } from './audited-content.ts';
import { type ContentScope, scopeLogger } from './content-scope.ts';
import { nodeFetch } from './node-fetch.ts';
import { replicaOptions } from './replica-options.ts';
import type { RunningSpace } from './space.ts';

/** Syncs the content of the main language, and of these sub-languages. */
export async function syncContent(
  space: RunningSpace,
  { drafts, langs }: { readonly drafts: boolean; readonly langs: readonly string[] },
  context: LoaderContext,
): Promise<Content> {
  const sync = (lang: string | undefined) => sharedSync(space, { drafts, lang }, context);
  const [main, ...subs] = await Promise.all([sync(undefined), ...langs.map(sync)]);
  return { main, sub: new Map(subs.map((replica, index) => [langs[index] as string, replica])) };
}

/** Syncs a scope. Astro starts all loaders at once: those that need the same scope share one sync. */
function sharedSync(space: RunningSpace, scope: ContentScope, context: LoaderContext): Promise<Replica> {
  return space.runtime.sync(scope, () => startSync(space, scope, context));
}

async function startSync(space: RunningSpace, scope: ContentScope, context: LoaderContext): Promise<Replica> {
  // Items that changed in the main language are read again in the others.
  const main =
    scope.lang === undefined ? undefined : await sharedSync(space, { ...scope, lang: undefined }, context);
  const logger = scopeLogger(context.logger, scope, space.settings.languages?.main);
  const { connect, ...synced } = await replicaOptions(space, scope, {
    cacheDir: cacheDirOf(context),
    main,
    logger,
  });
  const fetchContent = space.settings.fetch ? undefined : nodeFetch();
  const options = {
    ...synced,
    connect: async () => ({ ...(await connect()), fetchContent }),
    ...(auditCacheDir() !== undefined && { cache: {} }),
    // What the refresh endpoint was called for may not be in the CDN yet.
    bypassCdn: context.refreshContextData?.reason === 'hook',
    // Entries are made meanwhile; each load waits for it in the end.
    storeInBackground: true,
    // A dev server starts with cached content; a build must not publish stale content unless `onError` allows it.
    onUnavailable: context.watcher ? ('use the cache' as const) : { hint: BUILD_WITHOUT_SERVICE },
  };
  const replica = await openReplica(options);
  // Once per key: the other languages are as old as the main one.
  if (options.offline && !main) logger.warn(offlineLine(space, scope, ageSince(replica.readAt, Date.now())));
  return auditedReplica(space, scope, replica);
}

/** The folder for our files in Astro's cache. */
export function cacheDirOf({ config }: LoaderContext): string {
  return auditCacheDir() ?? fileURLToPath(new URL('astro-luid', config.cacheDir));
}

function offlineLine({ settings }: RunningSpace, { drafts }: ContentScope, age: number): string {
  const content = `${drafts ? 'drafts' : 'content'}${settings.space === undefined ? '' : ` of ${settings.space}`}`;
  return `offline (LUID_OFFLINE): using cached ${content}, at most ${ageText(age)}`;
}

const BUILD_WITHOUT_SERVICE =
  'There is cached content: `LUID_OFFLINE=1` builds with it once, `onError: "stale"` whenever the service is unavailable.';
