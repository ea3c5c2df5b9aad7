import { collapseSpaces, htmlSearchText } from './search-text.ts';

/** The marks of quotes, lists and headings at the start of a line. */
const LINE_START = /^[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))[ \t]*)*(?:#{1,6}(?=[ \t]|$))?/;
const RULE = /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING_FENCE = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;

const MAX_QUOTES = 100;

/**
 * The text of Markdown that `contains` searches: what `htmlSearchText` returns for the HTML that the service has
 * converted. Marks, URLs and images are removed, and what is escaped is text. Tables are HTML; other tags are text,
 * because converters write `<` without escaping it. Takes linear time for any input.
 */
export function markdownSearchText(markdown: string): string {
  const lines = markdown.split(/\r\n|\n|\r/);
  const parts: string[] = [];
  let paragraph: string[] = [];
  let mayHaveTables = true;
  const endParagraph = () => {
    if (paragraph.length > 0) parts.push(inlineText(collapseSpaces(paragraph.join('\n'))));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const start = RULE.test(line) ? line : (LINE_START.exec(line)?.[0] ?? '');
    const content = line.slice(start.length).trimStart();
    if (content === '') {
      endParagraph();
      continue;
    }
    const fence = FENCE.exec(content)?.[0];
    const tableEnd = mayHaveTables && /^<table\b/i.test(content) ? endOfTable(lines, at) : undefined;
    if (fence !== undefined) {
      endParagraph();
      const end = endOfCode(lines, at, fence);
      const depth = Math.min(start.split('>').length - 1, MAX_QUOTES);
      const quotes = new RegExp(`^(?:[ \\t]*>){0,${depth}}`);
      for (const code of lines.slice(at + 1, end)) parts.push(code.replace(quotes, ''));
      at = end;
    } else if (tableEnd !== undefined && tableEnd < lines.length) {
      endParagraph();
      parts.push(htmlSearchText([content, ...lines.slice(at + 1, tableEnd + 1)].join('\n')));
      at = tableEnd;
    } else {
      if (tableEnd !== undefined) mayHaveTables = false;
      // A list item, a quote or a heading is a block of its own.
      if (start.trim() !== '') endParagraph();
      paragraph.push(content);
    }
  }
  endParagraph();
  return collapseSpaces(parts.join('\n'));
}

/** The line of the closing fence, or the end. */
function endOfCode(lines: readonly string[], from: number, fence: string): number {
  for (let at = from + 1; at < lines.length; at++) {
    if (CLOSING_FENCE.exec(lines[at] ?? '')?.[1]?.startsWith(fence)) return at;
  }
  return lines.length;
}

/** The line with the end tag of a table that may contain others, or the number of lines. */
function endOfTable(lines: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < lines.length; at++) {
    for (const [tag] of (lines[at] ?? '').matchAll(/<\/?table\b/gi)) depth += tag.startsWith('</') ? -1 : 1;
    if (depth <= 0) return at;
  }
  return lines.length;
}

/** An escape, a run of backticks, a bracket, or a run of marks of emphasis. */
const TOKEN = /\\([!-/:-@[-`{-~])|`+|!?\[|\]|\*+|_+/g;
/** The URL and the title after the text of a link. */
const RESOURCE =
  /\( ?(?:<(?:\\.|[^<>\\])*>|(?:\\.|[^ ()<\\]|\((?:\\.|[^ ()\\])*\))*)?(?: (?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))? ?\)/sy;

function inlineText(markdown: string): string {
  const out: string[] = [];
  const brackets: number[] = [];
  const closings = backtickRuns(markdown);
  let at = 0;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(markdown); token; token = TOKEN.exec(markdown)) {
    const [mark, escaped] = token;
    const end = token.index + mark.length;
    out.push(markdown.slice(at, token.index));
    at = end;
    if (escaped !== undefined) out.push(escaped);
    else if (mark.startsWith('`')) {
      const close = nextRun(closings, mark.length, end);
      out.push(close === undefined ? mark : codeText(markdown.slice(end, close)));
      if (close !== undefined) at = close + mark.length;
    } else if (mark.endsWith('[')) brackets.push(out.push(mark) - 1);
    else if (mark === ']') at = closeBracket(markdown, end, out, brackets);
    else if (!isEmphasis(markdown, token.index, end)) out.push(mark);
    TOKEN.lastIndex = at;
  }
  out.push(markdown.slice(at));
  return out.join('');
}

/** Removes the marks of a link, or an image with its text, and returns where it ends. */
function closeBracket(markdown: string, end: number, out: string[], brackets: number[]): number {
  const open = brackets.pop();
  RESOURCE.lastIndex = end;
  if (open === undefined || !RESOURCE.test(markdown)) {
    out.push(']');
    return end;
  }
  if (out[open] === '![') out.length = open;
  else out[open] = '';
  return RESOURCE.lastIndex;
}

/** Neither between spaces, as in `1 * 2`, nor in a name such as `snake_case`. */
function isEmphasis(markdown: string, start: number, end: number): boolean {
  const around = [markdown.charAt(start - 1), markdown.charAt(end)];
  if (around.every((character) => character.trim() === '')) return false;
  return markdown.charAt(start) !== '_' || !around.every((character) => /[\da-z]/i.test(character));
}

/** The positions of runs of backticks by their length, the last one first. */
function backtickRuns(markdown: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of [...markdown.matchAll(/`+/g)].reverse()) {
    const known = runs.get(run.length);
    if (known) known.push(index);
    else runs.set(run.length, [index]);
  }
  return runs;
}

function nextRun(runs: Map<number, number[]>, length: number, from: number): number | undefined {
  const positions = runs.get(length) ?? [];
  while ((positions.at(-1) ?? from) < from) positions.pop();
  return positions.at(-1);
}

/** One space at each end separates the code from backticks. */
function codeText(code: string): string {
  return code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code;
}
