import { describe, expect, test } from 'vitest';
import { didYouMean, editDistance, nearest, suggest } from '../../src/shared/suggest.ts';

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

test('the suggestion is a question, or empty', () => {
  expect(didYouMean('snyc', COMMANDS)).toBe('; did you mean "sync"?');
  expect(didYouMean('deploy', COMMANDS)).toBe('');
});

describe('the distance of two names', () => {
  test.each([
    ['', '', 0],
    ['lang', 'lang', 0],
    ['lang', 'langs', 1],
    ['neighbors', 'neighbours', 1],
    ['slgu', 'slug', 1],
    ['requird', 'required', 1],
    ['titel', 'title', 1],
    ['depht', 'depth', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ])('%j and %j: %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe('the nearest name', () => {
  const known = ['depth', 'id', 'body', 'lang', 'langs', 'neighbours', 'apiKey', 'draftApiKey', 'baseUrl'];
  test.each([
    ['neighbors', 'neighbours'],
    ['apikey', 'apiKey'],
    ['APIKEY', 'apiKey'],
    ['baseURL', 'baseUrl'],
    ['Depth', 'depth'],
    ['language', undefined],
    ['ID', 'id'],
    ['x', undefined],
    ['colour', undefined],
    ['constructor', undefined],
    ['a'.repeat(10_000), undefined],
  ])('to %s is %s', (name, found) => {
    expect(nearest(name, known)).toBe(found);
  });

  test('is suggested, and only for a string', () => {
    expect(suggest('dept', known)).toBe("Did you mean 'depth'? ");
    expect(suggest('nothing like it', known)).toBe('');
    expect(suggest(5, known)).toBe('');
  });
});
