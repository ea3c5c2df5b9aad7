import { describe, expect, test } from 'vitest';
import { markdownReport } from '../../scripts/mutants/report.mjs';
import { judge } from '../../scripts/mutants/score.mjs';
import { testsOf } from '../../scripts/mutants/tests.mjs';

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

describe('a file is judged', () => {
  test('by the tests of its own name, and by those that are named for it', () => {
    expect(testsOf('src/entries/query/order.ts').include).toEqual(['test/entries/query/order.test.ts']);
    expect(testsOf('src/entries/sanitize/sanitize-html.ts').include).toEqual([
      'test/entries/sanitize/sanitize-html.test.ts',
      'test/security/sanitize.test.ts',
    ]);
    expect(testsOf('src/replica/store/storage.ts').include).toEqual([
      'test/replica/store/folder-writes.test.ts',
      'test/replica/folder-storage.test.ts',
    ]);
  });

  test('by all tests of its folder where it has none, but for the slow ones', () => {
    const { include, exclude } = testsOf('src/replica/renamed.ts');
    expect(include).toEqual(['test/replica/**/*.test.ts']);
    expect(exclude).toContain('**/*.{property,slow}.test.ts');
  });
});
