import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ARROWS } from '../../scripts/imports.mjs';
import { textOf } from './documents.ts';

const SOURCE = join(import.meta.dirname, '../../src');
const document = textOf('docs/architecture.md');

/** The rows of the table under a heading, as lists of cells. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = document.split(`\n## ${heading}\n`);
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the table of folders in docs/architecture.md', () => {
  const rows = tableUnder('Folders').map(([folder = '', , imports = '']) => ({
    folder: folder.replaceAll('`', ''),
    imports: imports === '' ? [] : imports.split(', '),
  }));

  test('lists every folder of src and its entry point, and no other', () => {
    const files = globSync('**/*.{ts,astro,json}', { cwd: SOURCE });
    const folders = new Set(
      files.flatMap((file) => {
        const [first = '', second = '', third] = file.replaceAll('\\', '/').split('/');
        return second === '' ? [] : [first, ...(third === undefined ? [] : [`${first}/${second}`])];
      }),
    );
    expect(rows.map(({ folder }) => folder).toSorted()).toEqual(['index.ts', ...folders].sort());
  });

  test('lists the imports that are allowed, as they are checked', () => {
    for (const { folder, imports } of rows.filter((row) => !row.folder.includes('/'))) {
      const allowed: readonly string[] = ARROWS[folder as keyof typeof ARROWS];
      expect(imports.toSorted(), folder).toEqual(allowed.toSorted());
    }
  });
});

test('every term of the glossary is used in src', () => {
  const code = globSync('**/*.ts', { cwd: SOURCE }).map((file) => readFileSync(join(SOURCE, file), 'utf8'));
  const all = code.join('\n').replaceAll(/\s+(\/\/|\*)?\s*/g, ' ');
  const terms = tableUnder('Glossary').map(([term = '']) => term);
  const isUsed = (term: string) => new RegExp(term.replaceAll(' ', ' ?'), 'i').test(all);
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.filter((term) => !isUsed(term))).toEqual([]);
  expect(terms).toEqual(terms.toSorted());
});

/** Words that need no explanation. */
const PLAIN = words(
  'alt body by cache cached change changes codec content counts crypto damaged day differences document empty encoded entry in input is item items lines',
  'key known loaded main map model models names new newest next node of options order page parts plan progress put query read',
  'reached reason references request requested result scan scope signer size sort source sourced stats step storage stored summary',
  'sync text texts time unread unused',
);

test('every exported type of the replica is named by terms of the glossary and plain words', () => {
  const terms = new Set(words(...tableUnder('Glossary').map(([term = '']) => term)));
  const files = globSync('replica/**/*.ts', { cwd: SOURCE });
  const names = files.flatMap((file) => [
    ...readFileSync(join(SOURCE, file), 'utf8').matchAll(/^export (?:class|interface|type) (\w+)/gm),
  ]);
  const isExplained = (word: string) =>
    PLAIN.includes(word) || terms.has(word) || terms.has(word.replace(/s$/, ''));
  const unexplained = names.filter(([, name = '']) => !camelCaseWords(name).every(isExplained));
  expect(unexplained.map(([, name]) => name)).toEqual([]);
});

function words(...lines: string[]): string[] {
  return lines.flatMap((line) => line.toLowerCase().split(' '));
}

function camelCaseWords(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}
