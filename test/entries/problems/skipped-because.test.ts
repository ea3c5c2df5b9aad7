import { expect, test } from 'vitest';
import type { InvalidItem } from '../../../src/entries/problems/invalid-item.ts';
import { rootCauses } from '../../../src/entries/problems/invalid-item.ts';
import { skippedBecause } from '../../../src/entries/problems/skipped-because.ts';
import { wire } from '../../models/content.ts';

const broken = (id: number, model = 'article'): InvalidItem => ({
  data: wire(model, {}, id),
  issues: [{ path: ['title'], message: 'required' }],
  because: [],
});
const dependent = (id: number, model: string, ...because: InvalidItem[]): InvalidItem => ({
  data: wire(model, {}, id),
  issues: [],
  because,
});

test('entries are counted by their model and by what they are skipped for', () => {
  const [one, two] = [broken(307), broken(308)];
  const lines = skippedBecause([
    one,
    dependent(1, 'event', one),
    dependent(2, 'event', one),
    dependent(3, 'category', two),
    dependent(4, 'category', two),
    dependent(5, 'event', two),
  ]);
  expect(lines).toEqual([
    '2 events are skipped because article 307 is',
    '2 categories are skipped because article 308 is',
    '1 event is skipped because article 308 is',
  ]);
});

test('the reason is the item that is invalid itself, however far away, and one of several', () => {
  const far = dependent(2, 'article', dependent(3, 'article', broken(307), broken(308)), broken(309));
  expect(skippedBecause([dependent(1, 'event', far)])).toEqual(['1 event is skipped because article 307 is']);
});

test('at most ten reasons are listed', () => {
  const many = Array.from({ length: 12 }, (_, index) => dependent(index, 'event', broken(100 + index)));
  expect(skippedBecause(many)).toHaveLength(11);
  expect(skippedBecause(many).at(-1)).toBe('and 2 more');
});

test('the causes of many entries that depend on each other are found once each', () => {
  let level = [broken(1), broken(2)];
  // Without remembering what was visited, these are 2 ** 40 paths.
  for (let depth = 0; depth < 40; depth++) {
    const below = level;
    level = [1, 2].map((id) => dependent(id, 'article', ...below));
  }
  expect(rootCauses(level).map(({ data }) => data._id)).toEqual([1, 2]);
});
