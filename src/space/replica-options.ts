import type { ReplicaOptions } from '../replica/replica.ts';
import { milliseconds } from './duration.ts';
import { isSwitchedOn } from './environment.ts';
import type { SpaceCore } from './space.ts';
import { noteOnce } from './warn-once.ts';

/** What a replica is of: content as a key shows it, in a language. */
export interface Which {
  readonly drafts: boolean;
  /** Absent: the main language. */
  readonly lang: string | undefined;
}

/** What is needed of a space to copy it. */
export type CopiedSpace = Pick<SpaceCore, 'models' | 'settings' | 'connect'>;

export interface CopyOptions {
  readonly cacheDir: string;
  /** For another language: the replica of the main one. */
  readonly main: ReplicaOptions['main'];
  readonly logger: ReplicaOptions['logger'];
}

/** How a space is copied, by Astro and by the command line alike, so that they share one cache. */
export async function replicaOptions(
  space: CopiedSpace,
  which: Which,
  options: CopyOptions,
): Promise<ReplicaOptions> {
  const { cache = {}, onError = 'fail', verify, space: subSpace } = space.settings;
  const connect = space.connect({ drafts: which.drafts });
  const onStringIds = () => noteOnce(space, STRING_IDS, options.logger);
  return {
    ...options,
    connect: async () => ({ ...(await connect()), onStringIds }),
    models: space.models,
    space: subSpace,
    lang: which.lang,
    cache,
    maxAge: verify === 'always' ? 0 : wholeReadEvery(space, which.drafts),
    audit: verify === 'always' || (await isSwitchedOn('LUID_VERIFY')),
    offline: await isSwitchedOn('LUID_OFFLINE'),
    staleFor: staleFor(onError),
  };
}

/** §1 says that ids are numeric. */
export const STRING_IDS = 'the service sends content ids as strings; they are used as numbers';

/** Milliseconds after which everything is read again, whatever the heads say. */
export function wholeReadEvery({ settings: { verify } }: CopiedSpace, drafts: boolean): number {
  const maxAge = typeof verify === 'object' ? verify.maxAge : undefined;
  return milliseconds(maxAge ?? (drafts ? '10min' : '24h'), 'verify.maxAge');
}

function staleFor(onError: NonNullable<SpaceCore['settings']['onError']>): number | undefined {
  if (onError === 'fail') return undefined;
  return onError === 'stale' ? Number.POSITIVE_INFINITY : milliseconds(onError.stale, 'onError.stale');
}
