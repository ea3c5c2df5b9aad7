/** An opening tag. */
export interface Tag {
  /** The source, from `<` to `>`. */
  readonly text: string;
  /** In lower case. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** The number of elements around it. */
  readonly depth: number;
}

/** An attribute with its value, as a range of the tag's `text`. */
export interface Attribute {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose content is not HTML. */
const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);

/**
 * Replaces each opening tag of HTML by the result of `change` and leaves everything else unchanged. Takes linear
 * time, even for invalid HTML.
 */
export function mapTags(html: string, change: (tag: Tag) => string): string {
  const open = new OpenElements();
  let result = '';
  let done = 0;
  let at = html.indexOf('<');
  while (at >= 0) {
    let end = skipNonTag(html, at);
    if (end === undefined) {
      const tag = readTag(html, at);
      if (!tag) break;
      end = at + tag.text.length;
      if (tag.closing) open.close(tag.name);
      else {
        result += html.slice(done, at) + change({ ...tag, depth: open.depth });
        done = end;
        if (RAW_TEXT_ELEMENTS.has(tag.name)) end = endOfRawText(html, end, tag.name);
        else if (!VOID_ELEMENTS.has(tag.name) && !tag.text.endsWith('/>')) open.open(tag.name);
      }
    }
    at = html.indexOf('<', end);
  }
  return result + html.slice(done);
}

class OpenElements {
  readonly #names: string[] = [];
  readonly #counts = new Map<string, number>();

  get depth(): number {
    return this.#names.length;
  }

  open(name: string): void {
    this.#names.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Closes an element and all that are open in it. Ignores a tag without an open element. */
  close(name: string): void {
    if (!this.#counts.get(name)) return;
    for (let last = this.#names.pop(); last !== undefined; last = this.#names.pop()) {
      this.#counts.set(last, (this.#counts.get(last) ?? 0) - 1);
      if (last === name) return;
    }
  }
}

/** The end of a comment, a declaration or a literal `<`; `undefined` where a tag begins. */
function skipNonTag(html: string, at: number): number | undefined {
  if (html.startsWith('<!--', at)) return endAfter(html, '-->', at + 4);
  if (/[!?]/.test(html.charAt(at + 1))) return endAfter(html, '>', at + 2);
  return /[a-z]/i.test(html.charAt(html.charAt(at + 1) === '/' ? at + 2 : at + 1)) ? undefined : at + 1;
}

function endAfter(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

function endOfRawText(html: string, from: number, name: string): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

/** Parses the tag at `start`; `undefined` if it has no end. */
function readTag(html: string, start: number): (Omit<Tag, 'depth'> & { closing: boolean }) | undefined {
  const closing = html.charAt(start + 1) === '/';
  const nameFrom = start + (closing ? 2 : 1);
  let at = skip(html, nameFrom, NAME);
  const name = html.slice(nameFrom, at).toLowerCase();
  const attributes: Attribute[] = [];
  for (;;) {
    at = skip(html, at, BETWEEN);
    if (at >= html.length) return undefined;
    if (html.charAt(at) === '>') return { text: html.slice(start, at + 1), name, attributes, closing };
    const from = at;
    // The name of an attribute may begin with `=`.
    at = skip(html, at + 1, ATTRIBUTE_NAME);
    const attribute = html.slice(from, at).toLowerCase();
    at = endOfValue(html, at);
    attributes.push({ name: attribute, from: from - start, to: at - start });
  }
}

const NAME = /[^\s/>]*/y;
const BETWEEN = /[\s/]*/y;
const ATTRIBUTE_NAME = /[^\s/>=]*/y;
const SPACE = /\s*/y;
const BARE_VALUE = /[^\s>]*/y;

function skip(html: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  pattern.exec(html);
  return pattern.lastIndex;
}

/** The index after `= value`, if the attribute has a value. */
function endOfValue(html: string, from: number): number {
  const equals = skip(html, from, SPACE);
  if (html.charAt(equals) !== '=') return from;
  const value = skip(html, equals + 1, SPACE);
  const quote = html.charAt(value);
  return quote === '"' || quote === "'" ? endAfter(html, quote, value + 1) : skip(html, value, BARE_VALUE);
}
