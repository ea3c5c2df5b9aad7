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
 * marks of a paragraph, the cells of a table row, and the depth of quotes and lists; some marks make it scan the
 * rest of their paragraph or word. Markdown that people write is far below all of these limits.
 */
export function isQuickToParse(markdown: string): boolean {
  if (markdown.length > MAX_LENGTH) return false;
  // For each of these the parser scans to the end of the input.
  if (count(markdown, OPENERS) * markdown.length > MAX_SCANNED) return false;
  let lines = 0;
  let pairs = 0;
  let nesting = 0;
  let paragraph: string[] = [];
  const endParagraph = () => {
    const text = paragraph.join('\n');
    pairs += count(text, MARKS) ** 2 + scanCost(text);
    paragraph = [];
  };
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') {
      if (paragraph.length > 0) endParagraph();
      // Each further blank line continues all quotes and lists.
      else pairs += nesting * BLANK_LINE_PAIRS;
      continue;
    }
    if (isDeeplyNested(line)) return false;
    if (startsBlock(line, paragraph)) endParagraph();
    const containers = countContainers(line);
    nesting = Math.max(nesting, containers);
    // A line costs once per quote and list that it continues.
    lines += 1 + containers;
    pairs += count(line, CELLS) ** 2;
    paragraph.push(line);
  }
  endParagraph();
  return lines ** 2 + pairs <= MAX_PAIRS;
}

/**
 * Whether a line ends the paragraph before it without a blank line: one of a list, or a footnote. In lists, because a
 * number other than 1 does not begin one in the middle of a paragraph.
 */
function startsBlock(line: string, [first = '']: readonly string[]): boolean {
  return BULLET.test(line) || (NUMBER.test(line) && (BULLET.test(first) || NUMBER.test(first)));
}

const BULLET = /^ {0,3}(?:[-+*][ \t]+\S|\[\^[^\]\s]+\]:)/;
const NUMBER = /^ {0,3}\d{1,9}[.)][ \t]+\S/;

/** Characters that the parser scans repeatedly in a paragraph. */
function scanCost(paragraph: string): number {
  // The title of a link, in parentheses, is searched up to the end of the paragraph.
  const titles = Math.min(count(paragraph, LINKS), count(paragraph, PARENTHESES));
  // At each word the parser goes back to an open bracket. Which brackets are closed only parsing can tell.
  const bracket = paragraph.indexOf('[');
  const words = bracket < 0 ? 0 : count(paragraph.slice(bracket), WORDS);
  let cost = titles * paragraph.length + words ** 2 / 4;
  // URLs and e-mail addresses without brackets are read up to the next space.
  for (const [run] of paragraph.matchAll(/\S+/g)) {
    if (run.length > MAX_SHORT_RUN) cost += count(run, URLS) * run.length;
  }
  return cost;
}

/** Marks of emphasis, code, links, tags, entities and URLs: for each, the parser searches for its counterpart. */
const MARKS = /[*_~[\]!<>&@`\\]|www\.|:\/\//gi;
const TAB_WIDTH = 4;
/** Starts of comments, instructions and declarations. */
const OPENERS = /<[?!]/g;
const MAX_SCANNED = 20_000_000;
const CELLS = /\|/g;
/** Links and definitions. */
const LINKS = /\][(:]/g;
const PARENTHESES = /\s\(/g;
/** Where the parser expects an e-mail address. */
const WORDS = /[\w.+-]+/g;
const URLS = /www\.|:\/\/|@/gi;
const MAX_SHORT_RUN = 1000;
/** Pairs that take as long as a blank line in a list. */
const BLANK_LINE_PAIRS = 20;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The marks of quotes, lists and footnotes at the start of a line, with their indentation. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^[^\]\s]+\]:))*/;
const CONTAINER = />|\[\^[^\]\s]+\]:|[-+*]|\d{1,9}[.)]/g;

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
