import { describe, expect, test } from 'vitest';
import { lastModified } from '../../../src/astro/feeds/last-modified.ts';
import { day, entryOf, itemData } from './entries.ts';

describe('lastModified', () => {
  test('is the newest of an entry’s own times', () => {
    expect(lastModified(entryOf(itemData(1, { _updated_at: day(3) })))).toEqual(day(3));
    expect(lastModified(entryOf(itemData(1, { _last_published_at: day(4) })))).toEqual(day(4));
  });

  test('ignores updates of a draft, which the page does not show', () => {
    const data = itemData(1, { _status: 'published_draft', _updated_at: day(9), _last_published_at: day(2) });
    expect(lastModified(entryOf(data))).toEqual(day(2));
  });

  test('is the update of a draft that was never published', () => {
    const never = { _status: 'draft', _published_at: null, _last_published_at: null };
    expect(lastModified(entryOf(itemData(1, { ...never, _updated_at: day(5) })))).toEqual(day(5));
  });

  test('includes content that the entry embeds, at any depth, in lists and blocks', () => {
    const editor = itemData(3, { _updated_at: day(7) });
    const author = itemData(2, { editor });
    expect(lastModified(entryOf(itemData(1, { author })))).toEqual(day(7));
    expect(lastModified(entryOf(itemData(1, { related: [{ article: author }] })))).toEqual(day(7));
    expect(lastModified(entryOf(itemData(1, { blocks: [{ luid: 'x', fields: { author } }] })))).toEqual(
      day(7),
    );
  });

  test('ends at circular references', () => {
    const data: Record<string, unknown> = itemData(1);
    data.self = data;
    expect(lastModified(entryOf(data))).toEqual(day(1));
  });

  test('includes entries that references of Astro lead to', () => {
    const author = entryOf(itemData(2, { _updated_at: day(8) }));
    const find = (collection: string, id: string) =>
      collection === 'authors' && id === 'mori' ? author : undefined;
    const data = itemData(1, { author: { collection: 'authors', id: 'mori' } });
    expect(lastModified(entryOf(data), find)).toEqual(day(8));
    expect(lastModified(entryOf(data))).toEqual(day(1));
  });

  test('is undefined without times', () => {
    expect(lastModified(entryOf({ title: 'x' }))).toBeUndefined();
  });
});
