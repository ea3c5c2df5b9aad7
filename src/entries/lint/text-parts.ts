import { plainText } from '../../models/text/plain-text.ts';
import { scanTags } from '../../models/text/scan-tags.ts';
import { renderHtml, toSlug } from '../render-html.ts';
import { ID_PREFIX } from '../sanitize/id-prefix.ts';

/** What rules look at in formatted text. */
export interface TextParts {
  readonly headings: readonly { readonly depth: number; readonly text: string }[];
  readonly links: readonly string[];
  /** `alt` is empty if the image has none. */
  readonly images: readonly { readonly src: string; readonly alt: string }[];
  /** Whether a link with this fragment leads to something in it. */
  readonly hasAnchor: (fragment: string) => boolean;
}

const HEADING = /^h[1-6]$/;

/** The parts of HTML, or of Markdown with HTML in it. Takes linear time for any input. */
export function textParts(value: string, isMarkdown: boolean): TextParts {
  const html = isMarkdown ? markdownAsHtml(value) : value;
  const headings: { depth: number; text: string }[] = [];
  const links: string[] = [];
  const images: { src: string; alt: string }[] = [];
  const ids = new Set<string>();
  let open: { readonly name: string; readonly end: number } | undefined;
  for (const tag of html.includes('<') ? scanTags(html) : []) {
    if (HEADING.test(tag.name)) open ??= tag;
    if (open && tag.name === `/${open.name}`) {
      headings.push({ depth: Number(open.name[1]), text: plainText(html.slice(open.end, tag.start)).trim() });
      open = undefined;
    }
    if (tag.attributes.length === 0) continue;
    const attribute = (name: string) => tag.attributes.find((one) => one.name === name)?.value;
    const id = attribute('id') ?? (tag.name === 'a' ? attribute('name') : undefined);
    if (id) ids.add(id);
    const href = tag.name === 'a' ? attribute('href')?.trim() : undefined;
    if (href) links.push(href);
    if (tag.name === 'img')
      images.push({ src: attribute('src') ?? '', alt: (attribute('alt') ?? '').trim() });
  }
  return {
    headings,
    links,
    images,
    hasAnchor(fragment) {
      const own = fragment.replace(ID_PREFIX, '');
      const isKnown = ids.has(own) || ids.has(fragment) || headings.some(({ text }) => toSlug(text) === own);
      // Equal headings have numbers.
      return (
        isKnown || (/-\d+$/.test(own) && renderHtml(html).metadata.headings.some(({ slug }) => slug === own))
      );
    },
  };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const INLINE = /(?<!\\)(!?)\[([^[\]\n]{0,999})\]\([ \t]{0,9}<?([^\s()<>]{1,2000})/g;
const ATX_HEADING = /^ {0,3}(#{1,6})[ \t]+([^\n]*?)[ \t]*#*[ \t]*$/gm;

/** Headings, links and images of Markdown as HTML, without code. */
function markdownAsHtml(markdown: string): string {
  let fence: string | undefined;
  const lines = markdown.split(/\r\n|\n|\r/).filter((line) => {
    const [, mark] = FENCE.exec(line) ?? [];
    const isCode = fence !== undefined || mark !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    return !isCode;
  });
  const text = lines.join('\n').replaceAll(/`[^`\n]*`/g, '');
  const quoted = (value: string) => value.replaceAll('"', '&quot;');
  return text
    .replaceAll(INLINE, (_, image: string, label: string, url: string) =>
      image ? `<img src="${quoted(url)}" alt="${quoted(label)}">(` : `<a href="${quoted(url)}">${label}</a>(`,
    )
    .replaceAll(
      ATX_HEADING,
      (_, marks: string, label: string) => `<h${marks.length}>${label}</h${marks.length}>`,
    );
}
