import { type AssetFact, AssetReader, type AssetReaderOptions } from '../assets/asset-reader.ts';
import { FACT_FOLDERS } from '../assets/fact-folders.ts';
import { type ImageInfo, knownDimensions } from './known-dimensions.ts';
import { probeImage } from './probe-image.ts';

const DIMENSIONS: AssetFact<ImageInfo> = {
  messages: {
    plural: 'dimensions',
    missing: 'no dimensions; the next build retries those that could not be reached',
    cannotLoad: 'Image dimensions cannot be read from the cache and are requested again',
    cannotStore: 'Image dimensions cannot be stored; the next build requests them again',
  },
  folder: FACT_FOLDERS.dimensions,
  request: probeImage,
  onKnown: (url, image) => knownDimensions().set(url, image),
};

/** Reads the dimensions of a space's images. */
export class ImageMeasurer extends AssetReader<ImageInfo> {
  constructor(options: AssetReaderOptions) {
    super(DIMENSIONS, options);
  }
}
