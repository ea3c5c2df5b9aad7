import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface Block {
  readonly document: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The file name in its first comment. */
  readonly file: string | undefined;
}

function find(patterns: string[]): string[] {
  const found = globSync(patterns, {
    cwd: ROOT,
    exclude: (name) => /^(node_modules|dist|coverage)$/.test(name),
  });
  return found.map((name) => name.replaceAll('\\', '/')).sort();
}

/** The pages of the documentation. */
export const PAGES: readonly string[] = find(['docs/*.md', 'docs/{start,guides,reference}/*.md']);

/** The pages that are translated into Japanese. */
export const JAPANESE_PAGES: readonly string[] = find(['docs/ja/**/*.md']);

/** The documents for users. */
export const DOCUMENTS: readonly string[] = ['CONTRIBUTING.md', 'README.md', ...PAGES];

/** All documents of the repository, without the notes about changes. */
export const ALL_DOCUMENTS: readonly string[] = find(['*.md', '{docs,examples,playground,src,test}/**/*.md']);

export function textOf(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8');
}

/** The code blocks of a document. */
export function blocksOf(document: string): Block[] {
  const text = textOf(document);
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = '', 2: code = '', index }) => ({
      document,
      language,
      code,
      line: text.slice(0, index).split('\n').length,
      file: /^(?:---\n)?(?:\/\/|#) (\S+\.\w+|\.env)\n/.exec(code)?.[1],
    }),
  );
}

/** The section under a heading of any level, up to the next heading of this level or a higher one. */
export function sectionOf(document: string, heading: string): string {
  const lines = textOf(document).split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start < 0) throw new Error(`${document} has no heading ${heading}`);
  const level = lines[start]?.indexOf(' ') ?? 0;
  const end = lines.findIndex((line, at) => at > start && /^#+ /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}

/** The rows of each table in a text, as lists of cells; without headings. */
export function tablesIn(text: string): string[][][] {
  return [...text.matchAll(/(?:^\|.*\n?)+/gm)].map(([table]) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}

/** The names in the first column of a table: what is written as code. */
export function namesIn(table: readonly string[][]): string[] {
  return table.flatMap(([cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}
