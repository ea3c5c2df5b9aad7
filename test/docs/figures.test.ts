import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textOf } from './documents.ts';

const RESULTS = readFileSync(join(import.meta.dirname, '../bench/RESULTS.md'), 'utf8');

/** Times, sizes, ratios, and counts of requests and pages. */
const FIGURE = /(?<![\w.,])\d[\d,]*(?:\.\d+)?(?: (?:ms|s|MB|KB|GB|requests?|pages|times)|×)(?![\w/-])/g;

/** The figures in prose: not in code or headings. */
function figuresIn(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`]*`|^#.*$/gm, '');
  return [...prose.matchAll(FIGURE)].map(([figure]) => figure);
}

function section(document: string, heading: string): string {
  const [, after = ''] = textOf(document).split(`\n## ${heading}\n`);
  return after.split(/\n## /)[0] ?? '';
}

/** Whether the results contain a figure. In their tables the unit may be in the heading. */
const isMeasured = (figure: string) =>
  RESULTS.includes(figure) || RESULTS.includes(`| ${figure.replace(/ (?:requests?|pages|times)|×/, '')} `);

/** Names of loaders and cases in the documents that differ from those in the results. */
const NAMES_IN_RESULTS = new Map([
  ['a loader as Astro’s documentation teaches it', 'hand-written'],
  ['by hand, as documented', 'hand-written'],
  ['the fastest other, for Storyblok', 'astro-loader-storyblok'],
  ['a deletion', 'one deletion'],
  ['a referenced entry edited', 'referenced entry edited'],
  ['an edited reference', 'referenced entry edited'],
  ['one 500 while warm', 'one 500'],
]);

/** The cells of the first table of a text, by row and column as the results name them. */
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

  test('and the README has none elsewhere, except for values of options', () => {
    const elsewhere = textOf('README.md').replace(section('README.md', 'How fast'), '');
    expect(figuresIn(elsewhere).filter((figure) => figure !== '30,000 ms')).toEqual([]);
  });
});
