import { expect, test } from 'vitest';
import { LASTING } from '../replica/missed-changes/lasting.ts';
import { UNTIL_FULL_READ } from '../replica/missed-changes/until-full-read.ts';
import { sectionOf, tablesIn, textOf } from './documents.ts';

/** The first cell of each row of the tables. */
function lines(): string[] {
  const section = sectionOf('docs/guides/deploying.md', 'What a rebuild may miss');
  const cells = tablesIn(section).flatMap((rows) => rows.map(([cell = '']) => cell));
  const names = cells.map((cell) => /^\*\*(.+?)\*\*$/.exec(cell)?.[1] ?? `without a name: ${cell}`);
  return names.sort();
}

/** The groups of tests: those of the tables, and those that are written out. */
function groups(): string[] {
  const source = textOf('test/replica/missed-changes/missed-changes.slow.test.ts');
  const written = [...source.matchAll(/^describe\('(.+?)',/gm)].map(([, name = '']) => name);
  return [...Object.keys(UNTIL_FULL_READ), ...Object.keys(LASTING), ...written].sort();
}

test('every line of what a rebuild may miss is shown by tests of that name, and there are no others', () => {
  expect(lines().length).toBeGreaterThan(15);
  expect(lines()).toEqual(groups());
});
