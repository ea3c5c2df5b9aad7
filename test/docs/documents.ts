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

/** The documents for users. */
export const DOCUMENTS: readonly string[] = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md'], {
  cwd: ROOT,
}).sort();

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
