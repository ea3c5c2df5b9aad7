import { type ElementProps, elementProps } from './element-props.ts';
import type { HtmlParser } from './load-parser.ts';
import {
  areEqualTrees,
  childrenOf,
  isElement,
  isText,
  parseTree,
  type TreeElement,
  type TreeNode,
} from './parse-tree.ts';

/** A part of a text: HTML, or an element that a component renders. */
export type RichNode = string | RichElement;

export interface RichElement {
  readonly name: string;
  readonly props: ElementProps;
  readonly children: readonly RichNode[];
  /** The tags that a component would write that renders the same element. */
  readonly start: string;
  readonly end: string;
}

/** Components within components within …: deeper ones are not rendered by components, so that the stack suffices. */
const MAX_DEPTH = 64;

/**
 * Splits HTML at the elements with these names. `undefined` if the result would not mean the same to a browser: HTML
 * that is so malformed that no HTML with all tags closed is read like it.
 */
export function splitHtml(
  parser: HtmlParser,
  html: string,
  names: ReadonlySet<string>,
): RichNode[] | undefined {
  if (hasDisputedSelect(html)) return undefined;
  try {
    const tree = parseTree(parser, html);
    for (const source of [html, undefined]) {
      const nodes = new HtmlSplitter(parser, names, source).split(tree);
      if (nodes.every((node) => typeof node === 'string')) return [html];
      if (isReadAlike(parser, html, tree, joinNodes(nodes))) return nodes;
    }
  } catch (error) {
    // Stack overflow, or too many elements.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

/** New browsers accept any content in a `select`; older ones, and the parser, only options. */
function hasDisputedSelect(html: string): boolean {
  const [, ...selects] = html.split(/<select(?=[\s/>])/i);
  return selects.some((select) => {
    const [content = '', end] = select.split(/<\/select>/i, 2);
    return end === undefined || /<(?!\/?(?:option|optgroup|hr)[\s>])/i.test(content);
  });
}

/** Whether browsers read the second HTML like the first, with scripts and without. */
function isReadAlike(parser: HtmlParser, html: string, tree: readonly TreeNode[], joined: string): boolean {
  if (!areEqualTrees(tree, parseTree(parser, joined))) return false;
  return (
    !/<noscript/i.test(html) ||
    areEqualTrees(parseTree(parser, html, false), parseTree(parser, joined, false))
  );
}

/** The HTML if no element is rendered by a component. */
export function joinNodes(nodes: readonly RichNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : node.start + joinNodes(node.children) + node.end))
    .join('');
}

const VOID = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);
const RAW_TEXT = new Set('iframe noembed noframes noscript plaintext script style xmp'.split(' '));
/** The parser drops a newline at the start of these. */
const DROPS_NEWLINE = new Set(['listing', 'pre', 'textarea']);

/** A tag, or the start of a character reference that the next text could change. */
const UNCLEAR_TEXT = /[<\0]|&(?!#?\w+;|\s)/;

/** Also what browsers take for a comment, such as `<?x>`. */
const CLOSED_COMMENT = /^<(?:!--[\s\S]*--|[?/][^>]*|!(?!--)[^>]*)>$/;

class HtmlSplitter {
  readonly #parser: HtmlParser;
  readonly #names: ReadonlySet<string>;
  /** Keeps what is not rendered by a component as it is written here; without it, HTML is written anew. */
  readonly #source: string | undefined;
  #depth = 0;

  constructor(parser: HtmlParser, names: ReadonlySet<string>, source: string | undefined) {
    this.#parser = parser;
    this.#names = names;
    this.#source = source;
  }

  split(tree: readonly TreeNode[]): RichNode[] {
    const nodes: RichNode[] = [];
    for (const node of tree) this.#write(node, nodes);
    return nodes;
  }

  #write(node: TreeNode, to: RichNode[]): void {
    if (isText(node)) append(to, this.#text(node.value, node));
    else if (isElement(node)) this.#writeElement(node, to);
    else if ('data' in node) append(to, this.#comment(node.data, node));
  }

  #writeElement(element: TreeElement, to: RichNode[]): void {
    const { tagName, attrs } = element;
    const raw = isRawText(element) ? rawTextOf(element) : '';
    if (this.#isRendered(element)) {
      const children: RichNode[] = [];
      this.#depth += 1;
      if (!isRawText(element)) this.#writeContent(element, children, true);
      this.#depth -= 1;
      const props = elementProps(tagName, attrs);
      const end = VOID.has(tagName) ? '' : `</${tagName}>`;
      to.push({ name: tagName, props, children, start: startTag(element) + raw, end });
      return;
    }
    const start = this.#startTag(element);
    append(to, start + raw);
    if (raw === '') this.#writeContent(element, to, false);
    append(to, this.#endTag(element, start));
  }

  #writeContent(element: TreeElement, to: RichNode[], isRendered: boolean): void {
    if ('content' in element) {
      const inner = new HtmlSplitter(this.#parser, new Set(), this.#source);
      for (const child of childrenOf(element)) inner.#write(child, to);
      return;
    }
    const [first, ...others] = element.childNodes;
    if (!DROPS_NEWLINE.has(element.tagName) || !this.#isHtml(element.namespaceURI) || !isText(first)) {
      for (const child of element.childNodes) this.#write(child, to);
      return;
    }
    const from = element.sourceCodeLocation?.startTag?.endOffset;
    const dropped =
      from === undefined ? '' : (/^\r?\n?/.exec(this.#source?.slice(from, from + 2) ?? '')?.[0] ?? '');
    const isKept = dropped !== '' && !isRendered;
    if (isKept || first.value.startsWith('\n')) append(to, isKept ? dropped : '\n');
    append(to, this.#text(first.value, first, from === undefined ? 0 : from + dropped.length));
    for (const child of others) this.#write(child, to);
  }

  /** Elements of SVG and MathML are not those of HTML with the same name. */
  #isRendered({ tagName, namespaceURI }: TreeElement): boolean {
    return this.#depth < MAX_DEPTH && this.#names.has(tagName) && this.#isHtml(namespaceURI);
  }

  #isHtml(namespace: string): boolean {
    return namespace === this.#parser.html.NS.HTML;
  }

  /** As it is written after `from`, if it is read as this value wherever it is. */
  #text(value: string, { sourceCodeLocation: location }: TreeNode, from = 0): string {
    if (!location || this.#source === undefined) return escapeText(value);
    const written = this.#source.slice(Math.max(from, location.startOffset), location.endOffset);
    const isKept = written.includes('&')
      ? !UNCLEAR_TEXT.test(written) && (from === 0 || !written.startsWith('&'))
      : !written.includes('<') && normalized(written) === value;
    return isKept ? written : escapeText(value);
  }

  #comment(data: string, { sourceCodeLocation: location }: TreeNode): string {
    const written = location && this.#source?.slice(location.startOffset, location.endOffset);
    return written && CLOSED_COMMENT.test(written) ? written : `<!--${data}-->`;
  }

  #startTag(element: TreeElement): string {
    const tag = element.sourceCodeLocation?.startTag;
    return tag && this.#source !== undefined
      ? this.#source.slice(tag.startOffset, tag.endOffset)
      : startTag(element);
  }

  #endTag(
    { tagName, namespaceURI, childNodes, sourceCodeLocation: location }: TreeElement,
    start: string,
  ): string {
    if (this.#isHtml(namespaceURI) ? VOID.has(tagName) : start.endsWith('/>') && childNodes.length === 0)
      return '';
    const tag = location?.endTag;
    return tag && this.#source !== undefined
      ? this.#source.slice(tag.startOffset, tag.endOffset)
      : `</${tagName}>`;
  }
}

function startTag({ tagName, attrs }: TreeElement): string {
  const attributes = attrs.map(({ name, value, prefix }) => {
    return ` ${prefix ? `${prefix}:` : ''}${name}="${escapeText(value)}"`;
  });
  return `<${tagName}${attributes.join('')}>`;
}

/** The text of an element that has no markup. */
function rawTextOf({ childNodes }: TreeElement): string {
  return childNodes.map((node) => (isText(node) ? node.value : '')).join('');
}

function isRawText({ tagName, namespaceURI }: TreeElement): boolean {
  return RAW_TEXT.has(tagName) && namespaceURI.endsWith('/xhtml');
}

/** Adjacent HTML is one node. */
function append(nodes: RichNode[], html: string): void {
  if (html === '') return;
  const last = nodes.at(-1);
  if (typeof last === 'string') nodes[nodes.length - 1] = last + html;
  else nodes.push(html);
}

/** With the line ends that the parser makes of them. */
function normalized(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"\u00a0]/g, (character) => ENTITIES[character] ?? character);
}
