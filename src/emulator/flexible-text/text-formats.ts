import type { TextFormat, WriteFormat } from '../../contract/parameters.ts';
import { decodeEntities } from '../../models/text/entities.ts';
import { loadOptional } from '../optional-package.ts';
import { mapTags } from './map-tags.ts';
import { loadMarkdownReader } from './markdown-reader.ts';
import { hasPortableAttributes, stripPortableAttributes, toPortableHtml } from './portable-html.ts';

type Convert = (html: string) => string;

/** From the stored HTML to each format (§2.2). `loadFormats` adds those that need a package. */
const converters: { [F in TextFormat]?: Convert } = {
  html: stripPortableAttributes,
  portable_html: toPortableHtml,
};

/** Loads the packages that formats need. To be called before `formatText`. */
export async function loadFormats(formats: Iterable<string>): Promise<void> {
  for (const format of formats) {
    if (format === 'text') converters.text ??= await loadTextConverter();
    if (format === 'markdown') converters.markdown ??= await loadMarkdownConverter();
  }
}

/** Converts stored HTML to a format. */
export function formatText(html: string, format: TextFormat): string {
  if (format === 'html' && !hasPortableAttributes(html)) return html;
  const key = `${format} ${html}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const text = convert(html, format);
  addToCache(key, text);
  return text;
}

/** Returns a converter from the format of a write to stored HTML (§4.3). */
export async function loadHtmlReader(format: WriteFormat): Promise<Convert> {
  if (format === 'portable_html') return (html) => html;
  return loadMarkdownReader();
}

/** The packages are recursive: deeper HTML would be slow or exhaust the stack. */
const MAX_DEPTH = 200;

function convert(html: string, format: TextFormat): string {
  const isTooDeep = (format === 'text' || format === 'markdown') && nestingDepth(html) > MAX_DEPTH;
  if (isTooDeep || (format === 'markdown' && hasLongWhitespace(html))) return plainText(html);
  const converter = converters[format];
  if (!converter) throw new TypeError(`the converter to ${format} was not loaded`);
  return converter(html);
}

/** `turndown` takes quadratic time for white space in a row: 20 s for 50,000 `&nbsp;`. */
const LONG_WHITESPACE = /(?<!\s)\s{1001}/;

/** In the text, or in an attribute such as `alt`. */
function hasLongWhitespace(html: string): boolean {
  return LONG_WHITESPACE.test(removeTags(html)) || LONG_WHITESPACE.test(decodeEntities(html));
}

function nestingDepth(html: string): number {
  let max = 0;
  mapTags(html, ({ text, depth }) => {
    max = Math.max(max, depth);
    return text;
  });
  return max;
}

async function loadTextConverter(): Promise<Convert> {
  const load = () => import('html-to-text');
  const compile = await loadOptional('html-to-text', 'for [format]=text', load, 'compile');
  const heading = { options: { uppercase: false } };
  const toText = compile({
    wordwrap: false,
    selectors: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...heading })),
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'ul', options: { itemPrefix: '- ' } },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  });
  return (html) => toText(html).trimEnd();
}

async function loadMarkdownConverter(): Promise<Convert> {
  const load = () => import('turndown');
  const Turndown = await loadOptional('turndown', 'for [format]=markdown', load, 'default');
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  turndown.keep(['table']);
  return (html) => turndown.turndown(stripPortableAttributes(html));
}

const cache = new Map<string, string>();
/** Limits memory, in characters; the oldest entries are dropped first. */
const MAX_CACHE_SIZE = 8_000_000;
let cacheSize = 0;

function addToCache(key: string, text: string): void {
  const added = key.length + text.length;
  if (added > MAX_CACHE_SIZE / 10) return;
  cache.set(key, text);
  cacheSize += added;
  for (const [oldest, value] of cache) {
    if (cacheSize <= MAX_CACHE_SIZE) break;
    cache.delete(oldest);
    cacheSize -= oldest.length + value.length;
  }
}

const BLOCK_END =
  /<\/(?:p|div|h[1-6]|li|ul|ol|blockquote|pre|table|tr|figure|section)\s*>|<(?:br|hr)\b[^>]*>/gi;
const TAG = /<[^>]*>/g;

/** For HTML that the packages cannot convert. */
function plainText(html: string): string {
  return removeTags(html).trim();
}

function removeTags(html: string): string {
  // After the last `>`, matching TAG at every `<` would take quadratic time.
  const end = html.lastIndexOf('>') + 1;
  const text = html.slice(0, end).replace(BLOCK_END, '\n').replace(TAG, '') + html.slice(end);
  return decodeEntities(text);
}
