import type { BuiltPage, BuiltPages } from './built-pages.ts';

/** A place in the pages of a route that differs between two builds of the same content. */
interface Mask {
  readonly before: string;
  /** What the token begins and ends with. */
  readonly start: string;
  readonly end: string;
  readonly after: string;
}

/** What two full builds of the same content have different: times, random ids. */
export interface Masks {
  /** A page without what differs anyway. */
  normalize(page: BuiltPage): string;
  /** Pages with such places, and an example of each. */
  readonly masked: ReadonlyMap<string, string>;
  /** Pages that differ in so many places that they cannot be compared. */
  readonly incomparable: ReadonlySet<string>;
}

const MASKED = '\u0000';
/** Tags, words and spaces. */
const TOKENS = /<[^>]*>|[^<\s]+|\s+|</g;

export function findMasks(one: BuiltPages, other: BuiltPages): Masks {
  const masks = new Map<string, Mask[]>();
  const masked = new Map<string, string>();
  const incomparable = new Set<string>();
  for (const [path, page] of one) {
    const again = other.get(path);
    if (!again || again.html === page.html) continue;
    const [first, second] = [tokensOf(page.html), tokensOf(again.html)];
    if (first.length !== second.length) {
      incomparable.add(path);
      continue;
    }
    const own = masks.get(page.component) ?? [];
    masks.set(page.component, own);
    for (const [index, token] of first.entries()) {
      if (token === second[index]) continue;
      own.push(maskAt(first, second, index));
      if (!masked.has(path)) masked.set(path, token);
    }
  }
  return {
    masked,
    incomparable,
    normalize: ({ component, html }) => applyMasks(html, masks.get(component)),
  };
}

function tokensOf(html: string): string[] {
  return html.match(TOKENS) ?? [];
}

/** The neighbours of a place, or that they differ too. */
function maskAt(first: readonly string[], second: readonly string[], index: number): Mask {
  const neighbour = (at: number) => (first[at] === second[at] ? (first[at] ?? '') : MASKED);
  const [a, b] = [first[index] as string, second[index] as string];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  // Not within a word or number: its equal part may differ in the next build.
  while (start > 0 && isWord(a[start - 1])) start -= 1;
  while (end > 0 && isWord(a.at(-end))) end -= 1;
  return {
    before: previousWord(first, second, index),
    start: a.slice(0, start),
    end: a.slice(a.length - end),
    after: neighbour(index + 1),
  };
}

/** The nearest token before a place that is not a space. */
function previousWord(first: readonly string[], second: readonly string[], index: number): string {
  for (let at = index - 1; at >= 0; at--) {
    if (first[at]?.trim() !== '') return first[at] === second[at] ? (first[at] ?? '') : MASKED;
  }
  return '';
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_:.+-]/u.test(character);
}

function applyMasks(html: string, masks: readonly Mask[] | undefined): string {
  if (!masks || masks.length === 0) return html;
  const tokens = tokensOf(html);
  const result: string[] = [];
  let word = '';
  for (const [index, token] of tokens.entries()) {
    const isMasked = masks.some(
      ({ before, start, end, after }) =>
        token.length >= start.length + end.length &&
        token.startsWith(start) &&
        token.endsWith(end) &&
        word === before &&
        (after === MASKED || after === (tokens[index + 1] ?? '')),
    );
    result.push(isMasked ? MASKED : token);
    if (token.trim() !== '') word = isMasked ? MASKED : token;
  }
  return result.join('');
}
