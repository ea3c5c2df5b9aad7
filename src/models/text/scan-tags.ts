import { decodeEntities } from './entities.ts';

interface Attribute {
  /** In lower case. */
  readonly name: string;
  /** With entities decoded. */
  readonly value: string;
  /** Its position in the HTML. */
  readonly from: number;
  readonly to: number;
}

export interface Tag {
  readonly start: number;
  /** In lower case; with a leading slash for an end tag. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** Where the name ends: an attribute can be inserted here. */
  readonly nameEnd: number;
  readonly end: number;
}

/** Elements without tags in their content; `noscript` too, if scripts are enabled. */
const RAW_TEXT = new Set('iframe noembed noframes noscript script style textarea title xmp'.split(' '));

/** The tags of HTML, as browsers parse them: none in comments, scripts or escaped text. Takes linear time. */
export function* scanTags(html: string): Generator<Tag> {
  for (const { tag } of scanMarkup(html)) if (tag) yield tag;
}

interface Markup {
  readonly start: number;
  /** After the content, of an element without tags in it. */
  readonly end: number;
  /** `undefined` for a comment, a declaration, and a tag that never ends. */
  readonly tag: Tag | undefined;
}

/** The parts of HTML that are not text, in the same way. */
export function* scanMarkup(html: string): Generator<Markup> {
  let start = html.indexOf('<');
  while (start >= 0) {
    const tag = isTagAt(html, start) ? readTag(html, start) : undefined;
    let end = tag?.end ?? endOfMarkup(html, start);
    if (tag && RAW_TEXT.has(tag.name)) end = endOfRawText(html, end, tag.name);
    const isText = html.slice(start, end) === '<';
    if (!isText) yield { start, end, tag };
    if (tag?.name === 'plaintext') return;
    start = html.indexOf('<', end);
  }
}

function isTagAt(html: string, at: number): boolean {
  return /[a-z]/i.test(html.charAt(html.charAt(at + 1) === '/' ? at + 2 : at + 1));
}

/** The end of a comment, a declaration or a bare `<`; of the HTML for a tag that never ends. */
function endOfMarkup(html: string, at: number): number {
  if (isTagAt(html, at)) return html.length;
  if (html.startsWith('<!--', at)) {
    return matchEnd(html, at + 4, /-?>/y) ?? matchEnd(html, at + 4, /--!?>/g) ?? html.length;
  }
  return /[!?/]/.test(html.charAt(at + 1)) ? (matchEnd(html, at + 2, />/g) ?? html.length) : at + 1;
}

function endOfRawText(html: string, from: number, name: string): number {
  const end = matchEnd(html, from, new RegExp(`</${name}(?=[\\s/>])`, 'gi'));
  return end === undefined ? html.length : end - name.length - 2;
}

/** The tag that starts here; `undefined` if it never ends. */
function readTag(html: string, start: number): Tag | undefined {
  let at = matchEnd(html, start + 1, /[^\s/>]+|\/[^\s/>]+/y) ?? start;
  const name = html.slice(start + 1, at).toLowerCase();
  const attributes: Attribute[] = [];
  const nameEnd = at;
  for (;;) {
    at = matchEnd(html, at, /[\s/]*/y) ?? at;
    if (at >= html.length) return undefined;
    if (html.charAt(at) === '>') return { name, attributes, start, nameEnd, end: at + 1 };
    const from = at;
    // A name may start with `=`.
    at = matchEnd(html, at + 1, /[^\s/>=]*/y) ?? at;
    const attribute = html.slice(from, at).toLowerCase();
    const value = readValue(html, at);
    at = value.end;
    if (at > html.length) return undefined;
    attributes.push({ name: attribute, value: decodeEntities(value.text), from, to: at });
  }
}

/** The value after `=`, if there is one. `end` is beyond the HTML if a quote is never closed. */
function readValue(html: string, from: number): { text: string; end: number } {
  const start = matchEnd(html, from, /\s*=\s*/y);
  if (start === undefined) return { text: '', end: from };
  const quote = html.charAt(start);
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, start + 1);
    return close < 0
      ? { text: '', end: html.length + 1 }
      : { text: html.slice(start + 1, close), end: close + 1 };
  }
  const end = matchEnd(html, start, /[^\s>]*/y) ?? start;
  return { text: html.slice(start, end), end };
}

/** Where the next match ends; a sticky pattern must match at `from`. */
function matchEnd(html: string, from: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = from;
  return pattern.exec(html) ? pattern.lastIndex : undefined;
}
