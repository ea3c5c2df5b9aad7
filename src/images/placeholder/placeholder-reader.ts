import type { ImagePlaceholder } from '../../models/field-types/media.ts';
import { type AssetFact, AssetReader, type AssetReaderOptions } from '../assets/asset-reader.ts';
import { requestPlaceholder } from './request-placeholder.ts';

export const PLACEHOLDERS: AssetFact<ImagePlaceholder> = {
  names: { plural: 'placeholders', missing: 'placeholder' },
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
