import { describe, expect, test } from 'vitest';
import { groupFiles } from '../../scripts/mutants/groups.mjs';
import { markdownReport } from '../../scripts/mutants/report.mjs';
import { judge } from '../../scripts/mutants/score.mjs';

const mutant = (status: string, replacement = 'false') => ({
  file: 'src/entries/a.ts',
  line: 3,
  column: 5,
  text: 'if (a) b();',
  original: 'a',
  replacement,
  kind: 'ConditionalExpression',
  status,
});
const explanation = {
  file: 'src/entries/a.ts',
  line: 'if (a) b();',
  original: 'a',
  replacement: 'true',
  reason: 'b does nothing without a',
};

describe('the score of a file', () => {
  test('is the part of its mutants that the tests notice, an endless loop included', () => {
    const { files } = judge(
      [mutant('Killed'), mutant('Timeout'), mutant('Survived'), mutant('NoCoverage')],
      [],
    );
    expect(files).toMatchObject([{ file: 'src/entries/a.ts', score: 50, noticed: 2, counted: 4 }]);
    expect(files[0]?.survivors).toHaveLength(2);
  });

  test('leaves out survivors that are explained, and what did not compile', () => {
    const { files, stale } = judge(
      [mutant('Killed'), mutant('Survived', 'true'), mutant('CompileError')],
      [explanation],
    );
    expect(files).toMatchObject([{ score: 100, noticed: 1, counted: 1, explained: 1, survivors: [] }]);
    expect(stale).toEqual([]);
  });

  test('names explanations whose mutant is noticed or is not made any more', () => {
    const other = { ...explanation, line: 'if (c) b();' };
    expect(judge([mutant('Killed', 'true')], [explanation, other]).stale).toEqual([explanation, other]);
  });
});

test('the report lists each survivor with its line and its change', () => {
  const report = markdownReport(judge([mutant('Killed'), mutant('Survived', 'true')], []));
  expect(report).toContain('| src/entries/a.ts | 50 % | 1 | 2 | 1 | 0 |');
  expect(report).toContain('- 3:5 ConditionalExpression: `if (a) b();`\n  `a` → `true`');
});

test('each file is judged once, by the tests that are nearest to it', () => {
  const groups = groupFiles(['src/entries/clean-html.ts', 'src/entries/order.ts', 'src/replica/probe.ts']);
  expect(groups.map(({ files }) => files)).toEqual([
    ['src/entries/clean-html.ts'],
    ['src/entries/order.ts'],
    ['src/replica/probe.ts'],
  ]);
  expect(groups[0]?.tests.include).toContain('test/security/sanitize.test.ts');
  expect(groups[1]?.tests.include).toEqual(['test/entries/**/*.test.ts']);
});
