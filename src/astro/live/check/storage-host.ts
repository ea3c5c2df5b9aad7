import { neverBack } from '../../../client/http/clock.ts';
import { uniformStorage } from '../../../replica/store/uniform-storage.ts';
import { LuidConfigError } from '../../../shared/errors.ts';
import { hashText } from '../../../shared/hash-text.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { RunningSpace } from '../../../space/space.ts';
import { openCollectionImages } from '../../collection/make/collection-images.ts';
import type { LiveHost } from './live-host.ts';
import { storedImageFacts } from './stored-image-facts.ts';

/** A server on another runtime than Node: reads what a Node server, a build or `luid sync` has stored. */
export async function openHost(space: RunningSpace, drafts: boolean, logger: Logger): Promise<LiveHost> {
  const { cache } = space.settings;
  const storage = cache ? cache.storage : undefined;
  if (!storage) {
    throw new LuidConfigError('A live collection needs `cache: { storage }` on this runtime', {
      hint: "In defineSpace(), set cache.storage to a storage that a Node server, a build or `luid sync` fills; or request each entry from the service, with from: 'service' in liveLoader().",
    });
  }
  const { baseUrl, apiKey, clock } = await space.connect({ drafts, onRequest: true })();
  const uniform = uniformStorage(storage);
  const facts = storedImageFacts(uniform, [apiKey, ...(await otherKey(space, drafts))], logger);
  return {
    storage: uniform,
    isShared: true,
    baseUrl,
    apiKey,
    now: neverBack(() => clock.now()),
    digest: hashText,
    openImages: (settings) => openCollectionImages(space, settings, facts, logger),
    hasNewImages: () => facts.findMissing(),
  };
}

/** A build with both keys stores what it knows of images once, with either. */
async function otherKey(space: RunningSpace, drafts: boolean): Promise<string[]> {
  const connecting = space.connect({ drafts: !drafts, onRequest: true })();
  return connecting.then(
    ({ apiKey }) => [apiKey],
    () => [],
  );
}
