import { neverBack } from '../../../client/http/clock.ts';
import { needsDimensions, needsPlaceholders } from '../../../entries/item-images.ts';
import { uniformStorage } from '../../../replica/store/uniform-storage.ts';
import { LuidConfigError } from '../../../shared/errors.ts';
import { hashText } from '../../../shared/hash-text.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { RunningSpace } from '../../../space/space.ts';
import type { LiveHost } from './live-host.ts';

/** A server on another runtime than Node: reads what a Node server, a build or `luid sync` has stored. */
export async function openHost(space: RunningSpace, drafts: boolean, logger: Logger): Promise<LiveHost> {
  const { cache, dimensions = false } = space.settings;
  const storage = cache ? cache.storage : undefined;
  if (!storage) {
    throw new LuidConfigError('A live collection needs `cache: { storage }` on this runtime', {
      hint: "In defineSpace(), set cache.storage to a storage that a Node server, a build or `luid sync` fills; or request each entry from the service, with from: 'service' in liveLoader().",
    });
  }
  if (needsDimensions(space.models, dimensions)) {
    throw new LuidConfigError('A live collection cannot read image dimensions on this runtime', {
      hint: "Remove `dimensions` and `images` from the fields, serve the site with Node, or use from: 'service'.",
    });
  }
  if (needsPlaceholders(space.models)) {
    throw new LuidConfigError('A live collection cannot read image placeholders on this runtime', {
      hint: "Remove `placeholder` from the fields, serve the site with Node, or use from: 'service'.",
    });
  }
  const { baseUrl, apiKey, clock } = await space.connect({ drafts, onRequest: true })();
  const now = neverBack(() => clock.now());
  return { storage: uniformStorage(storage), isShared: true, baseUrl, apiKey, now, logger, digest: hashText };
}
