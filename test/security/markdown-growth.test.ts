import { beforeAll, describe, expect, test } from 'vitest';
import { isQuickToParse } from '../../src/entries/sanitize/markdown-cost.ts';
import { openTextSanitizer } from '../../src/entries/sanitize/sanitize-text.ts';

/** What makes a Markdown parser slow when it is repeated. */
const UNITS = [
  ...[
    '- ',
    '> ',
    '>',
    '1. ',
    '> - ',
    '- - a\n',
    '- *\n',
    '  - a\n',
    `${'> '.repeat(19)}a\n`,
    `${' '.repeat(100)}- a\n`,
  ],
  ...['a\n', 'a\n=\n', 'a\n---\n', '***\n', '    a\n', '>a\n\n', '\n\n- ', '|', '|-', 'a|b\n', '|a|\n|-|\n'],
  ...[
    '[',
    '[a](',
    '](',
    '![',
    '[a]: b\n',
    '[^a]: b\n',
    '[^a]',
    '*a',
    '*a_',
    '~~a',
    '`',
    '``` \n',
    '\\',
    '&#',
  ],
  ...['\\a\\`', `${'- '.repeat(18)}a\n`, `${'1) '.repeat(10)}a\n`, 'www.a '],
  ...['<', '<a ', '<b>*', '<!--', '<a b="', '<div>\n\n', 'http://a', 'www.a', 'a@', '\n', '\t'],
];
/** A tag, so that the text is parsed at all, and a table that the units may continue. */
const START = '<b onclick=x>\n\nx|y\n-|-\n';

const HONEST = `## A heading

A paragraph of *some* length with a [link](https://x.example/a) and <b class="x">bold</b> text, ${'and more words '.repeat(8)}.

- an item with \`code\`
- another one
  1. inside

| a | b |
|---|---|
| 1 | 2 |

> A quote, <a href="javascript:x">which</a> is closed.

`;

let clean: (markdown: string) => string;
beforeAll(async () => {
  clean = (await openTextSanitizer(new Set(['markdown']))).sanitizerFor('markdown');
});

/** As many units as are still parsed: what is longer is not, and costs less. */
function longest(unit: string): string {
  let fits = 1;
  for (let step = 2 ** 16; step >= 1; step /= 2) {
    if (isQuickToParse(`${START}${unit.repeat(fits + step)}`)) fits += step;
  }
  return `${START}${unit.repeat(fits)}`;
}

/** Milliseconds of this process's time, which other processes of the machine do not change. */
function cost(markdown: string): number {
  const before = process.cpuUsage();
  clean(markdown);
  return process.cpuUsage(before).user / 1000;
}

describe('cleaning Markdown takes a time that an editor cannot blow up', () => {
  const worst = new Map<string, number>();
  let honest = 0;
  beforeAll(() => {
    cost(HONEST.repeat(20));
    honest = cost(HONEST.repeat(Math.floor(50_000 / HONEST.length)));
    for (const unit of UNITS) worst.set(JSON.stringify(unit), cost(longest(unit)));
  }, 120_000);

  test('an honest text of 50 kB is parsed', () => {
    expect(isQuickToParse(HONEST.repeat(Math.floor(50_000 / HONEST.length)))).toBe(true);
  });

  test.each(UNITS.map((unit) => JSON.stringify(unit)))('however often %s is repeated', (name) => {
    expect((worst.get(name) ?? Number.POSITIVE_INFINITY) / honest).toBeLessThan(5);
  });
});
