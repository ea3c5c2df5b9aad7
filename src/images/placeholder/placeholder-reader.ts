import type { ImagePlaceholder } from '../../models/field-types/media.ts';
import { type AssetFact, AssetReader, type AssetReaderOptions } from '../assets/asset-reader.ts';
import { requestPlaceholder } from './request-placeholder.ts';

const PLACEHOLDERS: AssetFact<ImagePlaceholder> = {
  messages: {
    plural: 'placeholders',
    missing: 'no placeholder; the next build retries those that could not be reached',
    cannotLoad: 'Image placeholders cannot be read from the cache and are requested again',
    cannotStore: 'Image placeholders cannot be stored; the next build requests them again',
  },
  format: {
    folder: 'placeholders-v1',
    purpose: 'placeholders',
    write: ({ thumbHash, color, hasAlpha }) =>
      `${thumbHash || '-'} ${color} ${hasAlpha ? 'alpha' : 'opaque'}`,
    parse: (text) => {
      const [matched, thumbHash = '', color = '', alpha] =
        /^([\w+/=-]+) (#[\da-f]{6}) (alpha|opaque)$/.exec(text) ?? [];
      if (matched === undefined) return undefined;
      return { thumbHash: thumbHash === '-' ? '' : thumbHash, color, hasAlpha: alpha === 'alpha' };
    },
  },
  none: { thumbHash: '', color: '#000000', hasAlpha: false },
  isNone: ({ thumbHash }) => thumbHash === '',
  request: requestPlaceholder,
};

/** Reads the placeholders of a space's images. */
export class PlaceholderReader extends AssetReader<ImagePlaceholder> {
  constructor(options: AssetReaderOptions) {
    super(PLACEHOLDERS, options);
  }
}
