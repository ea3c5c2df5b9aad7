import { decodeEntities } from '../models/text/entities.ts';

/** Brackets, and escaped characters, which are none. */
const MARKS = /\\[\s\S]|!\[|[[\]]/g;
const LABEL = String.raw`\[((?:[^[\]\\]|\\.){1,999})\]`;
/** `<my photo.jpg>`, or without spaces and with parentheses in pairs, which may not contain others. */
const DESTINATION = String.raw`\s*(?:<((?:[^<>\n\\]|\\.){0,2000})>|((?:[^\s()<\\]|\\.|\((?:[^\s()\\]|\\.){0,2000}\)){1,2000}))`;
/** `(URL "title")` */
const INLINE = new RegExp(String.raw`\(${DESTINATION}(?=\s*\)|\s+["'(])`, 'y');
/** `[label]` */
const REFERENCE = new RegExp(LABEL, 'y');
/** `[label]: URL "title"` */
const DEFINITION = new RegExp(String.raw`^[ \t>]*${LABEL}:${DESTINATION}(?=\s|$)`, 'gm');

/**
 * The URLs of images in Markdown, as they are rendered: `![alt](URL "title")`, `![alt][label]` and `![label]`. Those in
 * code count too. Takes linear time: no pattern reads past the next one or two brackets of its kind.
 */
export function markdownImageUrls(markdown: string): string[] {
  const definitions = readDefinitions(markdown);
  const urls: string[] = [];
  const open: { readonly isImage: boolean; readonly from: number }[] = [];
  let lastMark = 0;
  for (const { 0: mark, index } of markdown.matchAll(MARKS)) {
    if (mark.startsWith('\\')) continue;
    const end = index + mark.length;
    if (mark === ']') {
      const { isImage, from } = open.pop() ?? {};
      // A label has no brackets inside.
      const label = from === lastMark ? markdown.slice(from, index) : '';
      const url = isImage ? readTarget(markdown, end, label, definitions) : undefined;
      if (url !== undefined) urls.push(url);
    } else {
      open.push({ isImage: mark === '![', from: end });
    }
    lastMark = end;
  }
  return urls;
}

/** The URL of an image whose alternative text ends here. */
function readTarget(
  markdown: string,
  at: number,
  label: string,
  definitions: ReadonlyMap<string, string>,
): string | undefined {
  const inline = matchAt(INLINE, markdown, at);
  if (inline) return renderedUrl(inline[1] ?? inline[2]);
  return definitions.get(normalizeLabel(matchAt(REFERENCE, markdown, at)?.[1] ?? label));
}

/** URLs by label. Of equal labels the first counts. */
function readDefinitions(markdown: string): Map<string, string> {
  const definitions = new Map<string, string>();
  for (const [, label = '', enclosed, bare] of markdown.matchAll(DEFINITION)) {
    const key = normalizeLabel(label);
    if (!definitions.has(key)) definitions.set(key, renderedUrl(enclosed ?? bare));
  }
  return definitions;
}

function normalizeLabel(label: string): string {
  return label.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Decodes escapes and entities, and encodes what Markdown encodes, of which `new URL` would keep some. */
function renderedUrl(written = ''): string {
  const url = decodeEntities(written.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'));
  return url.replaceAll(/["<>[\\\]^`{|}\s]/g, (char) => encodeURIComponent(char));
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
