import { expect, test } from 'vitest';
import { timeOf } from '../../src/contract/item-times.ts';
import { wire } from '../models/content.ts';

test.each([
  ['2026-01-01T00:00:00.250Z', Date.UTC(2026, 0, 1) + 250],
  ['2026-01-01T09:00:00+09:00', Date.UTC(2026, 0, 1)],
  ['2026-01-01T00:00:00', Date.UTC(2026, 0, 1)],
  ['yesterday', Number.NEGATIVE_INFINITY],
  [null, Number.NEGATIVE_INFINITY],
])('the time %s of an item is %d', (time, expected) => {
  const item = wire('article', { _last_published_at: time }, 1);
  expect(timeOf(item, '_last_published_at')).toBe(expected);
});
