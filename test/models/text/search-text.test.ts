import { describe, expect, test } from 'vitest';
import { markdownSearchText } from '../../../src/models/text/markdown-search-text.ts';
import { htmlSearchText } from '../../../src/models/text/search-text.ts';
import { startCpuTimer } from '../../support/cpu-time.ts';

describe('the text of HTML that is searched', () => {
  test.each([
    ['<p>Fish &amp; <b>ch</b>ips</p>', 'Fish & chips'],
    ['<ul><li>the</li><li>rapist</li></ul>', 'the rapist'],
    ['one<br>two<hr/>three', 'one two three'],
    ['<p>one</p>two', 'one two'],
    ['  a\n\t b&nbsp; c ', 'a b\u00a0 c'],
    ['a<!-- b --><script>c</script>', 'a'],
  ])('%j', (html, text) => {
    expect(htmlSearchText(html)).toBe(text);
  });
});

describe('the text of Markdown that is searched', () => {
  test.each([
    ['a snake\\_case name', 'a snake_case name'],
    ['a snake_case name, 1 * 2', 'a snake_case name, 1 * 2'],
    ['use the **api** _key_', 'use the api key'],
    ['## A heading\n\n-   an item\n    1.  inside\n\n> a quote', 'A heading an item inside a quote'],
    ['[a *link*](https://x.example/(a)_b "title") ![alt](x.png)', 'a link'],
    ['[not a link], [a][b] and [a](b c)', '[not a link], [a][b] and [a](b c)'],
    ['`a*b` and `` `c` `` and ` d', 'a*b and `c` and ` d'],
    ['a` `b', 'a b'],
    ['- `a\n- b`', '`a b`'],
    ['~~~js\n**a**\n# b\n~~~\n**c**', '**a** # b c'],
    ['> ```\n> > a\n> ```', '> a'],
    ['```\nnever *closed*', 'never *closed*'],
    ['<table><tr><td>a</td><td>**b** &amp;</td></tr></table>\n\n**c**', 'a **b** & c'],
    ['<table> that never ends **a**', '<table> that never ends a'],
    ['***', ''],
  ])('%j', (markdown, text) => {
    expect(markdownSearchText(markdown)).toBe(text);
  });

  test.each(
    [
      '[',
      '![',
      '](',
      '[a](b (',
      '[a](b "',
      '[a](<',
      '[a]((',
      '`',
      '` `` ',
      '*a',
      '_',
      '\\',
      '> ',
      '- ',
      '<table\n',
    ].concat([
      '```\n',
      '```a\n',
      '> ```\n',
      '[a]( ',
      ' ',
      '\n',
      '1. ',
      '* ',
      '# ',
      '<table></table>\n',
      '[a](b\\',
    ]),
  )('takes linear time with %j repeated', (unit) => {
    const cpuSeconds = startCpuTimer();
    markdownSearchText(unit.repeat(200_000 / unit.length));
    markdownSearchText(`[a]${unit.repeat(200_000 / unit.length)}`);
    expect(cpuSeconds()).toBeLessThan(3);
  });
});

test.each([
  ['code that begins with a space', `\` ${'a'.repeat(60_000)}\``],
  ['a long fence', `${'~'.repeat(60_000)}\na`],
])('%s is searched in linear time', (_name, markdown) => {
  const timer = startCpuTimer();
  expect(markdownSearchText(markdown)).toContain('a');
  expect(timer()).toBeLessThan(1);
});
