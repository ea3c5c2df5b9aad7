import { describe, expect, test } from 'vitest';
import { entryId, unusableIdsError } from '../../src/entries/entry-id.ts';
import { LuidContentError } from '../../src/index.ts';
import { wire } from '../models/content.ts';

const idOf = (slug: unknown, lang?: string) => entryId(wire('article', { slug }), 'slug', lang);

describe('the id of an entry', () => {
  test('is the content id, a field, or the result of a function', () => {
    const item = wire('article', { slug: 'tea', order: 0 }, 7);
    expect(entryId(item, undefined)).toEqual({ id: '7' });
    expect(entryId(item, 'slug')).toEqual({ id: 'tea' });
    expect(entryId(item, 'order')).toEqual({ id: '0' });
    expect(entryId(item, ({ _id, slug }) => `${_id}-${slug}`)).toEqual({ id: '7-tea' });
  });

  test('starts with the language, if there is one', () => {
    expect(idOf('tea', 'ja')).toEqual({ id: 'ja/tea' });
    expect(idOf('tea', undefined)).toEqual({ id: 'tea' });
  });

  test.each([
    ...['a/b/c', 'a.b', '...', '.a', 'a..b', '市場', '100%', '50%-off', '%zz', 'a b'],
    ...['x'.repeat(255), `${'x'.repeat(253)}.x`, '市'.repeat(85)],
  ])('may be %j', (slug) => {
    expect(idOf(slug)).toEqual({ id: slug });
  });

  test.each([
    ...['%E3%81%82', '%e3%81%82', '%C3%A9', '%C3%80', 'a%20b', '%25E3%2581%2582', '%F0%9F%8D%B5-tea'],
    ...['日本語', '“x”', 'ü/ß'].map(encodeURIComponent),
  ])('may be percent-encoded UTF-8: %j', (slug) => {
    expect(idOf(slug)).toEqual({ id: slug });
  });

  test.each([
    ...['%00', 'a%0Ab', '%C2%85', '%c2%9f', '%7f', '%25C2%2585', '%E3%81%82%0A', '%E3%81%C2%85', '50%9f'],
  ])('must not hide a control character in an encoding: %j', (slug) => {
    expect(idOf(slug)).toHaveProperty('problem', expect.stringContaining('a control character'));
  });

  test.each(['%E3%81%82/%2e%2e', '%E3%81%82%2f%2e%2e%2fx', '%ff%2f%2e%2e%2fx', '%E3%81%82%5C'])(
    'must not hide a path in an encoding: %j',
    (slug) => {
      expect(idOf(slug)).toHaveProperty('problem', expect.stringMatching(/path segment|backslash/));
    },
  );

  test.each([
    ['', '""'],
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'true'],
    [['a'], '["a"]'],
  ])('is rejected if the field is %j', (slug, shown) => {
    expect(idOf(slug)).toEqual({ problem: `has no id: the field slug is ${shown}` });
  });

  test('is rejected if only Object.prototype has the property', () => {
    expect(entryId(wire('article'), 'constructor')).toEqual({
      problem: 'has no id: the field constructor is undefined',
    });
  });

  test('is rejected if the function returns none', () => {
    const rule = () => '';
    expect(entryId(wire('article'), rule)).toEqual({
      problem: 'has no id: the result of the `id` function is ""',
    });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('is rejected if the function returns %j', (value) => {
    expect(entryId(wire('article'), () => value)).toEqual({
      problem: `has no id: the result of the \`id\` function is ${value}`,
    });
  });

  test.each([
    ['a\u0000b', 'a control character'],
    ['a\u001f', 'a control character'],
    ['\u007f', 'a control character'],
    ['\u009f', 'a control character'],
    ['a\\b', 'a backslash'],
    ['\ud800x', 'a lone surrogate'],
    ['/a', 'an empty path segment'],
    ['a//b', 'an empty path segment'],
    ['a/', 'an empty path segment'],
    ['.', 'a "." or ".." path segment'],
    ['a/./b', 'a "." or ".." path segment'],
    ['..', 'a "." or ".." path segment'],
    ['a/../b', 'a "." or ".." path segment'],
    ['%2e%2E/x', 'a "." or ".." path segment'],
    ['a%2F%2fb', 'an empty path segment'],
    ['%5c', 'a backslash'],
    ['%252e', 'a "." or ".." path segment'],
    [`%${'25'.repeat(4)}2e`, 'a "." or ".." path segment'],
    ['x'.repeat(256), 'a path segment of more than 255 bytes'],
    [`ok/${'市'.repeat(86)}`, 'a path segment of more than 255 bytes'],
  ])('is rejected: %j', (slug, unsafe) => {
    const problem = (idOf(slug) as { problem: string }).problem;
    expect(problem).toMatch(new RegExp(`^has an id with ${unsafe}: the field slug is "`));
    expect(idOf(slug, 'ja')).toEqual({ problem });
  });

  test('is checked after decoding it up to five times: no server decodes more often', () => {
    const coded = (times: number) => `%${'25'.repeat(times - 1)}2e`;
    expect(idOf(coded(5))).toHaveProperty('problem');
    expect(idOf(coded(6))).toEqual({ id: coded(6) });
  });

  test('is printed on one line, at most 80 characters of it', () => {
    const { problem } = idOf(`/${'x'.repeat(500)}\u001b`) as { problem: string };
    expect(problem).toHaveLength('has an id with a control character: the field slug is '.length + 80);
    expect(problem).toMatch(/x…$/);
  });
});

describe('the error for items without a usable id', () => {
  const found = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      item: wire('article', { _title: `T${n}` }, n),
      problem: 'has no id',
    }));

  test('names the item if there is only one', () => {
    const error = unusableIdsError(found(1), 'slug');
    expect(error).toBeInstanceOf(LuidContentError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^article 0 "T0" has no id\n/),
      model: 'article',
      id: 0,
      field: 'slug',
      hint: 'Correct the entry, or choose another `id` for the loader. Set `onInvalid: "skip"` to skip such entries.',
    });
  });

  test('names an item once that is without one in several languages', () => {
    expect(unusableIdsError([...found(1), ...found(1)], 'slug').message).toMatch(
      /^article 0 "T0" has no id\n/,
    );
  });

  test('lists the first ten of many', () => {
    const lines = unusableIdsError(found(12), undefined).message.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '12 items have no usable id:',
      '  article 0 "T0" has no id',
      '  article 1 "T1" has no id',
    ]);
    expect(lines.slice(9, 12)).toEqual([
      '  article 8 "T8" has no id',
      '  article 9 "T9" has no id',
      '  and 2 more',
    ]);
  });

  test('names no field if there is none, and does not suggest skipping if items are skipped', () => {
    const error = unusableIdsError(found(2), () => '', true);
    expect(error.field).toBeUndefined();
    expect(error.hint).toBe('Correct the entry, or choose another `id` for the loader.');
    expect(unusableIdsError([], 'slug').message).toMatch(/^0 items have no usable id/);
  });
});
