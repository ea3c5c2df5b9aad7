import { beforeAll, describe, expect, test } from 'vitest';
import { isQuickToParse } from '../../src/entries/sanitize/markdown-cost.ts';
import { openTextSanitizer } from '../../src/entries/sanitize/sanitize-text.ts';

/** Strings that make a Markdown parser slow when they are repeated. */
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
/** A tag, so that the Markdown is parsed at all, and a table that the units may continue. */
const START = '<b onclick=x>\n\nx|y\n-|-\n';

const TYPICAL = `## A heading

A paragraph of *some* length with a [link](https://x.example/a) and <b class="x">bold</b> text, ${'and more words '.repeat(8)}.

- an item with \`code\`
- another one
  1. inside

| a | b |
|---|---|
| 1 | 2 |

> A quote, <a href="javascript:x">which</a> is closed.

`;

let sanitize: (markdown: string) => string;
beforeAll(async () => {
  sanitize = (await openTextSanitizer(new Set(['markdown']))).sanitizerFor('markdown');
});

/** The longest repetition that is still parsed: a longer one is escaped, which costs less. */
function longest(unit: string): string {
  let fits = 1;
  for (let step = 2 ** 16; step >= 1; step /= 2) {
    if (isQuickToParse(`${START}${unit.repeat(fits + step)}`)) fits += step;
  }
  return `${START}${unit.repeat(fits)}`;
}

/** CPU milliseconds of this process, independent of other processes. */
function cost(markdown: string): number {
  const before = process.cpuUsage();
  sanitize(markdown);
  return process.cpuUsage(before).user / 1000;
}

describe('the time to sanitize Markdown is bounded', () => {
  const worst = new Map<string, number>();
  let typical = 0;
  beforeAll(() => {
    cost(TYPICAL.repeat(20));
    typical = cost(TYPICAL.repeat(Math.floor(50_000 / TYPICAL.length)));
    for (const unit of UNITS) worst.set(JSON.stringify(unit), cost(longest(unit)));
  }, 120_000);

  test('typical Markdown of 50 kB is parsed', () => {
    expect(isQuickToParse(TYPICAL.repeat(Math.floor(50_000 / TYPICAL.length)))).toBe(true);
  });

  test.each(UNITS.map((unit) => JSON.stringify(unit)))('however often %s is repeated', (name) => {
    expect((worst.get(name) ?? Number.POSITIVE_INFINITY) / typical).toBeLessThan(5);
  });
});
