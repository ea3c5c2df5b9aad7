import type { Schema } from 'hast-util-sanitize';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { plainText } from '../../models/text/plain-text.ts';
import { prefixedId } from './id-prefix.ts';
import type { HtmlPackages } from './sanitize-packages.ts';
import { classFilter, RULES } from './sanitize-rules.ts';

type Tree = Parameters<HtmlPackages['sanitizer']['sanitize']>[0];
type Parsed = DefaultTreeAdapterTypes.ChildNode;
type Encode = (text: string) => string;

/** A few unclosed tags can make the parser create millions of elements. */
const MAX_ELEMENTS = 100_000;
/** Sanitizing may change how HTML is parsed, so it is repeated until the result is stable. */
const MAX_ROUNDS = 5;

export interface SanitizeHtmlOptions {
  readonly rules?: Schema | undefined;
  readonly encode?: Encode | undefined;
  /** Whether a class is kept. Default: those of code. */
  readonly keepsClass?: ((name: string) => boolean) | undefined;
}

export interface HtmlSanitizer {
  /**
   * HTML with only what the rules allow. The result is parsed again until it is stable, so that browsers
   * parse it as we did. HTML that is nested too deeply, or does not become stable, is replaced by its plain text.
   */
  sanitizeHtml(html: string, options?: SanitizeHtmlOptions): string;
  /** Whether the rules allow the URL in a link. */
  isSafeLink(url: string): boolean;
}

export function createHtmlSanitizer({ parse5, sanitizer }: HtmlPackages): HtmlSanitizer {
  const { defaultTreeAdapter, html: HTML, parseFragment } = parse5;
  const { sanitize } = sanitizer;

  function sanitizeHtml(html: string, options: SanitizeHtmlOptions = {}): string {
    const { rules = RULES, encode = encodeHtml, keepsClass = CODE_CLASSES_ONLY } = options;
    try {
      let before = html;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const tree = sanitize(parse(before), rules);
        const after = write(tree, encode);
        // Ids and classes come last: their values do not change how the rest is parsed.
        if (after === before)
          return HAS_NAMES.test(after) ? write(tree, encode, rewriteNames(keepsClass)) : after;
        before = after;
      }
    } catch (error) {
      // Stack overflow, or too many elements.
      if (!(error instanceof RangeError)) throw error;
    }
    return encode(plainText(html));
  }

  function isSafeLink(url: string): boolean {
    const link = { type: 'element', tagName: 'a', properties: { href: normalizeUrl(url) }, children: [] };
    const safe = sanitize(link as Tree, RULES);
    return safe.type === 'element' && safe.properties.href !== undefined;
  }

  function parse(html: string): Tree {
    let elements = 0;
    const treeAdapter: typeof defaultTreeAdapter = {
      ...defaultTreeAdapter,
      createElement(...element) {
        elements += 1;
        if (elements > MAX_ELEMENTS) throw new RangeError('too many elements');
        return defaultTreeAdapter.createElement(...element);
      },
    };
    const body = treeAdapter.createElement('body', HTML.NS.HTML, []);
    const { childNodes } = parseFragment(body, html, { treeAdapter });
    return { type: 'root', children: childNodes.flatMap(toTree) as never };
  }

  return { sanitizeHtml, isSafeLink };
}

/** Attributes keep their HTML names, which the rules use. */
function toTree(node: Parsed): Tree[] {
  if (node.nodeName === '#text') return [{ type: 'text', value: (node as { value: string }).value }];
  if (!('tagName' in node)) return [];
  const properties = Object.fromEntries(
    node.attrs.map(({ name, value }) => [name, URL_ATTRIBUTES.has(name) ? normalizeUrl(value) : value]),
  );
  const children = node.childNodes.flatMap(toTree) as never;
  return [{ type: 'element', tagName: node.tagName, properties, children }];
}

const CODE_CLASSES_ONLY = classFilter();

/** Matches HTML with an id or a class, or with a reference to an id. */
const HAS_NAMES = / (?:id|class|href|headers|aria-labelledby|aria-describedby)="/;
/** Attributes whose values are lists of ids. */
const ID_LISTS = new Set(['aria-labelledby', 'aria-describedby', 'headers']);

type RewriteAttribute = (name: string, value: string) => string | undefined;

/** Adds the prefix to ids and to references to them, and removes classes that are not kept. */
function rewriteNames(keepsClass: (name: string) => boolean): RewriteAttribute {
  return (name, value) => {
    if (value === '') return value;
    if (name === 'class') return value.split(/\s+/).filter(keepsClass).join(' ') || undefined;
    if (name === 'id') return prefixedId(value);
    if (ID_LISTS.has(name)) return value.split(/\s+/).filter(Boolean).map(prefixedId).join(' ');
    const isFragment = name === 'href' && value.length > 1 && value.startsWith('#');
    return isFragment ? `#${prefixedId(value.slice(1))}` : value;
  };
}

const URL_ATTRIBUTES = new Set(['href', 'src', 'poster', 'cite']);

/** As browsers parse it: trimmed, with the scheme in lower case. */
function normalizeUrl(url: string): string {
  return url.trim().replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase());
}

const VOID_ELEMENTS = new Set('br col hr img input source track wbr'.split(' '));

function write(node: Tree, encode: Encode, rewrite?: RewriteAttribute): string {
  if (node.type === 'text') return encode(node.value);
  if (node.type !== 'element' && node.type !== 'root') return '';
  const children = node.children.map((child) => write(child, encode, rewrite)).join('');
  if (node.type === 'root') return children;
  const { tagName, properties } = node;
  const attributes = Object.entries(properties).map(([name, value]) => {
    const written = rewrite ? rewrite(name, String(value)) : String(value);
    return written === undefined ? '' : ` ${name}="${encode(written)}"`;
  });
  const start = `<${tagName}${attributes.join('')}>`;
  if (VOID_ELEMENTS.has(tagName)) return start;
  // The parser drops a newline at the start of `pre`.
  const newline = tagName === 'pre' && children.startsWith(encode('\n')) ? encode('\n') : '';
  return `${start}${newline}${children}</${tagName}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};

function encodeHtml(text: string): string {
  return text.replaceAll(/[&<>"\u00a0]/g, (character) => ENTITIES[character] ?? character);
}
