import type { Connect } from '../client/http/connection.ts';
import { fingerprintOf, readHeads } from '../replica/read/heads.ts';
import { PageSizes } from '../replica/read/page-sizes.ts';
import { createRequestStats } from '../replica/read/request-stats.ts';
import { createSource } from '../replica/read/source.ts';
import type { ConnectedSpace } from './space.ts';

/**
 * A fingerprint of the newest content in a language: it changes if and only if its heads do. Requests the same URLs as a
 * sync, so that the CDN can respond, unless it is bypassed. It does not retry: the next check does.
 */
export async function headsFingerprint(
  { models, settings }: Pick<ConnectedSpace, 'models' | 'settings'>,
  connect: Connect,
  lang: string | undefined,
  { bypassCdn = false } = {},
): Promise<string> {
  const source = createSource({
    connect,
    map: models,
    space: settings.space,
    lang,
    stats: createRequestStats(Date.now),
    budget: { retriesLeft: 0 },
    pageSizes: pageSizesOf(models),
  });
  return fingerprintOf(await readHeads(source, { bypassCdn }));
}

/** By model map: what one check finds out about the limits of the service, the next ones know. */
const pageSizes = new WeakMap<object, PageSizes>();

function pageSizesOf(models: object): PageSizes {
  const sizes = pageSizes.get(models) ?? new PageSizes();
  pageSizes.set(models, sizes);
  return sizes;
}
