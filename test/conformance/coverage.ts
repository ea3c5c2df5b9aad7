import { readdirSync, readFileSync } from 'node:fs';

/** A row of a coverage table. */
interface Row {
  line: number;
  how: string;
  /** The titles in backticks of the last column. */
  tests: string[];
}

/** The problems of a coverage table, given the titles of all tests. */
export function findGaps(markdown: string, titles: ReadonlySet<string>): string[] {
  return readRows(markdown).flatMap(({ line, how, tests }) => {
    const kind = /^(implemented|assumed|coming)\b/i.exec(how)?.[1]?.toLowerCase();
    if (!kind) return [`line ${line}: expected implemented, assumed or coming, not "${how}"`];
    if (kind !== 'coming' && tests.length === 0) return [`line ${line}: ${kind}, but without a test`];
    return tests
      .filter((title) => !titles.has(title))
      .map((title) => `line ${line}: there is no test "${title}"`);
  });
}

/** The rows of every Markdown table whose columns are `statement | how | test`. */
export function readRows(markdown: string): Row[] {
  const rows: Row[] = [];
  let inTable = false;
  for (const [index, line] of markdown.split('\n').entries()) {
    const cells = cellsOf(line);
    if (!cells) inTable = false;
    else if (cells.join('|').toLowerCase() === 'statement|how|test') inTable = true;
    else if (inTable && !cells.every((cell) => /^:?-+:?$/.test(cell))) {
      const [, how = '', test = ''] = cells;
      rows.push({
        line: index + 1,
        how,
        tests: [...test.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
      });
    }
  }
  return rows;
}

/** The cells of a table row; a `|` in a cell is written `\|`. */
function cellsOf(line: string): string[] | undefined {
  const inner = /^\s*\|(.*)\|\s*$/.exec(line)?.[1];
  return inner?.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The titles of all tests of this folder. */
export function readTitles(): Set<string> {
  const here = new URL('./', import.meta.url);
  const files = readdirSync(here).filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts');
  const titles = files.flatMap((name) => {
    const text = readFileSync(new URL(name, here), 'utf8');
    return [...text.matchAll(/\bit\(\s*(['"`])(.+?)\1,/g)].map((match) => match[2] ?? '');
  });
  return new Set(titles);
}
