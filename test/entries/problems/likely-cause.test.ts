import { describe, expect, test } from 'vitest';
import { likelyCause } from '../../../src/entries/problems/likely-cause.ts';

const REFERENCE = 'looks like a reference: `field.reference()`';
const SETS = 'looks like a list of groups: `field.repeat({ … })`';

describe('invalid values look like', () => {
  test.each([
    [[true, false], 'looks like true or false: `field.boolean()`'],
    [[5, 6], REFERENCE],
    [[{ _id: 5, _model: 'author' }], REFERENCE],
    [[{ url: 'https://a.example/b.jpg', alt: '' }], 'looks like media: `field.media()`'],
    [[{ title: 'a' }], 'looks like a field set: `field.fieldSet({ … })`'],
    [[{ url: 'x' }], 'looks like a field set: `field.fieldSet({ … })`'],
    [[{ url: 5, alt: '' }], 'looks like a field set: `field.fieldSet({ … })`'],
    [[{ _id: 5 }], 'looks like a field set: `field.fieldSet({ … })`'],
    [[{ _id: 'x', _model: 'author' }], 'looks like a field set: `field.fieldSet({ … })`'],
    [[{ _id: 5, _model: 6 }], 'looks like a field set: `field.fieldSet({ … })`'],
    [[['a', 'b'], ['c']], 'looks like a list of option values: `field.multiSelect()`'],
    [[[{ a: 1 }, { b: 2 }]], SETS],
    [[[{ luid: 'hero', fields: {} }]], 'looks like a list of blocks: `field.combination({ … })`'],
    [[[{ luid: 'hero', fields: {} }, { a: 1 }]], SETS],
    [[[{ luid: 'hero', fields: 'x' }]], SETS],
    [[[{ luid: 5, fields: {} }]], SETS],
    [['2026-01-01T00:00:00Z', '2026-01-01T00:00'], 'looks like a time: `field.datetime()`'],
    [['2026-01-01T00:00:00Z', 'soon'], 'found "2026-01-01T00:00:00Z", "soon"'],
    [['at 2026-01-01T00:00'], 'found "at 2026-01-01T00:00"'],
    [['a', 'b', 'a'], 'found "a", "b"'],
    [['a', null, '', undefined, [], 'b'], 'found "a", "b"'],
    [['1', '2', '3', '4', '5'], 'found "1", "2", "3", "4", "5"'],
    [['1', '2', '3', '4', '5', '6'], 'found "1", "2", "3", "4", "5" and others'],
    [['x'.repeat(50)], `found "${'x'.repeat(38)}…`],
    [['a\u001b'], 'found "a\\u001b"'],
  ])('%j: %s', (values: unknown[], cause) => {
    expect(likelyCause(values, 'expected something')).toBe(cause);
  });

  test.each([
    [[]],
    [[null, '', []]],
    [['a', true]],
    [[1.5]],
    [[['a', { b: 1 }]]],
    [[[1, 2]]],
    [[Symbol('odd')]],
  ])('nothing in particular: %j', (values: unknown[]) => {
    expect(likelyCause(values, 'expected something')).toBeUndefined();
  });
});

test('a reference to another model is not reported as a wrong field type', () => {
  expect(likelyCause([5], 'expected content of author, found content 5 of article')).toBeUndefined();
  expect(likelyCause([true], 'expected content of author')).toContain('field.boolean()');
});

test('an invalid time is not reported as a wrong field type', () => {
  expect(likelyCause(['2026-02-31T00:00:00Z'], 'expected an ISO 8601 time')).toBe(
    'found "2026-02-31T00:00:00Z"',
  );
});
