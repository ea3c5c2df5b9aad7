import { describe, expect, test } from 'vitest';
import { mediaKey } from '../../src/replica/media-key.ts';

describe('the key of media', () => {
  const keys = Array.from({ length: 1000 }, (_, index) => mediaKey(`/media/${index}.jpg`));

  test('is never a content ID: it is negative', () => {
    expect(keys.every((key) => key < 0)).toBe(true);
  });

  test('is a whole number that JSON and a column of numbers keep', () => {
    expect(keys.every(Number.isSafeInteger)).toBe(true);
    expect([...Float64Array.from(keys)]).toEqual(keys);
  });

  test('is the same in every version, because facts are stored', () => {
    expect(mediaKey('/media/1.jpg')).toBe(-232_834_858_690_531);
  });

  test('is equal for equal URLs only', () => {
    expect(mediaKey('/media/1.jpg')).toBe(keys[1]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
