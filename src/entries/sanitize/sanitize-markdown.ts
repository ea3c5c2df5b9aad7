import { isQuickToParse } from './markdown-cost.ts';
import type { HtmlCleaner } from './sanitize-html.ts';
import type { MarkdownPackages } from './sanitize-packages.ts';
import { ELEMENTS, RULES } from './sanitize-rules.ts';

type Root = ReturnType<ReturnType<MarkdownPackages['remark']['remark']>['parse']>;
type Node = Root['children'][number];

const MOST_ROUNDS = 5;

/**
 * Markdown that renders to no active content: raw HTML is cleaned, links and pictures that lead elsewhere
 * than to the web are their text. What has neither is left as it is. All else is written anew, in one plain
 * form, so that what is code, a link or a tag here is so for every renderer. Where that would take too long,
 * or does not come to rest, no tag and no such link is left at all, and tags are shown as they are written.
 */
export function createMarkdownCleaner(
  { remark, gfm }: MarkdownPackages,
  { cleanHtml, isSafeLink }: HtmlCleaner,
): (markdown: string, keepsClass?: (name: string) => boolean) => string {
  const processor = remark.remark().use(gfm.default).freeze();

  function cleanMarkdown(markdown: string, keepsClass?: (name: string) => boolean): string {
    if (isPlain(markdown)) return markdown;
    if (!isQuickToParse(markdown)) return disarmed(markdown);
    try {
      let before = markdown;
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const after = cleanOnce(before, keepsClass);
        if (after === before) return after;
        before = after;
      }
    } catch (error) {
      // Nested deeper than the stack.
      if (!(error instanceof RangeError)) throw error;
    }
    return disarmed(markdown);
  }

  /** Whether nothing in it can be a tag, nor a link that leads elsewhere, however it is read. */
  function isPlain(markdown: string): boolean {
    if (markdown.includes('<')) return false;
    for (const [, , start = ''] of markdown.matchAll(LINK)) if (!isSafe(start)) return false;
    return true;
  }

  /** The text with every tag and every link that leads elsewhere written out, even in code. */
  function disarmed(markdown: string): string {
    return markdown
      .replaceAll('<', '&lt;')
      .replaceAll(LINK, (whole, between: string, start: string) =>
        isSafe(start) ? whole : `&#93;${between}${start}`,
      );
  }

  function cleanOnce(markdown: string, keepsClass: ((name: string) => boolean) | undefined): string {
    const tree = processor.parse(markdown);
    const unsafe = unsafeDefinitions(tree);
    const clean = (nodes: readonly Node[], isInline: boolean): Node[] =>
      nodes.flatMap((node): Node[] => {
        if (node.type === 'html') {
          const value = isInline ? cleanTag(node.value, keepsClass) : cleanBlock(node.value, keepsClass);
          return value === '' ? [] : [{ type: 'html', value }];
        }
        if (node.type === 'definition') return isSafe(node.url) ? [node] : [];
        if (node.type === 'image') return isSafe(node.url) ? [node] : textOf(node.alt);
        if (node.type === 'imageReference') return unsafe.has(node.identifier) ? textOf(node.alt) : [node];
        if (!('children' in node)) return [node];
        const children = clean(node.children, isInline || !FLOW.has(node.type));
        const isGone =
          (node.type === 'link' && !isSafe(node.url)) ||
          (node.type === 'linkReference' && unsafe.has(node.identifier));
        return isGone ? children : [{ ...node, children } as Node];
      });
    return processor.stringify({ type: 'root', children: clean(tree.children, false) } as Root);
  }

  /** Those that links and pictures must not use. Of several with one name the first counts; here each does. */
  function unsafeDefinitions(tree: Root): Set<string> {
    const found = new Set<string>();
    const visit = (node: Root | Node): void => {
      if (node.type === 'definition' && !isSafe(node.url)) found.add(node.identifier);
      if ('children' in node) for (const child of node.children) visit(child);
    };
    visit(tree);
    return found;
  }

  /** Where a scheme would be, nothing may stand that another renderer could read as a part of one. */
  function isSafe(url: string): boolean {
    return isSafeLink(url) && !/[&\\<>\p{C}\s]/u.test(/^[^/?#]*/.exec(url)?.[0] ?? '');
  }

  /** A block of HTML, in which nothing is left that could be read as Markdown. */
  function cleanBlock(html: string, keepsClass: ((name: string) => boolean) | undefined): string {
    return cleanHtml(html, { rules: RULES, encode: escapeInMarkdown, keepsClass });
  }

  /** One tag within a line: its end is another node. */
  function cleanTag(html: string, keepsClass: ((name: string) => boolean) | undefined): string {
    const [, name] = /^<\/([a-z][a-z\d]*)\s*>$/i.exec(html) ?? [];
    if (name) return ELEMENTS.includes(name.toLowerCase()) ? `</${name.toLowerCase()}>` : '';
    const whole = cleanBlock(html, keepsClass);
    const end = whole.lastIndexOf('</');
    return end < 0 ? whole : whole.slice(0, end);
  }

  return cleanMarkdown;
}

/** Where a link leads, or a definition: up to where a scheme can be. */
const LINK = /\]([^\S\n]*[(:]\s*)([^\s)\]/?#]*)/g;

/** Nodes that hold blocks. */
const FLOW = new Set(['blockquote', 'list', 'listItem', 'footnoteDefinition']);

function textOf(text: string | null | undefined): Node[] {
  return text ? [{ type: 'text', value: text }] : [];
}

/** For text and attributes of HTML in Markdown: a line end could end the block, and the rest begin something. */
function escapeInMarkdown(text: string): string {
  return text.replaceAll(
    /[&<>"'`*_[\](){}!|~\\\n\r\t\u00a0]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}
