import { inEachItem, type Rule } from './rule.ts';

/** No screen shows more, and the CDN resizes smaller originals faster. */
const MAX_SIDE = 2560;

export const IMAGE_RULES: readonly Rule[] = [
  {
    name: 'missing-alt',
    severity: 'warning',
    about: 'images without an alternative text',
    fix: 'Describe the image in the media library, or in the text.',
    find: inEachItem(({ images }) =>
      images
        .filter(({ alt }) => alt === '')
        .map(({ path, url }) => ({ field: path, message: `${fileName(url)} has no alternative text` })),
    ),
  },
  {
    name: 'large-image',
    severity: 'warning',
    about: 'images of more than 2,560 pixels, of those whose dimensions builds have read',
    fix: 'Upload a smaller image: no page needs more, and originals are what visitors without the CDN load.',
    find: inEachItem(({ images }, { dimensionsOf }) =>
      images.flatMap(({ path, url }) => {
        const { width = 0, height = 0 } = dimensionsOf(url) ?? {};
        const message = `${url} has ${width} × ${height} pixels`;
        return Math.max(width, height) > MAX_SIDE ? [{ field: path, message }] : [];
      }),
    ),
  },
];

function fileName(url: string): string {
  const path = url.replace(/[?#].*/s, '');
  return path.slice(path.lastIndexOf('/') + 1) || url;
}
