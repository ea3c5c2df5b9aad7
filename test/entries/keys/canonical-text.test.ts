import { describe, expect, test } from 'vitest';
import { canonicalText, isPlainObject } from '../../../src/entries/keys/canonical-text.ts';
import { LuidConfigError } from '../../../src/shared/errors.ts';

describe('a value as a text', () => {
  // The keys of cached pages are made of these texts, so they are the same in every version.
  test.each<[unknown, string]>([
    ['', 's0:'],
    ['a;b', 's3:a;b'],
    [null, 'null;'],
    [undefined, 'undefined;'],
    [true, 'true;'],
    [false, 'false;'],
    [0, 'd0;'],
    [-0, 'd-0;'],
    [1.5, 'd1.5;'],
    [Number.NaN, 'dNaN;'],
    [12n, 'b12;'],
    [new Date(5), 'D5;'],
    [new URL('https://a.test'), 'U15:https://a.test/'],
    [[], 'a0[]'],
    [[1, ['x']], 'a2[d1;a1[s1:x]]'],
    [new Map([['a', 1]]), 'M2[s1:ad1;]'],
    [new Set(['a', 1]), 'S2[s1:ad1;]'],
    [{}, 'o0[]'],
    [{ b: 2, a: { c: null } }, 'o4[s1:ao2[s1:cnull;]s1:bd2;]'],
    [Object.assign(Object.create(null), { a: 1 }), 'o2[s1:ad1;]'],
  ])('%# is always the same', (value, text) => {
    expect(canonicalText(value)).toBe(text);
  });

  test('does not depend on the order of properties, nor on those that are undefined', () => {
    const text = canonicalText({ a: 1, b: 2, c: 3 });
    expect(canonicalText({ c: 3, a: 1, none: undefined, b: 2 })).toBe(text);
    expect(canonicalText({ b: 2, c: 3, a: 1 })).toBe(text);
  });

  test('can contain an object twice, but not inside itself', () => {
    const twice = { a: 1 };
    expect(canonicalText([twice, twice])).toBe('a2[o2[s1:ad1;]o2[s1:ad1;]]');
    const circle: unknown[] = [];
    circle.push({ inside: circle });
    expect(() => canonicalText(circle)).toThrow('a field contains an object that contains itself');
  });
});

test.each([
  ['a function', () => {}],
  ['a symbol', Symbol('x')],
  ['a RegExp', /x/],
])('%s is refused, with a hint at what to name instead', (what, value) => {
  const error = (() => {
    try {
      return canonicalText({ inside: [value] });
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(LuidConfigError);
  expect(error).toMatchObject({
    message: expect.stringContaining(`collectionKey: a field contains ${what}, which has no stable key`),
    hint: 'Name other fields, or a path into this one such as `author.name`.',
  });
});

test.each<[unknown, boolean]>([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [new Date(), false],
  [null, false],
  ['x', false],
  [undefined, false],
])('%o is a plain object: %s', (value, expected) => {
  expect(isPlainObject(value)).toBe(expected);
});
