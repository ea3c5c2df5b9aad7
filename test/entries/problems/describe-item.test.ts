import { expect, test } from 'vitest';
import { describeItem } from '../../../src/entries/problems/describe-item.ts';
import { wire } from '../../models/content.ts';

const article = (id: number, fields: Record<string, unknown> = {}) =>
  wire('article', { _title: `T${id}`, ...fields }, id);

test('an item is described by model, id and title', () => {
  expect(describeItem(article(5))).toBe('article 5 "T5"');
  expect(describeItem(article(5, { _title: 'a "b"\u001b' }))).toBe('article 5 "a \\"b\\"\\u001b"');
  expect(describeItem(article(5, { _title: 'x'.repeat(100) }))).toBe(`article 5 "${'x'.repeat(58)}…`);
  expect(describeItem(article(5, { _title: null }))).toBe('article 5');
  expect(describeItem(article(5, { _model: 7, _title: '' }))).toBe('content 5 ""');
  expect(describeItem(article(5, { _model: 'm'.repeat(100) }))).toBe(`${'m'.repeat(59)}… 5 "T5"`);
});
