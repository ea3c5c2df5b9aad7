import type { TextFormat } from '../contract/parameters.ts';

/** Flexible text, kept as HTML, in the format that was asked for (§2.2). */
export function formatText(html: string, format: TextFormat): string {
  return format === 'html' || format === 'portable_html' ? html : plainText(html);
}

const BLOCK_END =
  /<\/(?:p|div|h[1-6]|li|ul|ol|blockquote|pre|table|tr|figure|section)\s*>|<(?:br|hr)\b[^>]*>/gi;
const TAG = /<[^>]*>/g;
const ENTITY = /&(?:amp|lt|gt|quot|#39|nbsp);/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};

/** The text without tags: what `contains` compares. */
export function plainText(html: string): string {
  return html
    .replace(BLOCK_END, '\n')
    .replace(TAG, '')
    .replace(ENTITY, (entity) => CHARACTERS[entity] ?? entity)
    .trim();
}
