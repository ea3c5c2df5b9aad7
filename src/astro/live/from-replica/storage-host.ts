import { neverBack } from '../../../client/http/clock.ts';
import { needsDimensions, needsPlaceholders } from '../../../entries/item-images.ts';
import { LuidConfigError } from '../../../errors.ts';
import { hashText } from '../../../hash-text.ts';
import type { Logger } from '../../../logger.ts';
import type { RunningSpace } from '../../../space/space.ts';
import type { LiveHost } from './live-host.ts';

/** A server on another runtime than Node: reads what a Node server, a build or `luid sync` has stored. */
export async function openHost(space: RunningSpace, drafts: boolean, logger: Logger): Promise<LiveHost> {
  const { cache, dimensions = false } = space.settings;
  const storage = cache ? cache.storage : undefined;
  if (!storage) {
    throw new LuidConfigError("from: 'replica' needs `cache: { storage }` on this runtime", {
      hint: 'Set cache.storage to a storage that a Node server, a build or `luid sync` fills.',
    });
  }
  if (needsDimensions(space.models, dimensions)) {
    throw new LuidConfigError("from: 'replica' cannot read image dimensions on this runtime", {
      hint: 'Remove `dimensions` and `images` from the fields, or serve the site with Node.',
    });
  }
  if (needsPlaceholders(space.models)) {
    throw new LuidConfigError("from: 'replica' cannot read image placeholders on this runtime", {
      hint: 'Remove `placeholder` from the fields, or serve the site with Node.',
    });
  }
  const { baseUrl, apiKey, clock } = await space.connect({ drafts, onRequest: true })();
  const now = neverBack(() => clock.now());
  return { storage, isShared: true, baseUrl, apiKey, now, logger, digest: hashText };
}
