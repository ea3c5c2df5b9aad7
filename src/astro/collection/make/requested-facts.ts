import type { Storage } from 'unstorage';
import type { AssetReaderOptions } from '../../../images/assets/asset-reader.ts';
import { ImageMeasurer } from '../../../images/dimensions/image-measurer.ts';
import type { Logger } from '../../../shared/logger.ts';
import { isSwitchedOn } from '../../../space/environment/environment.ts';
import type { RunningSpace } from '../../../space/space.ts';
import type { ImageFactReaders } from './space-images.ts';

/** Facts about images that are requested when they are not stored, on Node. Without a storage, nothing is. */
export function requestedFacts(
  space: RunningSpace,
  drafts: boolean,
  storage: Storage | undefined,
  logger: Logger,
): ImageFactReaders {
  const { runtime } = space;
  const options = async (assetsUrl: string): Promise<AssetReaderOptions> => {
    const offline = await isSwitchedOn('LUID_OFFLINE', space.settings.astro);
    return { connect: space.connect({ drafts }), assetsUrl, storage, offline };
  };
  // One reader for all collections, so that no image is requested twice.
  return {
    async dimensions(assetsUrl) {
      const found = await options(assetsUrl);
      const measurer = runtime.share('image-dimensions', () => new ImageMeasurer(found));
      await measurer.load(logger);
      return measurer;
    },
    async placeholders(assetsUrl) {
      const { PlaceholderReader } = await import('../../../images/placeholder/placeholder-reader.ts');
      const found = await options(assetsUrl);
      return runtime.share('image-placeholders', () => new PlaceholderReader(found));
    },
  };
}
