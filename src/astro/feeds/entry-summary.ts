import type { Media } from '../../models/field-types/media.ts';
import { htmlSearchText } from '../../models/text/search-text.ts';
import { dataOf, isMedia, isObject, type ShownEntry } from './shown-entry.ts';

/** Fields that describe an entry, the best first. */
const DESCRIPTIONS = ['description', 'summary', 'lead', 'excerpt'];

/** About as much as search engines show. */
const MAX_LENGTH = 160;

/** `seo.description`, a field that describes the entry, or else the start of its body; as plain text. */
export function descriptionOf(entry: ShownEntry): string | undefined {
  const { seo, ...data } = dataOf(entry);
  const written = [isObject(seo) ? seo.description : undefined, ...DESCRIPTIONS.map((name) => data[name])];
  for (const text of written) {
    const line = typeof text === 'string' ? oneLine(isHtml(text) ? htmlSearchText(text) : text) : '';
    if (line) return line;
  }
  return shorten(oneLine(htmlSearchText(entry.rendered?.html ?? ''))) || undefined;
}

const BLOCK = /^<(?:p|div|h[1-6]|[duo]l|blockquote|figure|pre|section|table)\b/i;

/** An entry does not know its fields. Flexible text consists of blocks; other texts may mention a tag. */
function isHtml(text: string): boolean {
  const trimmed = text.trim();
  return BLOCK.test(trimmed) && trimmed.endsWith('>');
}

/** `seo.image`, or else the first media field with an image. */
export function imageOf(entry: ShownEntry): Media | undefined {
  const { seo, ...data } = dataOf(entry);
  const candidates = [isObject(seo) ? seo.image : undefined, ...Object.values(data)];
  return candidates.find((value): value is Media => isMedia(value) && isImage(value.url));
}

export function isImage(url: string): boolean {
  return /\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(url.replace(/[?#].*/s, ''));
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** At a space, if the language has spaces. */
function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const start = Array.from(text.slice(0, MAX_LENGTH)).slice(0, -1).join('').toWellFormed();
  const space = start.lastIndexOf(' ');
  return `${space > MAX_LENGTH / 2 ? start.slice(0, space) : start}…`;
}
