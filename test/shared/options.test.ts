import { describe, expect, test } from 'vitest';
import { LuidConfigError } from '../../src/index.ts';
import {
  boolean,
  checkOptions,
  either,
  literal,
  object,
  secret,
  showValue,
  string,
  strings,
  wholeNumber,
} from '../../src/shared/options.ts';

describe('a value in a message', () => {
  test.each([
    ['x', "'x'"],
    ["it's", "'it\\'s'"],
    ['a\u001b[31m\nb', "'a\\u001b[31m\\u000ab'"],
    ['a'.repeat(100), `'${'a'.repeat(59)}…'`],
    [5, '5'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'undefined'],
    [5n, '5'],
    [['ja', 5], "['ja', 5]"],
    [[{ a: 1 }], 'a list of 1'],
    [[1, 2, 3, 4, 5, 6], 'a list of 6'],
    [{ key: 'secret' }, 'an object'],
    [() => 'x', 'a function'],
    [Symbol('s'), 'Symbol(s)'],
  ])('%s', (value, shown) => {
    expect(showValue(value)).toBe(shown);
  });
});

describe('options', () => {
  const rules = {
    name: string,
    key: secret,
    langs: strings,
    fallback: boolean,
    depth: wholeNumber(0, 10),
    retries: wholeNumber(0),
    onError: either(literal('fail'), literal('stale'), object({ stale: string }, "{ stale: '2d' }")),
  };
  const problem = (options: unknown) => {
    try {
      checkOptions('place', options, rules);
    } catch (error) {
      if (LuidConfigError.is(error)) return error.message;
      throw error;
    }
    return undefined;
  };

  test.each([
    {},
    { name: 'a', key: 'b', langs: [], fallback: false, depth: 0, retries: 1e6, onError: 'stale' },
    { onError: { stale: '2d' } },
    { onError: {} },
    { name: undefined, depth: undefined },
  ])('that are valid are accepted: %j', (options) => {
    expect(problem(options)).toBeUndefined();
  });

  test.each([
    [null, 'place: the options must be an object, got null'],
    ['x', "place: the options must be an object, got 'x'"],
    [[], 'place: the options must be an object, got []'],
    [{ nam: 'a' }, "place: unknown option 'nam'\n  → Did you mean 'name'? Valid options: name, key, langs,"],
    [{ constructor: 'a' }, "unknown option 'constructor'"],
    [{ nam: undefined }, "unknown option 'nam'"],
    [
      { onError: { stal: 1 } },
      "unknown option 'onError.stal'\n  → Did you mean 'stale'? Valid options of onError: stale",
    ],
    [{ onError: { stale: 1 } }, 'onError.stale must be a string, got 1'],
    [{ onError: 'ignore' }, "onError must be 'fail', 'stale' or { stale: '2d' }, got 'ignore'"],
    [{ onError: null }, 'got null'],
    [{ langs: 'ja' }, "langs must be a list of strings, got 'ja'"],
    [{ langs: ['ja', 5] }, "langs must be a list of strings, got ['ja', 5]"],
    [{ fallback: 'yes' }, "fallback must be true or false, got 'yes'"],
    [{ depth: '2' }, "depth must be a whole number from 0 to 10, got '2'"],
    [{ depth: 11 }, 'got 11'],
    [{ retries: -1 }, 'retries must be a whole number of at least 0, got -1'],
  ])('that are invalid are rejected: %j', (options, message) => {
    expect(problem(options)).toContain(message);
  });

  test('never appear in a message if they are secret or misspelt', () => {
    for (const options of [{ kye: 'top-secret' }, { key: ['top-secret'] }, { key: { is: 'top-secret' } }]) {
      expect(problem(options)).toBeDefined();
      expect(problem(options)).not.toContain('top-secret');
    }
  });
});
