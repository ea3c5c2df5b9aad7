import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

/** Names of loaders and cases in these documents that differ from those in the results. */
const NAMES_IN_RESULTS = new Map([
  ['a loader as Astro’s documentation teaches it', 'hand-written'],
  ['hand-written, as in Astro’s documentation', 'hand-written'],
  ['the fastest other, for Storyblok', 'astro-loader-storyblok'],
  ['a referenced entry edited', 'referenced entry edited'],
]);

/** The cells of the first table in the text, by the results' names of row and column. */
function tableIn(text: string): Map<string, Map<string, string>> {
  const lines =
    text
      .slice(text.search(/^\|/m))
      .split(/\n(?!\|)/)[0]
      ?.split('\n') ?? [];
  const [[, ...columns] = [], , ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  const named = (name: string) =>
    NAMES_IN_RESULTS.get(name.replace("'", '’')) ?? name.replace(/ \d[\d.]*$/, '');
  return new Map(
    rows.map(([row = '', ...cells]) => [
      named(row),
      new Map(cells.map((cell, at) => [named(columns[at] ?? ''), cell])),
    ]),
  );
}

describe('every figure that was measured is in test/bench/RESULTS.md', () => {
  test.each([
    ['README.md', 'How fast'],
    ['docs/comparison.md', 'Measured'],
  ])('those in %s, %s', (document, heading) => {
    const figures = figuresIn(section(document, heading));
    expect(figures.length).toBeGreaterThan(3);
    expect(figures.filter((figure) => !isMeasured(figure))).toEqual([]);
  });

  test.each([
    ['README.md', 'How fast'],
    ['docs/comparison.md', 'Measured'],
  ])('a time in the table of %s, %s, is that of this loader in this case', (document, heading) => {
    const measured = tableIn(RESULTS.slice(RESULTS.indexOf('\n### 10,000 entries at 50 ms')));
    const times = [...tableIn(section(document, heading))].flatMap(([loader, cells]) =>
      [...cells].flatMap(([shown, cell]) => figuresIn(cell).map((figure) => ({ loader, shown, figure }))),
    );
    const compared = times.filter(({ figure }) => /\d m?s$/.test(figure));
    expect(compared.length).toBeGreaterThan(3);
    expect(
      compared.filter(
        ({ loader, shown, figure }) =>
          !measured.get(loader)?.get(shown)?.replace('> ', '').startsWith(`${figure}<br>`),
      ),
    ).toEqual([]);
  });

  test('and the README has no other figures, except option values', () => {
    const elsewhere = textOf('README.md').replace(section('README.md', 'How fast'), '');
    expect(figuresIn(elsewhere).filter((figure) => figure !== '30,000 ms')).toEqual([]);
  });
});
