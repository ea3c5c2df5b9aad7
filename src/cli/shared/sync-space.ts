import { LuidConfigError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { openReplica, type Replica } from '../../replica/replica.ts';
import type { Progress } from '../../replica/sync/progress.ts';
import { isSwitchedOn } from '../../space/environment.ts';
import { type CopiedSpace, replicaOptions } from '../../space/replica-options.ts';
import { didYouMean } from '../../suggest.ts';
import type { Cache } from './cache.ts';

export interface SyncOptions {
  readonly cache: Cache;
  readonly drafts: boolean;
  /** Which of the sub-languages. Default: all. */
  readonly langs?: readonly string[] | undefined;
  /** Read everything, past the CDN. Default: as the space says. */
  readonly audit?: boolean | undefined;
  readonly logger: (lang: string | undefined) => Logger;
  /** What shows the progress. Default: lines, by the logger. */
  readonly progress?: ((lang: string | undefined) => Progress) | undefined;
}

export interface Synced {
  /** Absent: the main language. */
  readonly lang: string | undefined;
  readonly replica: Replica;
}

/** Brings the copies of a space up to date: of the main language, then of the others. */
export async function syncSpace(space: CopiedSpace, options: SyncOptions): Promise<Synced[]> {
  const { cache, drafts, audit, logger, progress } = options;
  if (await isSwitchedOn('LUID_OFFLINE')) {
    throw new LuidConfigError('LUID_OFFLINE is set, so nothing is requested', { hint: 'Unset it.' });
  }
  const synced: Synced[] = [];
  for (const lang of [undefined, ...subLanguages(space, options.langs)]) {
    const which = { drafts, lang };
    const main = synced[0]?.replica;
    const common = await replicaOptions(space, which, { cacheDir: '', main, logger: logger(lang) });
    const replica = await openReplica({
      ...common,
      cache: { storage: cache.storage },
      // Old content in place of what cannot be had would be taken for the present one.
      staleFor: undefined,
      audit: audit || common.audit === true,
      storeReadTime: audit,
      progress: progress?.(lang),
    });
    cache.check();
    synced.push({ lang, replica });
  }
  return synced;
}

/** The sub-languages of a space, or those that are asked for. */
export function subLanguages({ settings }: CopiedSpace, asked?: readonly string[]): readonly string[] {
  const { main, sub = [] } = settings.languages ?? {};
  const unknown = asked?.find((lang) => lang !== main && !sub.includes(lang));
  if (unknown !== undefined) {
    const known = main === undefined ? [] : [main, ...sub];
    throw new LuidConfigError(
      `There is no language ${JSON.stringify(unknown)}${didYouMean(unknown, known)}`,
      {
        hint: `The space declares ${known.join(', ') || 'none'}.`,
      },
    );
  }
  return asked ? sub.filter((lang) => asked.includes(lang)) : sub;
}
