/** An attribute of a tag: its name in lower case, its value without entities, and where it stands. */
interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

export interface Tag {
  readonly start: number;
  /** In lower case; with a slash before it where the tag closes. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** Past its name, where an attribute can be put whatever comes after it. */
  readonly content: number;
  readonly end: number;
}

/** Elements whose content is text, whatever it looks like. Browsers read `noscript` as such, too. */
const RAW = new Set('iframe noembed noframes noscript script style textarea title xmp'.split(' '));

/** The tags of HTML, as browsers read them: none in comments, scripts or what is escaped. Takes linear time. */
export function* tagsOf(html: string): Generator<Tag> {
  let at = html.indexOf('<');
  while (at >= 0) {
    const tag = isTagAt(html, at) ? readTag(html, at) : undefined;
    if (tag) yield tag;
    if (tag?.name === 'plaintext') return;
    const end = tag?.end ?? endOfMarkup(html, at);
    at = html.indexOf('<', tag && RAW.has(tag.name) ? endOfRaw(html, end, tag.name) : end);
  }
}

function isTagAt(html: string, at: number): boolean {
  return /[a-z]/i.test(html.charAt(html.charAt(at + 1) === '/' ? at + 2 : at + 1));
}

/** The end of a comment, a declaration, a bare `<`, or of all if a tag never ends. */
function endOfMarkup(html: string, at: number): number {
  if (isTagAt(html, at)) return html.length;
  if (html.startsWith('<!--', at)) {
    return past(html, at + 4, /-?>/y) ?? past(html, at + 4, /--!?>/g) ?? html.length;
  }
  return /[!?/]/.test(html.charAt(at + 1)) ? (past(html, at + 2, />/g) ?? html.length) : at + 1;
}

function endOfRaw(html: string, from: number, name: string): number {
  const end = past(html, from, new RegExp(`</${name}(?=[\\s/>])`, 'gi'));
  return end === undefined ? html.length : end - name.length - 2;
}

/** The tag that begins here, as browsers read it; `undefined` if it never ends. */
function readTag(html: string, start: number): Tag | undefined {
  let at = past(html, start + 1, /[^\s/>]+|\/[^\s/>]+/y) ?? start;
  const name = html.slice(start + 1, at).toLowerCase();
  const attributes: Attribute[] = [];
  const content = at;
  for (;;) {
    at = past(html, at, /[\s/]*/y) ?? at;
    if (at >= html.length) return undefined;
    if (html.charAt(at) === '>') return { name, attributes, start, content, end: at + 1 };
    const from = at;
    // A name may even begin with `=`.
    at = past(html, at + 1, /[^\s/>=]*/y) ?? at;
    const attribute = html.slice(from, at).toLowerCase();
    const value = readValue(html, at);
    at = value.end;
    if (at > html.length) return undefined;
    attributes.push({ name: attribute, value: decode(value.text), from, to: at });
  }
}

/** What follows `=`, if it does; an end past the text if a quote is never closed. */
function readValue(html: string, from: number): { text: string; end: number } {
  const start = past(html, from, /\s*=\s*/y);
  if (start === undefined) return { text: '', end: from };
  const quote = html.charAt(start);
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, start + 1);
    return close < 0
      ? { text: '', end: html.length + 1 }
      : { text: html.slice(start + 1, close), end: close + 1 };
  }
  const end = past(html, start, /[^\s>]*/y) ?? start;
  return { text: html.slice(start, end), end };
}

/** Where a match ends that is looked for from here on. */
function past(html: string, from: number, what: RegExp): number | undefined {
  what.lastIndex = from;
  return what.exec(html) ? what.lastIndex : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

function decode(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|quot|apos|lt|gt));/gi,
    (whole, hex, dec, name) => {
      if (name) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = hex ? Number.parseInt(hex, 16) : Number(dec);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
