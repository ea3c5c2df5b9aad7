import { isQuickToParse } from './markdown-cost.ts';
import type { HtmlSanitizer } from './sanitize-html.ts';
import type { MarkdownPackages } from './sanitize-packages.ts';
import { ELEMENTS, RULES } from './sanitize-rules.ts';

type Root = ReturnType<ReturnType<MarkdownPackages['remark']['remark']>['parse']>;
type Node = Root['children'][number];

/** Sanitizing may change how Markdown is parsed, so it is repeated until the result is stable. */
const MAX_ROUNDS = 5;

/**
 * Markdown without active content in any renderer. Raw HTML is sanitized, links and images with unsafe URLs are
 * replaced by their text, and the rest is reformatted so that all renderers parse it alike. Markdown without
 * either is unchanged. If parsing would take too long, or the result does not become stable, all tags and unsafe
 * links are escaped.
 */
export function createMarkdownSanitizer(
  { remark, gfm }: MarkdownPackages,
  { sanitizeHtml, isSafeLink }: HtmlSanitizer,
): (markdown: string, keepsClass?: (name: string) => boolean) => string {
  const processor = remark
    .remark()
    .use(gfm.default)
    .data('settings', { handlers: { root: writeRoot } })
    .freeze();

  function sanitizeMarkdown(markdown: string, keepsClass?: (name: string) => boolean): string {
    if (isHarmless(markdown)) return markdown;
    if (!isQuickToParse(markdown)) return escapeAll(markdown);
    try {
      let before = markdown;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const after = sanitizeOnce(before, keepsClass);
        if (after === before) return after;
        before = after;
      }
    } catch (error) {
      // Stack overflow: nested too deeply.
      if (!(error instanceof RangeError)) throw error;
    }
    return escapeAll(markdown);
  }

  /** Whether no renderer can find a tag or an unsafe link in it. */
  function isHarmless(markdown: string): boolean {
    if (markdown.includes('<')) return false;
    for (const [, , start = ''] of markdown.matchAll(LINK)) if (!isSafe(start)) return false;
    return true;
  }

  /** Escapes every tag and every unsafe link, also in code. */
  function escapeAll(markdown: string): string {
    return markdown
      .replaceAll('<', '&lt;')
      .replaceAll(LINK, (whole, between: string, start: string) =>
        isSafe(start) ? whole : `&#93;${between}${start}`,
      );
  }

  function sanitizeOnce(markdown: string, keepsClass: ((name: string) => boolean) | undefined): string {
    const tree = processor.parse(markdown);
    const unsafe = unsafeDefinitions(tree);
    const sanitizeNodes = (nodes: readonly Node[], isInline: boolean): Node[] =>
      nodes.flatMap((node): Node[] => {
        if (node.type === 'html') {
          const value = isInline
            ? sanitizeTag(node.value, keepsClass)
            : sanitizeBlock(node.value, keepsClass);
          return value === '' ? [] : [{ type: 'html', value }];
        }
        if (node.type === 'definition') return isSafe(node.url) ? [withEncodedUrl(node)] : [];
        if (node.type === 'image') return isSafe(node.url) ? [withEncodedUrl(node)] : textOf(node.alt);
        if (node.type === 'imageReference') return unsafe.has(node.identifier) ? textOf(node.alt) : [node];
        if (!('children' in node)) return [node];
        const children = sanitizeNodes(node.children, isInline || !BLOCK_CONTAINERS.has(node.type));
        const isUnsafe =
          (node.type === 'link' && !isSafe(node.url)) ||
          (node.type === 'linkReference' && unsafe.has(node.identifier));
        if (isUnsafe) return children;
        return [{ ...(node.type === 'link' ? withEncodedUrl(node) : node), children } as Node];
      });
    return processor.stringify({ type: 'root', children: sanitizeNodes(tree.children, false) } as Root);
  }

  /** The names of definitions with an unsafe URL. Renderers use the first of a name; here one unsafe one is enough. */
  function unsafeDefinitions(tree: Root): Set<string> {
    const found = new Set<string>();
    const visit = (node: Root | Node): void => {
      if (node.type === 'definition' && !isSafe(node.url)) found.add(node.identifier);
      if ('children' in node) for (const child of node.children) visit(child);
    };
    visit(tree);
    return found;
  }

  /** Stricter than for HTML: other renderers may decode characters in place of a scheme in their own way. */
  function isSafe(url: string): boolean {
    return isSafeLink(url) && !/[&\\<>\p{C}\s]/u.test(/^[^/?#]*/.exec(url)?.[0] ?? '');
  }

  /**
   * HTML in which nothing can be parsed as Markdown. Unclosed elements are closed, although Markdown follows: some
   * renderers pass everything up to the end tag on as HTML, also tags that are escaped or in code.
   */
  function sanitizeBlock(html: string, keepsClass: ((name: string) => boolean) | undefined): string {
    return sanitizeHtml(html, { rules: RULES, encode: escapeInMarkdown, keepsClass });
  }

  /** An inline tag. Its end tag is a node of its own. */
  function sanitizeTag(html: string, keepsClass: ((name: string) => boolean) | undefined): string {
    const [, name] = /^<\/([a-z][a-z\d]*)\s*>$/i.exec(html) ?? [];
    if (name) return ELEMENTS.includes(name.toLowerCase()) ? `</${name.toLowerCase()}>` : '';
    const whole = sanitizeBlock(html, keepsClass);
    const end = whole.lastIndexOf('</');
    return end < 0 ? whole : whole.slice(0, end);
  }

  return sanitizeMarkdown;
}

/** The start of the URL of a link or a definition, up to the end of a scheme. */
const LINK = /\]([^\S\n]*[(:]\s*)([^\s)\]/?#]*)/g;

/**
 * Writes a document with `&lt;` wherever `<` is text. remark would write `\<`, which is the start of a tag for renderers
 * that do not know this escape: Showdown, and others like the first Markdown.
 */
function writeRoot(root: Root, _parent: unknown, writer: MarkdownWriter, info: unknown): string {
  const { safe } = writer;
  writer.safe = (...text) =>
    safe.apply(writer, text).replaceAll(/\\?<|\\./gs, (found) => (found.endsWith('<') ? '&lt;' : found));
  return writer.containerFlow(root, info);
}

/** The part of remark's state that is used here. */
interface MarkdownWriter {
  /** Escapes text, and the parts of links and code that are not Markdown. */
  safe(value: string | null | undefined, config: unknown): string;
  containerFlow(root: Root, info: unknown): string;
}

/** Some renderers do not decode character references in URLs. */
function withEncodedUrl<T extends { url: string }>(node: T): T {
  return { ...node, url: node.url.replaceAll('<', '%3C') };
}

/** Nodes that contain blocks. */
const BLOCK_CONTAINERS = new Set(['blockquote', 'list', 'listItem', 'footnoteDefinition']);

function textOf(text: string | null | undefined): Node[] {
  return text ? [{ type: 'text', value: text }] : [];
}

/** For text and attributes of HTML in Markdown. A newline could end the block of HTML. */
function escapeInMarkdown(text: string): string {
  return text.replaceAll(
    /[&<>"'`*_[\](){}!|~\\\n\r\t\u00a0]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}
