import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../src/suggest.ts';

const COMMANDS = ['init', 'check', 'sync', 'watch', 'emulator'];

test.each([
  ['chekc', 'check'],
  ['chck', 'check'],
  ['Check', 'check'],
  ['watc', 'watch'],
  ['snyc', 'sync'],
  ['emulate', 'emulator'],
  ['deploy', undefined],
  ['', undefined],
  ['x', undefined],
  ['syncccccccc', undefined],
])('%j means %j', (given, meant) => {
  expect(nearest(given, COMMANDS)).toBe(meant);
});

test('the closest one wins, and the first of equals', () => {
  expect(nearest('apiKey', ['apikey', 'draftApiKey'])).toBe('apikey');
  expect(nearest('lang', ['langs', 'land'])).toBe('langs');
});

test('it is said as a question, or not at all', () => {
  expect(didYouMean('snyc', COMMANDS)).toBe('; did you mean "sync"?');
  expect(didYouMean('deploy', COMMANDS)).toBe('');
});
