import { allItems, type Rule } from './rule.ts';

const IMAGE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;

export const TEXT_RULES: readonly Rule[] = [
  {
    name: 'missing-alt',
    severity: 'warning',
    about: 'images without an alternative text',
    fix: 'Describe the image in the media library, or in the text.',
    *find(content) {
      for (const item of allItems(content)) {
        for (const { path, url, alt } of item.media) {
          if (alt === '' && IMAGE.test(url)) {
            yield { item, field: path, message: `${fileName(url)} has no alternative text` };
          }
        }
        for (const { path, parts } of item.texts) {
          for (const { src, alt } of parts?.images ?? []) {
            if (alt === '')
              yield { item, field: path, message: `the image ${fileName(src)} has no alternative text` };
          }
        }
      }
    },
  },
  {
    name: 'heading-order',
    severity: 'warning',
    about: 'headings that skip a level',
    fix: 'Use the next level, so that screen readers and search engines see the outline.',
    *find(content) {
      for (const item of allItems(content)) {
        for (const { path, parts } of item.texts) {
          let above = 0;
          for (const { depth, text } of parts?.headings ?? []) {
            if (above > 0 && depth > above + 1) {
              yield { item, field: path, message: `h${depth} ${quote(text)} follows h${above}` };
            }
            above = depth;
          }
        }
      }
    },
  },
];

/** Longer texts are cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

function fileName(url: string): string {
  return (
    url
      .replace(/[?#].*/s, '')
      .split('/')
      .at(-1) || url
  );
}
