import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { measuredTables, tableIn } from '../bench/documents.ts';
import { textOf } from './documents.ts';

const RESULTS = readFileSync(join(import.meta.dirname, '../bench/RESULTS.md'), 'utf8');

/** Times, sizes, ratios, and counts of requests and pages. */
const FIGURE = /(?<![\w.,])\d[\d,]*(?:\.\d+)?(?: (?:ms|s|MB|KB|GB|requests?|pages|times)|×)(?![\w/-])/g;

/** The figures in the text, without code, headings and option values. */
function figuresIn(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`]*`|^#.*$/gm, '');
  return [...prose.matchAll(FIGURE)].map(([figure]) => figure);
}

function section(document: string, heading: string): string {
  const [, after = ''] = textOf(document).split(`\n## ${heading}\n`);
  return after.split(/\n## /)[0] ?? '';
}

/** Whether the results contain a figure; in their tables, the unit may be in the heading. */
const isMeasured = (figure: string) =>
  RESULTS.includes(figure) || RESULTS.includes(`| ${figure.replace(/ (?:requests?|pages|times)|×/, '')} `);

describe('every figure that was measured is in test/bench/RESULTS.md', () => {
  test.each([
    ['README.md', 'How fast'],
    ['docs/comparison.md', 'Measured'],
  ])('those in %s, %s', (document, heading) => {
    const figures = figuresIn(section(document, heading));
    expect(figures.length).toBeGreaterThan(3);
    expect(figures.filter((figure) => !isMeasured(figure))).toEqual([]);
  });

  test.each(measuredTables())('the table $name of $document is made of the stored results', (table) => {
    expect(tableIn(textOf(table.document), table.name)).toBe(table.text);
  });

  test('and the README has no other figures, except option values', () => {
    const elsewhere = textOf('README.md').replace(section('README.md', 'How fast'), '');
    expect(figuresIn(elsewhere).filter((figure) => figure !== '30,000 ms')).toEqual([]);
  });
});
