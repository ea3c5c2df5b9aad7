/** In characters. Longer input may take seconds. */
const MAX_LENGTH = 100_000;
/** Nested quotes and lists, all of which the parser visits for every line inside. */
const MAX_NESTING = 20;
/** In columns. Deeper indentation continues deeply nested lists, or is code. */
const MAX_INDENT = 120;
/** Pairs of lines and of marks that the parser compares within some tenths of a second. */
const MAX_PAIRS = 4_000_000;

/**
 * Whether parsing Markdown takes less than about a second. The parser is quadratic in the number of blocks, the
 * marks of a paragraph, the cells of a table row, and the depth of quotes and lists. Markdown that people write
 * is far below all of these limits.
 */
export function isQuickToParse(markdown: string): boolean {
  if (markdown.length > MAX_LENGTH) return false;
  // For each of these the parser scans to the end of the input.
  if (count(markdown, OPENERS) * markdown.length > MAX_SCANNED) return false;
  let lines = 0;
  let marks = 0;
  let pairs = 0;
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') {
      pairs += marks ** 2;
      marks = 0;
      continue;
    }
    if (isDeeplyNested(line)) return false;
    // A line costs once per quote and list that it continues.
    lines += 1 + countContainers(line);
    marks += count(line, MARKS);
    pairs += count(line, CELLS) ** 2;
  }
  return lines ** 2 + marks ** 2 + pairs <= MAX_PAIRS;
}

/** Marks of emphasis, code, links, tags, entities and URLs: for each, the parser searches for its counterpart. */
const MARKS = /[*_~[\]!<>&@`\\]|www\.|:\/\//gi;
const TAB_WIDTH = 4;
/** Starts of comments, instructions and declarations. */
const OPENERS = /<[?!]/g;
const MAX_SCANNED = 20_000_000;
const CELLS = /\|/g;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The marks of quotes and lists at the start of a line, with their indentation. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/;
const CONTAINER = />|[-+*]|\d{1,9}[.)]/g;

function containerMarks(line: string): string {
  return CONTAINERS.exec(line)?.[0] ?? '';
}

function countContainers(line: string): number {
  return count(containerMarks(line), CONTAINER);
}

function isDeeplyNested(line: string): boolean {
  const marks = containerMarks(line);
  const indent = /^[ \t]*/.exec(line.slice(marks.length))?.[0] ?? '';
  const columns = marks.length + indent.length + (TAB_WIDTH - 1) * count(indent, /\t/g);
  return countContainers(line) > MAX_NESTING || columns > MAX_INDENT;
}
