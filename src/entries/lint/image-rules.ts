import { allItems, type Rule } from './rule.ts';

/** No screen shows more, and the CDN resizes smaller originals faster. */
const MAX_SIDE = 2560;

export const IMAGE_RULES: readonly Rule[] = [
  {
    name: 'large-image',
    severity: 'warning',
    about: 'images of more than 2,560 pixels, of those whose dimensions builds have read',
    fix: 'Upload a smaller image: no page needs more, and originals are what visitors without the CDN load.',
    *find(content) {
      for (const item of allItems(content)) {
        const inTexts = item.texts.flatMap(({ path, parts }) =>
          (parts?.images ?? []).map(({ src }) => ({ path, url: src })),
        );
        for (const { path, url } of [...item.media, ...inTexts]) {
          const { width = 0, height = 0 } = content.dimensionsOf(url) ?? {};
          if (Math.max(width, height) <= MAX_SIDE) continue;
          yield { item, field: path, message: `${url} has ${width} × ${height} pixels` };
        }
      }
    },
  },
];
