import { beforeAll, describe, expect, test } from 'vitest';
import { isQuickToParse } from '../../src/entries/sanitize/markdown-cost.ts';
import { openTextSanitizer } from '../../src/entries/sanitize/sanitize-text.ts';
import { startCpuTimer } from '../support/cpu-time.ts';

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
/** Repeated a number of times before a long tail that the parser scans for each of them. */
const UNITS_BEFORE_TAIL: [unit: string, tail: string][] = [
  ...['_www.a', '*http://a', '_a@b', '(www.a'].map((unit): [string, string] => [unit, 'x']),
  ...['[a](b (', '![a](b (', '[a](<b> (', '[a]: b (', '[a](b "'].map((unit): [string, string] => [
    unit,
    'x ',
  ]),
  ...['[', '![', '[a', '[^a', '[a][', '\n\n['].map((unit): [string, string] => [unit, 'x=']),
  ...['- ', '> ', '[^a]: '].map((unit): [string, string] => [unit, '\n']),
];
/** A tag, without which the text would not be parsed, and a table that the units may continue. */
const START = '<b onclick=x>\n\nx|y\n-|-\n';

const ORDINARY = `## A heading

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

/** As many units as are still parsed: longer texts are not parsed, and cost less. */
function longestParsed(unit: string, start = START, max = 2 ** 17): string {
  let count = 1;
  for (let step = 2 ** 16; step >= 1; step /= 2) {
    if (count + step <= max && isQuickToParse(`${start}${unit.repeat(count + step)}`)) count += step;
  }
  return `${start}${unit.repeat(count)}`;
}

/** The slowest of few units with a long tail, and of more with a shorter one. */
function slowestWithTail(unit: string, tail: string): number {
  const times = [1, 20, 400].map((max) =>
    cpuTime(longestParsed(tail, longestParsed(unit, '<b>x</b> ', max))),
  );
  return Math.max(...times);
}

/** CPU milliseconds. */
function cpuTime(markdown: string): number {
  const cpuSeconds = startCpuTimer();
  sanitize(markdown);
  return cpuSeconds() * 1000;
}

describe('sanitizing Markdown takes bounded time for any content', () => {
  const times = new Map<string, number>();
  let ordinary = 0;
  beforeAll(() => {
    cpuTime(ORDINARY.repeat(20));
    ordinary = cpuTime(ORDINARY.repeat(Math.floor(50_000 / ORDINARY.length)));
    for (const unit of UNITS) times.set(JSON.stringify(unit), cpuTime(longestParsed(unit)));
    for (const [unit, tail] of UNITS_BEFORE_TAIL) times.set(unit + tail, slowestWithTail(unit, tail));
  });

  test('an ordinary body of 50 kB is parsed', () => {
    expect(isQuickToParse(ORDINARY.repeat(Math.floor(50_000 / ORDINARY.length)))).toBe(true);
  });

  test('a long article with many links is parsed', () => {
    const sentence = 'Some words, as people write them (with a remark), up to the end. '.repeat(7);
    const link = '<b>See</b> [the page](https://x.example/a "A title") and https://x.example/b. ';
    const article = `${sentence}${link}${sentence}\n\n`.repeat(1000).slice(0, 99_000);
    expect(isQuickToParse(article)).toBe(true);
    expect(isQuickToParse(`${sentence}${link}${link}\n\n`.repeat(160))).toBe(true);
  });

  test.each(UNITS_BEFORE_TAIL)('with %j repeated before a long tail of %j', (unit, tail) => {
    expect((times.get(unit + tail) ?? Number.POSITIVE_INFINITY) / ordinary).toBeLessThan(5);
  });

  test.each(UNITS.map((unit) => JSON.stringify(unit)))('with %s repeated', (name) => {
    expect((times.get(name) ?? Number.POSITIVE_INFINITY) / ordinary).toBeLessThan(5);
  });
});
