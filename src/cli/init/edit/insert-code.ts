import { type Node, type Source, UnsupportedSyntaxError } from './parse-source.ts';

/** A replacement of the text between two positions. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies changes, which must not overlap. Changes at the same position keep their order. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: inserted } of changes.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

/** The formatting of a file. */
export interface CodeStyle {
  readonly eol: string;
  readonly indent: string;
  readonly quote: "'" | '"';
  readonly semicolon: ';' | '';
}

export function detectStyle({ text, body }: Source): CodeStyle {
  const first = body.find(({ type }) => /^(Import|Variable|ExportDefault)Declaration$/.test(type));
  const [, indent = '  '] = /^([ \t]+)[^\s*/]/m.exec(text) ?? [];
  const singles = text.match(/'/g)?.length ?? 0;
  const doubles = text.match(/"/g)?.length ?? 0;
  return {
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    indent,
    quote: doubles > singles ? '"' : "'",
    semicolon: first && !text.slice(first.start, first.end).endsWith(';') ? '' : ';',
  };
}

/** Adds import lines after the last import, else at the top. */
export function insertImports({ text, body }: Source, lines: readonly string[], eol: string): Change[] {
  if (lines.length === 0) return [];
  const last = body.findLast(({ type }) => type === 'ImportDeclaration');
  if (last) {
    const end = endOfLine(text, last.end);
    return [{ start: end, end, text: lines.map((line) => eol + line).join('') }];
  }
  const [head = ''] = /^\ufeff?(?:(?:#!|\/\/ *@ts-)[^\n]*\n)*/.exec(text) ?? [];
  return [{ start: head.length, end: head.length, text: `${lines.join(eol)}${eol}${eol}` }];
}

/** An entry of an object or array literal, without its comma, indented by two spaces per level. */
export interface Member {
  readonly code: string;
  /** Follows the comma. */
  readonly comment?: string | undefined;
}

/** Adds members to the end of an object or array literal, formatted like the existing ones. */
export function insertMembers(
  { text }: Source,
  literal: Node,
  members: readonly Member[],
  { eol, indent }: CodeStyle,
): Change[] {
  if (members.length === 0) return [];
  const existing = ((literal.properties ?? literal.elements) as (Node | null)[]).filter(
    (one) => one !== null,
  );
  const isArray = literal.type === 'ArrayExpression';
  const isOneLine = !text.slice(literal.start, literal.end).includes('\n');
  const fitOnOneLine = members.every(({ code }) => !code.includes('\n') && code.length < 40);
  const joined = members.map(({ code }) => code).join(', ');
  const outer = lineIndent(text, literal.start);
  const [first] = existing;
  const last = existing.at(-1);
  const inner =
    first && isFirstOnLine(text, first.start) ? lineIndent(text, first.start) : `${outer}${indent}`;
  const lines = members
    .map(({ code, comment }) => {
      const rows = code.split('\n').map((row) => inner + reindent(row, indent));
      return `${rows.join(eol)},${comment === undefined ? '' : ` // ${comment}`}`;
    })
    .join(eol);

  if (!first || !last) {
    const comments = text.slice(literal.start + 1, literal.end - 1).trimEnd();
    const place = { start: literal.start + 1 + comments.length, end: literal.end - 1 };
    if (isArray && fitOnOneLine && comments === '') return [{ ...place, text: joined }];
    return [{ ...place, text: `${eol}${lines}${eol}${outer}` }];
  }
  const next = skipTrivia(text, last.end);
  const hasComma = text[next] === ',';
  if (!hasComma && next !== literal.end - 1)
    throw new UnsupportedSyntaxError('the syntax of its last entry is not supported');
  const after = hasComma ? next + 1 : last.end;
  if (isOneLine && isArray && fitOnOneLine) {
    const added = hasComma ? ` ${joined},` : `, ${joined}`;
    return [{ start: after, end: after, text: added }];
  }
  const comma = { start: last.end, end: last.end, text: hasComma ? '' : ',' };
  if (isOneLine) {
    const between = text.slice(literal.start + 1, first.start) + text.slice(after, literal.end - 1);
    if (between.trim() !== '') throw new UnsupportedSyntaxError('it has comments inside a one-line literal');
    return [
      { start: literal.start + 1, end: first.start, text: `${eol}${inner}` },
      comma,
      { start: after, end: literal.end - 1, text: `${eol}${lines}${eol}${outer}` },
    ];
  }
  const end = endOfLine(text, after);
  const [blanks = '', isEnd] = /^[ \t]*(\r?\n|$)?/.exec(text.slice(end)) ?? [];
  if (isEnd !== undefined) return [comma, { start: end, end, text: `${eol}${lines}` }];
  // What follows on the same line must not become part of the last member's comment.
  return [comma, { start: end, end: end + blanks.length, text: `${eol}${lines}${eol}${outer}` }];
}

function reindent(row: string, indent: string): string {
  return row.replace(/^(?: {2})+/, (blanks) => indent.repeat(blanks.length / 2));
}

/** The position after whitespace and comments. */
function skipTrivia(text: string, from: number): number {
  const trivia = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  return from + (trivia.exec(text)?.[0].length ?? 0);
}

/** The end of the line if only a comment follows on it; else the position itself. */
function endOfLine(text: string, from: number): number {
  const rest = /[ \t]*;?(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/y;
  rest.lastIndex = from;
  const found = rest.exec(text);
  return found ? from + found[0].length : from;
}

function lineIndent(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

function isFirstOnLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === '';
}
