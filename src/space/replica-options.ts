import type { ReplicaOptions } from '../replica/open-replica.ts';
import type { ContentScope } from './content-scope.ts';
import { milliseconds } from './duration.ts';
import { isSwitchedOn } from './environment/environment.ts';
import type { ConnectedSpace, RunningSpace } from './space.ts';

/** What a sync needs of a space. */
export type SyncedSpace = ConnectedSpace & Pick<RunningSpace, 'runtime'>;

export interface SyncContext {
  readonly cacheDir: string;
  /** For another language: the replica of the main one. */
  readonly main: ReplicaOptions['main'];
  readonly logger: ReplicaOptions['logger'];
}

/** The options of a space for its replica: the same for Astro and the command line, so that they share one cache. */
export async function replicaOptions(
  space: SyncedSpace,
  scope: ContentScope,
  context: SyncContext,
): Promise<ReplicaOptions> {
  const { cache = {}, onError = 'fail', verify, space: subSpace, astro } = space.settings;
  const connect = space.connect({ drafts: scope.drafts });
  const onStringIds = () => space.runtime.once(STRING_IDS, () => context.logger.info(STRING_IDS));
  return {
    ...context,
    connect: async () => ({ ...(await connect()), onStringIds }),
    models: space.models,
    space: subSpace,
    lang: scope.lang,
    drafts: scope.drafts,
    cache,
    maxAge: verify === 'always' ? 0 : fullSyncInterval(space, scope.drafts),
    forceFullSync: verify === 'always' || (await isSwitchedOn('LUID_VERIFY', astro)),
    offline: await isSwitchedOn('LUID_OFFLINE', astro),
    staleFor: staleFor(onError),
  };
}

/** §1 of the specification has numeric ids. */
export const STRING_IDS = 'the service sends content ids as strings; they are used as numbers';

/** Milliseconds after which everything is read again, whether anything seems to have changed or not. */
export function fullSyncInterval({ settings: { verify } }: ConnectedSpace, drafts: boolean): number {
  const maxAge = typeof verify === 'object' ? verify.maxAge : undefined;
  return milliseconds(maxAge ?? (drafts ? '10min' : '24h'), 'verify.maxAge');
}

function staleFor(onError: NonNullable<RunningSpace['settings']['onError']>): number | undefined {
  if (onError === 'fail') return undefined;
  return onError === 'stale' ? Number.POSITIVE_INFINITY : milliseconds(onError.stale, 'onError.stale');
}
