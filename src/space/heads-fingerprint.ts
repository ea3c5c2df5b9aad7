import { fingerprintOf, readHeads } from '../replica/read/heads.ts';
import { headsScope } from '../replica/read/heads-scope.ts';
import { createRequestStats } from '../replica/read/request-stats.ts';
import { createSource } from '../replica/read/source.ts';
import { type ContentView, viewKey } from './content-view.ts';
import { connectFrom, type Environment } from './env-files.ts';
import type { ConnectedSpace } from './space.ts';

/**
 * A fingerprint of the newest content of these views: it changes if and only if their heads do. Requests the same
 * URLs as a sync, so that the CDN can respond.
 */
export async function headsFingerprint(
  space: ConnectedSpace,
  environment: Environment,
  views: readonly ContentView[],
): Promise<string> {
  const fingerprints = views.map(async (view) => {
    const { drafts, lang } = view;
    const source = createSource({
      connect: connectFrom(space, environment, drafts),
      map: space.models,
      ...headsScope(space.models, lang),
      space: space.settings.space,
      lang,
      stats: createRequestStats(Date.now),
      // The next poll retries.
      budget: { retriesLeft: 0 },
    });
    return `${viewKey(view)} ${fingerprintOf(await readHeads(source))}`;
  });
  return (await Promise.all(fingerprints)).join('\n');
}
