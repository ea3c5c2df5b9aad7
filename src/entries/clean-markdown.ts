import type { HtmlCleaner } from './clean-html.ts';
import { ELEMENTS, RULES } from './clean-rules.ts';
import type { MarkdownPackages } from './sanitize-packages.ts';

type Root = ReturnType<ReturnType<MarkdownPackages['remark']['remark']>['parse']>;
type Node = Root['children'][number];

/** A longer text is not read: there are tables and lists of this length that take seconds. */
const LONGEST = 100_000;
/** The parser compares the marks of a block with each other: this many comparisons take about a second. */
const MOST_COMPARED = 20_000_000;
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
): (markdown: string) => string {
  const processor = remark.remark().use(gfm.default).freeze();

  function cleanMarkdown(markdown: string): string {
    if (isPlain(markdown)) return markdown;
    if (markdown.length > LONGEST || comparisons(markdown) > MOST_COMPARED) return disarmed(markdown);
    try {
      let before = markdown;
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const after = cleanOnce(before);
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

  function cleanOnce(markdown: string): string {
    const tree = processor.parse(markdown);
    const unsafe = unsafeDefinitions(tree);
    const clean = (nodes: readonly Node[], isInline: boolean): Node[] =>
      nodes.flatMap((node): Node[] => {
        if (node.type === 'html') {
          const value = isInline ? cleanTag(node.value) : cleanBlock(node.value);
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
  function cleanBlock(html: string): string {
    return cleanHtml(html, RULES, escapeInMarkdown);
  }

  /** One tag within a line: its end is another node. */
  function cleanTag(html: string): string {
    const [, name] = /^<\/([a-z][a-z\d]*)\s*>$/i.exec(html) ?? [];
    if (name) return ELEMENTS.includes(name.toLowerCase()) ? `</${name.toLowerCase()}>` : '';
    const whole = cleanBlock(html);
    const end = whole.lastIndexOf('</');
    return end < 0 ? whole : whole.slice(0, end);
  }

  return cleanMarkdown;
}

/** Where a link leads, or a definition: up to where a scheme can be. */
const LINK = /\]([^\S\n]*[(:]\s*)([^\s)\]/?#]*)/g;

/** How long reading takes, where marks are piled up. */
function comparisons(markdown: string): number {
  const blocks = markdown.split(/\n\s*\n/);
  return blocks.reduce((sum, block) => sum + (block.match(/[*_~[\]!<>]/g)?.length ?? 0) ** 2, 0);
}

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
