import type { Schema } from 'hast-util-sanitize';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { plainText } from '../models/plain-text.ts';
import { RULES } from './clean-rules.ts';
import type { HtmlPackages } from './sanitize-packages.ts';

type Tree = Parameters<HtmlPackages['sanitizer']['sanitize']>[0];
type Parsed = DefaultTreeAdapterTypes.ChildNode;
type Encode = (text: string) => string;

/** More elements than any text has. A few unclosed tags could make the parser create them without end. */
const MOST_ELEMENTS = 100_000;
/** Cleaning may change how a text is read, and so what is to be cleaned; never for long. */
const MOST_ROUNDS = 5;

export interface HtmlCleaner {
  /**
   * HTML without active content: only what the rules name is left. The result is read again until it stays
   * as it is, so that it means to a browser what it means here. What is nested too deeply to be read, or does
   * not come to rest, becomes its plain text.
   */
  cleanHtml(html: string, rules?: Schema, encode?: Encode): string;
  /** Whether a link may lead there. */
  isSafeLink(url: string): boolean;
}

export function createHtmlCleaner({ parse5, sanitizer }: HtmlPackages): HtmlCleaner {
  const { defaultTreeAdapter, html: HTML, parseFragment } = parse5;
  const { sanitize } = sanitizer;

  function cleanHtml(html: string, rules: Schema = RULES, encode: Encode = encodeHtml): string {
    try {
      let before = html;
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const after = write(sanitize(parse(before), rules), encode);
        if (after === before) return after;
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

const ADDRESSES = new Set(['href', 'src', 'poster', 'cite']);

/** As browsers read it: without spaces around it, the scheme in any case. */
function normal(url: string): string {
  return url.trim().replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase());
}

const VOID = new Set('br col hr img input source track wbr'.split(' '));

function write(node: Tree, encode: Encode): string {
  if (node.type === 'text') return encode(node.value);
  if (node.type !== 'element' && node.type !== 'root') return '';
  const children = node.children.map((child) => write(child, encode)).join('');
  if (node.type === 'root') return children;
  const { tagName, properties } = node;
  const attributes = Object.entries(properties).map(([name, value]) => ` ${name}="${encode(String(value))}"`);
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
