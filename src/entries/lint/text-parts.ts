import { plainText } from '../../models/text/plain-text.ts';
import { scanTags } from '../../models/text/scan-tags.ts';
import { toSlug } from '../render-html.ts';
import { ID_PREFIX } from '../sanitize/id-prefix.ts';

/** What rules look at in text. Without a format, it has only URLs. */
export interface TextParts {
  readonly headings: readonly { readonly depth: number; readonly text: string }[];
  readonly links: readonly string[];
  /** `alt` is empty if the image has none. */
  readonly images: readonly { readonly url: string; readonly alt: string }[];
  /** Of links and images; in text without a format, all. */
  readonly urls: ReadonlySet<string>;
  /** The ids of its elements and headings, without a prefix. Of equal headings, which have numbers, the first. */
  readonly anchors: ReadonlySet<string>;
}

const URLS = /https?:\/\/[^\s"'<>()[\]{}|\\^`「」『』（）【】、。，．！？]{1,500}/gi;
const NO_PARTS: TextParts = { headings: [], links: [], images: [], urls: new Set(), anchors: new Set() };

/** Takes linear time for any input. */
export function textParts(value: string, format: string): TextParts {
  if (format === 'html') return htmlParts(value);
  if (format === 'markdown') return htmlParts(markdownAsHtml(value));
  return value.includes('://') ? { ...NO_PARTS, urls: new Set(value.match(URLS)) } : NO_PARTS;
}

const HEADING = /^h[1-6]$/;

function htmlParts(html: string): TextParts {
  const headings: TextParts['headings'][number][] = [];
  const links: string[] = [];
  const images: TextParts['images'][number][] = [];
  const anchors = new Set<string>();
  let open: { readonly name: string; readonly end: number } | undefined;
  for (const tag of scanTags(html)) {
    if (HEADING.test(tag.name)) open ??= tag;
    if (open && tag.name === `/${open.name}`) {
      const text = plainText(html.slice(open.end, tag.start)).trim();
      headings.push({ depth: Number(open.name[1]), text });
      anchors.add(toSlug(text));
      open = undefined;
    }
    if (tag.attributes.length === 0) continue;
    const attribute = (name: string) => tag.attributes.find((one) => one.name === name)?.value.trim() ?? '';
    const id = attribute('id') || (tag.name === 'a' ? attribute('name') : '');
    if (id) anchors.add(id.replace(ID_PREFIX, ''));
    if (tag.name === 'a' && attribute('href')) links.push(attribute('href'));
    if (tag.name === 'img') images.push({ url: attribute('src'), alt: attribute('alt') });
  }
  const urls = new Set([...links, ...images.map(({ url }) => url)]);
  return { headings, links, images, urls, anchors };
}

const FENCED_CODE = /^ {0,3}(`{3,}|~{3,}).*$(?:[\s\S]*?\n {0,3}\1|[\s\S]*)/gm;
const INLINE_CODE = /`[^`\n]*`/g;
const INLINE = /(?<!\\)(!?)\[([^[\]\n]{0,999})\]\([ \t]{0,9}<?([^\s()<>]{1,2000})/g;
const ATX_HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/gm;

/** Headings, links and images of Markdown as HTML, without code. */
function markdownAsHtml(markdown: string): string {
  const quoted = (value: string) => value.replaceAll('"', '&quot;');
  return markdown
    .replaceAll(FENCED_CODE, '')
    .replaceAll(INLINE_CODE, '')
    .replaceAll(INLINE, (_, image: string, label: string, url: string) =>
      image ? `<img src="${quoted(url)}" alt="${quoted(label)}">(` : `<a href="${quoted(url)}">${label}</a>(`,
    )
    .replaceAll(ATX_HEADING, (_, { length }: string, label: string) => {
      return `<h${length}>${label.trim().replace(/[ \t]#+$/, '')}</h${length}>`;
    });
}
