/** An opening tag. */
export interface Tag {
  /** From `<` to `>`. */
  readonly text: string;
  /** In lower case. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** How many elements are open around it. */
  readonly depth: number;
}

/** An attribute with its value, as a stretch of the tag's text. */
export interface Attribute {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose content is no HTML. */
const RAW: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);

/**
 * Rebuilds HTML with each opening tag replaced by what `change` answers. Everything else stays as it
 * is, to the byte. Takes time in proportion to the length, whatever the HTML is.
 */
export function mapTags(html: string, change: (tag: Tag) => string): string {
  const open = new OpenElements();
  let result = '';
  let done = 0;
  let at = html.indexOf('<');
  while (at >= 0) {
    let end = skipMarkup(html, at);
    if (end === undefined) {
      const tag = readTag(html, at);
      if (!tag) break;
      end = at + tag.text.length;
      if (tag.closing) open.close(tag.name);
      else {
        result += html.slice(done, at) + change({ ...tag, depth: open.depth });
        done = end;
        if (RAW.has(tag.name)) end = endOfRaw(html, end, tag.name);
        else if (!VOID.has(tag.name) && !tag.text.endsWith('/>')) open.open(tag.name);
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

  /** Closes an element with all that were left open in it; a tag that closes nothing is passed over. */
  close(name: string): void {
    if (!this.#counts.get(name)) return;
    for (let last = this.#names.pop(); last !== undefined; last = this.#names.pop()) {
      this.#counts.set(last, (this.#counts.get(last) ?? 0) - 1);
      if (last === name) return;
    }
  }
}

/** The end of a comment, a declaration or a bare `<`; `undefined` where a tag begins. */
function skipMarkup(html: string, at: number): number | undefined {
  if (html.startsWith('<!--', at)) return endAfter(html, '-->', at + 4);
  if (/[!?]/.test(html.charAt(at + 1))) return endAfter(html, '>', at + 2);
  return /[a-z]/i.test(html.charAt(html.charAt(at + 1) === '/' ? at + 2 : at + 1)) ? undefined : at + 1;
}

function endAfter(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

function endOfRaw(html: string, from: number, name: string): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

/** The tag that begins here; `undefined` if it never ends. */
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
    // An attribute may even begin with `=`.
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

function skip(html: string, from: number, what: RegExp): number {
  what.lastIndex = from;
  what.exec(html);
  return what.lastIndex;
}

/** Past `= value`, if there is one. */
function endOfValue(html: string, from: number): number {
  const equals = skip(html, from, SPACE);
  if (html.charAt(equals) !== '=') return from;
  const value = skip(html, equals + 1, SPACE);
  const quote = html.charAt(value);
  return quote === '"' || quote === "'" ? endAfter(html, quote, value + 1) : skip(html, value, BARE_VALUE);
}
