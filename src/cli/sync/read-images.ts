import type { Storage } from 'unstorage';
import { requestedFacts } from '../../astro/collection/make/requested-facts.ts';
import { openSpaceImages } from '../../astro/collection/make/space-images.ts';
import { imagesOf } from '../../entries/item-images.ts';
import type { Replica } from '../../replica/replica.ts';
import type { Logger } from '../../shared/logger.ts';
import type { RunningSpace } from '../../space/space.ts';

/** Stores what fields need to know of images: a server that makes no requests to them finds it in the cache. */
export async function readImages(
  space: RunningSpace,
  drafts: boolean,
  replicas: readonly Replica[],
  storage: Storage,
  logger: Logger,
): Promise<void> {
  const images = await openSpaceImages(space, requestedFacts(space, drafts, storage, logger), logger);
  if (!images) return;
  const items = await Promise.all(replicas.map(async (replica) => [...(await replica.items()).values()]));
  await images.read(items.flat().map((item) => imagesOf(images.rules, item)));
}
