import { describe, expect, test } from 'vitest';
import { type ChangedTags, limitChange, limitPage } from '../../../../src/astro/live/tags/cache-tags.ts';

const group = (name: string, size: number): ChangedTags => ({
  exact: Array.from({ length: size }, (_, index) => `${name}${index}`),
  coarse: [`all-${name}`],
});

describe('the tags of a change', () => {
  test('are exact as long as the host takes as many', () => {
    expect(limitChange([group('a', 2), group('b', 1)], 3)).toEqual(['a0', 'a1', 'b0']);
  });

  test('are coarse where most has changed, and exact elsewhere', () => {
    expect(limitChange([group('b', 2), group('a', 3)], 4)).toEqual(['all-a', 'b0', 'b1']);
    expect(limitChange([group('b', 2), group('a', 3)], 2)).toEqual(['all-a', 'all-b']);
  });

  test('stay exact if coarse ones would be as many', () => {
    expect(limitChange([group('a', 1)], 0)).toEqual(['a0']);
  });
});

describe('the tags of a page', () => {
  test('stay, if they are few', () => {
    const tags = ['own', 'luid:entry:e', 'luid:entries:c', 'luid:lists:d'];
    expect(limitPage(tags, 4)).toEqual(tags);
  });

  test('of an item come with one that a change of many items invalidates', () => {
    expect(limitPage(['luid:article:101'], 9)).toEqual(['luid:article:101', 'luid:items:article']);
    expect(limitPage(['luid:article:101', 'luid:article'], 9)).toEqual(['luid:article:101', 'luid:article']);
  });

  test('are those of collections and models, if they are many', () => {
    const entries = ['luid:entry:e', 'luid:entries:c', 'luid:entry:f', 'luid:entries:c'];
    expect(limitPage(['own', ...entries, 'luid:lists:c'], 4)).toEqual(['own', 'luid:lists:c']);
    expect(limitPage(['luid:article:1', 'luid:article:2', 'luid:author:3'], 4)).toEqual([
      'luid:article',
      'luid:author',
    ]);
  });
});
