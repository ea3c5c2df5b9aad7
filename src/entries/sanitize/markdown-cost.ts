/** A longer text is not parsed: most of what it could hold takes seconds. */
const LONGEST = 100_000;
/** Quotes and lists inside each other: the parser goes through all of them for every line, and every one inside. */
const DEEPEST = 20;
/** An indented line continues a list that many levels deep, or is code. */
const WIDEST_INDENT = 120;
/** The parser compares this many pairs of lines and marks in some tenths of a second. */
const MOST_PAIRS = 4_000_000;

/**
 * Whether parsing a Markdown text takes less than about a second. The parser is quadratic in the number of blocks,
 * in the marks of a paragraph, in the cells of a table row, and in the depth of quotes and lists. Text that a
 * person wrote stays far below all of these bounds.
 */
export function isQuickToParse(markdown: string): boolean {
  if (markdown.length > LONGEST) return false;
  // Each of these is looked for up to the end of the text.
  if (count(markdown, OPENERS) * markdown.length > MOST_SCANNED) return false;
  let lines = 0;
  let marks = 0;
  let pairs = 0;
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') {
      pairs += marks ** 2;
      marks = 0;
      continue;
    }
    if (isDeep(line)) return false;
    // A line costs once for each quote and list that it continues.
    lines += 1 + containersOf(line);
    marks += count(line, MARKS);
    pairs += count(line, CELLS) ** 2;
  }
  return lines ** 2 + marks ** 2 + pairs <= MOST_PAIRS;
}

/** Marks of emphasis, code, links, tags, entities and addresses, around each of which the parser looks for more. */
const MARKS = /[*_~[\]!<>&@`\\]|www\.|:\/\//gi;
/** Starts of comments, instructions and declarations. */
const OPENERS = /<[?!]/g;
const MOST_SCANNED = 20_000_000;
const CELLS = /\|/g;

function count(line: string, marks: RegExp): number {
  return line.match(marks)?.length ?? 0;
}

/** The marks of quotes and lists that a line begins with, and its indent. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/;
const CONTAINER = />|[-+*]|\d{1,9}[.)]/g;

function startOf(line: string): string {
  return CONTAINERS.exec(line)?.[0] ?? '';
}

function containersOf(line: string): number {
  return count(startOf(line), CONTAINER);
}

function isDeep(line: string): boolean {
  const start = startOf(line);
  const indent = /^[ \t]*/.exec(line.slice(start.length))?.[0] ?? '';
  const columns = start.length + indent.length + 3 * count(indent, /\t/g);
  return containersOf(line) > DEEPEST || columns > WIDEST_INDENT;
}
