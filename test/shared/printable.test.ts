import { expect, test } from 'vitest';
import { printable, printableJson } from '../../src/shared/printable.ts';
import { findHarm, HOSTILE_STRINGS } from '../security/hostile-strings.ts';

test('text in any script is unchanged', () => {
  expect(printable('C++::std, ## Heading, #[x]')).toBe('C++::std, ## Heading, #[x]');
  expect(printable('夕暮れの港 – naïve “quotes” 👩‍🚀')).toBe('夕暮れの港 – naïve “quotes” 👩‍🚀');
});

test.each([
  ['a newline', 'a\n::add-mask::b', 'a\\u000a::add-mask::b'],
  ['a carriage return', 'a\rb', 'a\\u000db'],
  ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
  ['a C1 control', '\u009b31m', '\\u009b31m'],
  ['a line separator', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
  ['a direction override', 'gpj.\u202eexe', 'gpj.\\u202eexe'],
  ['a command of Azure Pipelines', 'x ##vso[task.prependpath]/tmp', 'x #\\u0023vso[task.prependpath]/tmp'],
  ['an old command of GitHub Actions', 'x ##[stop-commands]y', 'x #\\u0023[stop-commands]y'],
  ['a command at the start', '::error::x', '\\u003a:error::x'],
  ['half a surrogate pair', '\ud800x\udc00', '\\ud800x\\udc00'],
])('%s is escaped', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('a long string is cut, and half a surrogate pair escaped', () => {
  expect(printable('abcdef', 4)).toBe('abc…');
  expect(printable('ab👩x', 4)).toBe('ab\\ud83d…');
  expect(printable('abcd', 4)).toBe('abcd');
});

test.each([undefined, 2])('JSON with indent %s is escaped, and still parses to the same value', (indent) => {
  const value = { list: HOSTILE_STRINGS, ...Object.fromEntries(HOSTILE_STRINGS.map((name) => [name, 1])) };
  const shown = printableJson(JSON.stringify(value, null, indent));
  expect(findHarm(shown)).toEqual([]);
  expect(JSON.parse(shown)).toEqual(value);
});
