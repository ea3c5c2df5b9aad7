import { LuidConfigError } from '../../errors.ts';
import type { ModelMap } from '../../models/types.ts';
import { headsFingerprint, readHeads } from '../../replica/sync/heads.ts';
import { headsScope } from '../../replica/sync/heads-scope.ts';
import { createRequestStats } from '../../replica/sync/request-stats.ts';
import { createSource } from '../../replica/sync/source.ts';
import { type ConnectingSpace, connectFrom, type Environment } from '../../space/env-files.ts';
import type { Which } from '../../space/replica-options.ts';
import { loadReports } from './load-reports.ts';

export interface PolledSpace extends ConnectingSpace {
  readonly models: ModelMap;
}

/**
 * Asks for the heads of whatever the loaders read, at the URLs that they ask for too, so that the CDN
 * answers. The digest is another one if and only if the heads are.
 */
export async function readHeadsDigest(space: PolledSpace, environment: Environment): Promise<string> {
  const views = viewsInUse(space);
  if (views.length > 0) return digestOfViews(space, environment, views);
  try {
    return await digestOfViews(space, environment, [{ drafts: false, lang: undefined }]);
  } catch (error) {
    // Nothing was loaded yet to tell which key is used: it may be the one for drafts alone.
    if (!LuidConfigError.is(error)) throw error;
    return digestOfViews(space, environment, [{ drafts: true, lang: undefined }]).catch(() => {
      throw error;
    });
  }
}

function viewsInUse(space: PolledSpace): Which[] {
  const views = new Map<string, Which>();
  for (const { drafts, langs = [undefined] } of loadReports(space)) {
    for (const lang of langs) views.set(`${drafts} ${lang ?? ''}`, { drafts, lang });
  }
  return [...views.keys()].sort().flatMap((key) => views.get(key) ?? []);
}

/** As above, of the views that are named. */
export async function digestOfViews(
  space: PolledSpace,
  environment: Environment,
  views: readonly Which[],
): Promise<string> {
  const digests = views.map(async ({ drafts, lang }) => {
    const source = createSource({
      connect: connectFrom(space, environment, drafts),
      map: space.models,
      ...headsScope(space.models, lang),
      space: space.settings.space,
      lang,
      stats: createRequestStats(Date.now),
      // The next poll is the next try.
      budget: { retriesLeft: 0 },
    });
    return `${drafts} ${lang ?? ''} ${headsFingerprint(await readHeads(source))}`;
  });
  return (await Promise.all(digests)).join('\n');
}
