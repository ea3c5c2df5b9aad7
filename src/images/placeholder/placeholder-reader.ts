import type { ImagePlaceholder } from '../../models/field-types/media.ts';
import { type AssetFact, AssetReader, type AssetReaderOptions } from '../assets/asset-reader.ts';
import { FACT_FOLDERS } from '../assets/fact-folders.ts';
import { requestPlaceholder } from './request-placeholder.ts';

const PLACEHOLDERS: AssetFact<ImagePlaceholder> = {
  messages: {
    plural: 'placeholders',
    missing: 'no placeholder; the next build retries those that could not be reached',
    cannotLoad: 'Image placeholders cannot be read from the cache and are requested again',
    cannotStore: 'Image placeholders cannot be stored; the next build requests them again',
  },
  folder: FACT_FOLDERS.placeholders,
  request: requestPlaceholder,
};

/** Reads the placeholders of a space's images. */
export class PlaceholderReader extends AssetReader<ImagePlaceholder> {
  constructor(options: AssetReaderOptions) {
    super(PLACEHOLDERS, options);
  }
}
