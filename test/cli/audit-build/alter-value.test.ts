import { describe, expect, test } from 'vitest';
import { CLI_FIELD_TYPES } from '../../../src/cli/field-types/index.ts';
import type { Field } from '../../../src/models/field-types/index.ts';

const alter = (type: Field['type'], value: unknown, others: unknown[] = [], field = {}) =>
  CLI_FIELD_TYPES[type].alter?.(value, { marker: 'luid0001x', others, field });

describe('another value as an editor could enter it', () => {
  test.each([
    ['a text', 'Night train', 'luid0001x Night train'],
    ['a number', '1,200', '1,201'],
    ['a price that ends in 9', '99', '90'],
    ['a slug', 'night-train', 'night-train-luid0001x'],
    ['a URL', 'https://a.test/b', 'https://a.test/b#luid0001x'],
    ['a path, of which there is no other', '/b', '/b'],
  ])('keeps the form of %s', (_name, value, altered) => {
    expect(alter('text', value)).toBe(altered);
  });

  test('is one of other items where the form is not known', () => {
    expect(alter('text', '#fff', ['#fff', '#000'])).toBe('#000');
    expect(alter('reference', 3, [3, null, 4])).toBe(4);
    expect(alter('reference', 3, [3])).toBe(3);
    expect(alter('select', 'a', ['a', 'b'])).toBe('b');
  });

  test('is another option, time, alternative text or paragraph', () => {
    expect(alter('select', 'a', [], { options: ['a', 'b'] })).toBe('b');
    expect(alter('multi_select', ['a'], [], { options: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(alter('multi_select', ['a', 'b'], [], { options: ['a', 'b'] })).toEqual(['b']);
    expect(alter('boolean', true)).toBe(false);
    expect(alter('datetime', '2026-01-01T00:00:00Z')).toBe('2026-01-02T00:00:00.000Z');
    const media = { url: 'a.jpg', alt: 'A' };
    expect(alter('media', media, [media, { url: 'b.jpg', alt: 'B' }])).toEqual({
      url: 'b.jpg',
      alt: 'luid0001x A',
    });
    expect(alter('flexible_text', '<p>a</p>')).toBe('<p>luid0001x</p><p>a</p>');
    expect(alter('flexible_text', '# a', [], { format: 'markdown' })).toBe('luid0001x\n\n# a');
  });

  test('does not exist for groups, whose fields are altered one by one', () => {
    for (const type of ['repeat', 'combination', 'field_set'] as const)
      expect(CLI_FIELD_TYPES[type].alter).toBe(undefined);
  });
});
