import { fingerprintOf, readHeads } from '../../replica/read/heads.ts';
import { headsScope } from '../../replica/read/heads-scope.ts';
import { createRequestStats } from '../../replica/read/request-stats.ts';
import { createSource } from '../../replica/read/source.ts';
import { hashOf } from '../../replica/store/segments.ts';
import type { RunningSpace } from '../../space/space.ts';
import type { ReadFingerprint } from './draft-watch.ts';

/**
 * A fingerprint of the newest drafts, and a name for them. The name is equal if the same drafts are requested: a dev
 * server evaluates the file of a space again after each change, and must not watch the same drafts twice.
 */
export async function draftFingerprint(
  { models, settings, connect }: Pick<RunningSpace, 'models' | 'settings' | 'connect'>,
  lang: string | undefined,
): Promise<{ readonly name: string; readonly read: ReadFingerprint }> {
  const { space } = settings;
  const connectForDrafts = connect({ drafts: true, onRequest: true });
  const scope = headsScope(models, lang);
  const { baseUrl, apiKey } = await connectForDrafts();
  return {
    name: JSON.stringify([baseUrl, hashOf(apiKey), space, lang, scope]),
    async read() {
      const source = createSource({
        connect: connectForDrafts,
        map: models,
        ...scope,
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
