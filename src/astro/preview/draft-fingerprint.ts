import { fingerprintOf, readHeads } from '../../replica/read/heads.ts';
import { headsScope } from '../../replica/read/heads-scope.ts';
import { createRequestStats } from '../../replica/read/request-stats.ts';
import { createSource } from '../../replica/read/source.ts';
import type { RunningSpace } from '../../space/space.ts';
import type { ReadFingerprint } from './draft-watch.ts';

/** A fingerprint of the newest drafts, and a name for them that is unique in this process. */
export function draftFingerprint(
  { models, settings, connect }: Pick<RunningSpace, 'models' | 'settings' | 'connect'>,
  lang: string | undefined,
): { readonly name: string; readonly read: ReadFingerprint } {
  const { baseUrl, space } = settings;
  return {
    name: JSON.stringify([baseUrl, space, lang]),
    async read() {
      const source = createSource({
        connect: connect({ drafts: true, onRequest: true }),
        map: models,
        ...headsScope(models, lang),
        space,
        lang,
        stats: createRequestStats(Date.now),
        // The next check retries.
        budget: { retriesLeft: 0 },
      });
      return fingerprintOf(await readHeads(source));
    },
  };
}
