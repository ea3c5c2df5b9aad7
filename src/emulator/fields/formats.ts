import type { TextFormat, WriteFormat } from '../../contract/parameters.ts';
import { optional } from '../optional.ts';
import { mapTags } from './html-tags.ts';
import { loadMarkdownReader } from './markdown-reader.ts';
import { hasMarks, portable, withoutMarks } from './portable-html.ts';

type Convert = (html: string) => string;

/** From the HTML that is kept to each format (§2.2). Those that need a package come with `loadFormats`. */
const converters: Record<TextFormat, Convert> = {
  html: withoutMarks,
  portable_html: portable,
  text: notLoaded,
  markdown: notLoaded,
};

/** Loads what these formats need, before any text is converted to them. */
export async function loadFormats(formats: Iterable<string>): Promise<void> {
  for (const format of formats) {
    if (format === 'text' && converters.text === notLoaded) converters.text = await loadText();
    if (format === 'markdown' && converters.markdown === notLoaded)
      converters.markdown = await loadMarkdown();
  }
}

/** Flexible text, kept as HTML, in the format that was asked for. */
export function formatText(html: string, format: TextFormat): string {
  if (format === 'html' && !hasMarks(html)) return html;
  const key = `${format} ${html}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const text = convert(html, format);
  remember(key, text);
  return text;
}

/** What turns text that comes in a format into the HTML that is kept (§4.3). */
export async function loadHtmlReader(format: WriteFormat): Promise<Convert> {
  if (format === 'portable_html') return (html) => html;
  return loadMarkdownReader();
}

/** The packages recurse, and take long, where elements are nested deeper. */
const DEEPEST = 200;

function convert(html: string, format: TextFormat): string {
  const simply = (format === 'text' || format === 'markdown') && deepest(html) > DEEPEST;
  return simply ? plainText(html) : converters[format](html);
}

function deepest(html: string): number {
  let most = 0;
  mapTags(html, ({ text, depth }) => {
    most = Math.max(most, depth);
    return text;
  });
  return most;
}

function notLoaded(): never {
  throw new TypeError('the converter was not loaded');
}

async function loadText(): Promise<Convert> {
  const load = () => import('html-to-text');
  const compile = await optional('html-to-text', 'for [format]=text', load, 'compile');
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

async function loadMarkdown(): Promise<Convert> {
  const load = () => import('turndown');
  const Turndown = await optional('turndown', 'for [format]=markdown', load, 'default');
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  turndown.keep(['table']);
  return (html) => turndown.turndown(withoutMarks(html));
}

const cached = new Map<string, string>();
/** Bounds memory, in characters; the oldest go first. */
const MOST_CACHED = 8_000_000;
let size = 0;

function remember(key: string, text: string): void {
  const added = key.length + text.length;
  if (added > MOST_CACHED / 10) return;
  cached.set(key, text);
  size += added;
  for (const [oldest, value] of cached) {
    if (size <= MOST_CACHED) break;
    cached.delete(oldest);
    size -= oldest.length + value.length;
  }
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
  // Behind the last tag every `<` would be looked at in vain to the end.
  const end = html.lastIndexOf('>') + 1;
  return (html.slice(0, end).replace(BLOCK_END, '\n').replace(TAG, '') + html.slice(end))
    .replace(ENTITY, (entity) => CHARACTERS[entity] ?? entity)
    .trim();
}
