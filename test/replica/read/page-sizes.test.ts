import { describe, expect, test } from 'vitest';
import { PageSizes } from '../../../src/replica/read/page-sizes.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Sizes at a time that a test sets. */
function open(stored = {}, now = 0) {
  return new PageSizes(stored, () => now);
}

describe('the sizes of pages', () => {
  test('are full pages until one fails', () => {
    const sizes = open();
    expect(sizes.of('article')).toBe(100);
    expect(sizes.toStored()).toEqual({});
    sizes.failed('article', 100);
    expect([sizes.of('article'), sizes.of('author')]).toEqual([50, 100]);
    expect(sizes.toStored()).toEqual({ article: { size: 50, at: 0 } });
  });

  test('become smaller once, however many pages of that size are already requested', () => {
    const sizes = open();
    for (let n = 0; n < 16; n++) sizes.failed('article', 100);
    expect(sizes.of('article')).toBe(50);
  });

  test('end at one item', () => {
    const sizes = open();
    for (let size = 100; size > 1; size = sizes.of('article')) sizes.failed('article', size);
    sizes.failed('article', 1);
    expect(sizes.of('article')).toBe(1);
  });

  test('stay as they are if one page of many fails', () => {
    const sizes = open();
    for (let n = 0; n < 8; n++) sizes.worked('article', 100);
    sizes.failed('article', 100);
    sizes.failed('article', 100);
    expect(sizes.of('article')).toBe(100);
    sizes.failed('article', 100);
    expect(sizes.of('article')).toBe(50);
  });

  test('are remembered for a day, then twice as much is tried', () => {
    const stored = { article: { size: 25, at: DAY }, author: { size: 60, at: DAY } };
    expect(open(stored, 2 * DAY - 1).toStored()).toEqual(stored);
    expect(open(stored, 2 * DAY).toStored()).toEqual({ article: { size: 50, at: 2 * DAY } });
  });

  test('are tried again too if they seem to be of the future', () => {
    expect(open({ article: { size: 25, at: 2 * DAY } }, 0).of('article')).toBe(50);
  });
});
