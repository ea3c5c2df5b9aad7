import { describe, expect, test } from 'vitest';
import { isQuickToParse } from '../../../src/entries/sanitize/markdown-cost.ts';

describe('Markdown that is not quick to parse', () => {
  test.each<[string, string, boolean]>([
    ['twenty quotes inside each other', `${'> '.repeat(20)}a`, true],
    ['one more', `${'> '.repeat(21)}a`, false],
    ['twenty lists on a line', `${'- '.repeat(20)}a`, true],
    ['one more list', `${'- '.repeat(21)}a`, false],
    ['a line of stars', '* * * * * * * * * * * *', true],
    ['numbered lists', `${'1. '.repeat(21)}a`, false],
    ['code that is far to the right', `${' '.repeat(120)}a`, true],
    ['further than that', `${' '.repeat(121)}a`, false],
    ['code far to the right in a quote', `>${' '.repeat(119)}a`, true],
    ['further in a quote', `>${' '.repeat(120)}a`, false],
    ['a last list without text', `${'- '.repeat(20)}-`, false],
    ['a last numbered list without text', `${'- '.repeat(20)}1.`, false],
    ['numbers of two digits', `${'12. '.repeat(21)}a`, false],
    ['thirty tabs', `${'\t'.repeat(30)}a`, true],
    ['one more tab', `${'\t'.repeat(31)}a`, false],
    ['two thousand lines', 'a\n'.repeat(2000), true],
    ['a thousand lines of a list', '- a\n'.repeat(1000), true],
    ['one more item', '- a\n'.repeat(1001), false],
    ['instructions in a long text', `${'<?a '.repeat(1900)}${'a'.repeat(90_000)}`, false],
    ['two hundred declarations in the longest text', '<!'.repeat(200).padEnd(100_000, 'a'), true],
    ['one more declaration', '<!'.repeat(201).padEnd(100_000, 'a'), false],
    ['comments in a long text', `${'<!-- a -->\n\n'.repeat(100)}${'a'.repeat(90_000)}`, true],
    ['one more line', 'a\n'.repeat(2001), false],
    ['two thousand marks in a paragraph, less its line', '*'.repeat(1999), true],
    ['more marks', '*'.repeat(2001), false],
    ['as many in two paragraphs, with spaces between', `${'*'.repeat(1300)}\n \t\n${'*'.repeat(1300)}`, true],
    ['as many in three paragraphs', `${'*'.repeat(1300)}\n\n`.repeat(3), false],
    ['as many in two paragraphs', `${'*'.repeat(1300)}\n\n${'*'.repeat(1300)}`, true],
    ['two thousand cells in a row', '|'.repeat(2001), false],
    ['as many in many rows', '|a|b|c|\n'.repeat(1000), true],
    ['a hundred thousand characters', 'a'.repeat(100_000), true],
    ['one more character', 'a'.repeat(100_001), false],
    ['lines that end as on old computers', 'a\r'.repeat(2001), false],
  ])('%s', (_, markdown, quick) => {
    expect(isQuickToParse(markdown)).toBe(quick);
  });
});
