import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findGaps, readRows, readTitles } from './coverage.ts';

const table = new URL('../../src/emulator/README.md', import.meta.url);

describe('the coverage table of the emulator', () => {
  it('has a test for every row that is implemented or assumed', () => {
    const markdown = readFileSync(table, 'utf8');
    const titles = readTitles();
    expect(readRows(markdown).length).toBeGreaterThan(50);
    expect(titles.size).toBeGreaterThan(300);
    expect(findGaps(markdown, titles)).toEqual([]);
  });

  it('has no row marked as coming', () => {
    const coming = readRows(readFileSync(table, 'utf8')).filter(({ how }) => /^coming\b/i.test(how));
    expect(coming.map(({ line }) => `line ${line}`)).toEqual([]);
  });
});

describe('the check of a coverage table', () => {
  const gaps = (row: string) =>
    findGaps(`| statement | how | test |\n|---|---|---|\n${row}\n`, new Set(['§1 a', '§1 b']));

  it('accepts rows whose tests exist, and rows marked as coming', () => {
    expect(gaps('| x | implemented | `§1 a`, `§1 b` |')).toEqual([]);
    expect(gaps('| x | assumed: nothing \\| else | `§1 a` |')).toEqual([]);
    expect(gaps('| x | coming | – |')).toEqual([]);
  });

  it('rejects a row without a test', () => {
    expect(gaps('| x | implemented | – |')).toHaveLength(1);
    expect(gaps('| x | assumed: y | |')).toHaveLength(1);
  });

  it('rejects a test that does not exist', () => {
    expect(gaps('| x | implemented | `§1 c` |')).toEqual(['line 3: there is no test "§1 c"']);
    expect(gaps('| x | coming | `§1 c` |')).toHaveLength(1);
  });

  it('rejects a row with an unknown status', () => {
    expect(gaps('| x | done | `§1 a` |')).toHaveLength(1);
  });
});
