import type { Schema } from 'hast-util-sanitize';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { plainText } from '../../models/plain-text.ts';
import { prefixedId } from './id-prefix.ts';
import type { HtmlPackages } from './sanitize-packages.ts';
import { classFilter, RULES } from './sanitize-rules.ts';

type Tree = Parameters<HtmlPackages['sanitizer']['sanitize']>[0];
type Parsed = DefaultTreeAdapterTypes.ChildNode;
type Encode = (text: string) => string;

/** More elements than any text has. A few unclosed tags could make the parser create them without end. */
const MOST_ELEMENTS = 100_000;
/** Cleaning may change how a text is read, and so what is to be cleaned; never for long. */
const MOST_ROUNDS = 5;

export interface CleanOptions {
  readonly rules?: Schema | undefined;
  readonly encode?: Encode | undefined;
  /** Which classes stay. Default: those of code. */
  readonly keepsClass?: ((name: string) => boolean) | undefined;
}

export interface HtmlCleaner {
  /**
   * HTML without active content: only what the rules name is left. The result is read again until it stays
   * as it is, so that it means to a browser what it means here. What is nested too deeply to be read, or does
   * not come to rest, becomes its plain text.
   */
  cleanHtml(html: string, options?: CleanOptions): string;
  /** Whether a link may lead there. */
  isSafeLink(url: string): boolean;
}

export function createHtmlCleaner({ parse5, sanitizer }: HtmlPackages): HtmlCleaner {
  const { defaultTreeAdapter, html: HTML, parseFragment } = parse5;
  const { sanitize } = sanitizer;

  function cleanHtml(html: string, options: CleanOptions = {}): string {
    const { rules = RULES, encode = encodeHtml, keepsClass = CODE_CLASSES_ONLY } = options;
    try {
      let before = html;
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const tree = sanitize(parse(before), rules);
        const after = write(tree, encode);
        // Ids and classes come last: no value of theirs changes how the rest is read.
        if (after === before) return NAMING.test(after) ? write(tree, encode, renamed(keepsClass)) : after;
        before = after;
      }
    } catch (error) {
      // The stack's end, or ours.
      if (!(error instanceof RangeError)) throw error;
    }
    return encode(plainText(html));
  }

  function isSafeLink(url: string): boolean {
    const link = { type: 'element', tagName: 'a', properties: { href: normal(url) }, children: [] };
    const safe = sanitize(link as Tree, RULES);
    return safe.type === 'element' && safe.properties.href !== undefined;
  }

  function parse(html: string): Tree {
    let elements = 0;
    const treeAdapter: typeof defaultTreeAdapter = {
      ...defaultTreeAdapter,
      createElement(...element) {
        elements += 1;
        if (elements > MOST_ELEMENTS) throw new RangeError('too many elements');
        return defaultTreeAdapter.createElement(...element);
      },
    };
    const body = treeAdapter.createElement('body', HTML.NS.HTML, []);
    const { childNodes } = parseFragment(body, html, { treeAdapter });
    return { type: 'root', children: childNodes.flatMap(asTree) as never };
  }

  return { cleanHtml, isSafeLink };
}

/** Attributes keep the names that they have in HTML, which is how the rules name them. */
function asTree(node: Parsed): Tree[] {
  if (node.nodeName === '#text') return [{ type: 'text', value: (node as { value: string }).value }];
  if (!('tagName' in node)) return [];
  const properties = Object.fromEntries(
    node.attrs.map(({ name, value }) => [name, ADDRESSES.has(name) ? normal(value) : value]),
  );
  const children = node.childNodes.flatMap(asTree) as never;
  return [{ type: 'element', tagName: node.tagName, properties, children }];
}

const CODE_CLASSES_ONLY = classFilter();

/** Whether a text has an id or a class, or something that refers to an id. */
const NAMING = / (?:id|class|href|headers|aria-labelledby|aria-describedby)="/;
/** Lists of ids that an element refers to. */
const REFERRING = new Set(['aria-labelledby', 'aria-describedby', 'headers']);

type Rename = (name: string, value: string) => string | undefined;

/** Ids get their prefix, and whatever refers to one inside the text. Of classes, those stay that may. */
function renamed(keepsClass: (name: string) => boolean): Rename {
  return (name, value) => {
    if (value === '') return value;
    if (name === 'class') return value.split(/\s+/).filter(keepsClass).join(' ') || undefined;
    if (name === 'id') return prefixedId(value);
    if (REFERRING.has(name)) return value.split(/\s+/).filter(Boolean).map(prefixedId).join(' ');
    const isFragment = name === 'href' && value.length > 1 && value.startsWith('#');
    return isFragment ? `#${prefixedId(value.slice(1))}` : value;
  };
}

const ADDRESSES = new Set(['href', 'src', 'poster', 'cite']);

/** As browsers read it: without spaces around it, the scheme in any case. */
function normal(url: string): string {
  return url.trim().replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase());
}

const VOID = new Set('br col hr img input source track wbr'.split(' '));

function write(node: Tree, encode: Encode, rename?: Rename): string {
  if (node.type === 'text') return encode(node.value);
  if (node.type !== 'element' && node.type !== 'root') return '';
  const children = node.children.map((child) => write(child, encode, rename)).join('');
  if (node.type === 'root') return children;
  const { tagName, properties } = node;
  const attributes = Object.entries(properties).map(([name, value]) => {
    const shown = rename ? rename(name, String(value)) : String(value);
    return shown === undefined ? '' : ` ${name}="${encode(shown)}"`;
  });
  const start = `<${tagName}${attributes.join('')}>`;
  if (VOID.has(tagName)) return start;
  // The parser leaves out a line end that comes first.
  const line = tagName === 'pre' && children.startsWith(encode('\n')) ? encode('\n') : '';
  return `${start}${line}${children}</${tagName}>`;
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
