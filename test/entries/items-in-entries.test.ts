import { expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { itemsInEntries } from '../../src/entries/items-in-entries.ts';
import { field } from '../../src/index.ts';
import { wire } from '../models/content.ts';
import { itemsWithoutLanguage } from './test-language-items.ts';

const models = { page: { next: field.reference('page'), cover: field.media() } };
const item = (id: number, fields: Record<string, unknown> = {}) => wire('page', fields, id);

test('embedded items are found up to the depth, each once', () => {
  const chain = [1, 2, 3, 4].map((id) => item(id, { next: (id % 4) + 1 }));
  const languageItems = itemsWithoutLanguage(...chain);
  const shown = (depth: number, ...ids: number[]) =>
    [
      ...itemsInEntries(
        models,
        ids.map((id) => ({ item: languageItems.get(id) as WireContent, languageItems })),
        depth,
      ),
    ].map(({ _id }) => _id);
  expect(shown(0, 1)).toEqual([1]);
  expect(shown(1, 1)).toEqual([1, 2]);
  expect(shown(2, 1, 2)).toEqual([1, 2, 3, 4]);
  expect(shown(10, 3)).toEqual([3, 4, 1, 2]);
});

test('missing targets, undeclared models and other fields are not followed', () => {
  const pages = [item(1, { next: 9 }), item(2, { cover: 1 }), wire('other', { next: 1 }, 3)];
  const languageItems = itemsWithoutLanguage(...pages);
  for (const page of pages)
    expect([...itemsInEntries(models, [{ item: page, languageItems }], 3)]).toEqual([page]);
});

test('backlinks are found, with what they embed up to their own depth', () => {
  const chain = [1, 2, 3, 4, 5].map((id) => item(id, { next: id + 1 }));
  const languageItems = itemsWithoutLanguage(...chain);
  const page = (id: number) => languageItems.get(id) as WireContent;
  const shown = (depth: number, ...lists: { depth: number; items: WireContent[] }[]) => {
    const backlinks = lists.map((list) => ({ name: 'list', maxEmbedded: 2000, ...list }));
    const entry = { item: page(5), languageItems, backlinks };
    return [...itemsInEntries(models, [entry], depth)].map(({ _id }) => _id).sort();
  };
  expect(shown(0, { depth: 0, items: [page(1), page(2)] })).toEqual([1, 2, 5]);
  expect(shown(0, { depth: 1, items: [page(1)] })).toEqual([1, 2, 5]);
  expect(shown(3, { depth: 0, items: [page(1)] })).toEqual([1, 5]);
  // Reached by a shorter way first, but with less depth left.
  expect(shown(0, { depth: 0, items: [page(1)] }, { depth: 2, items: [page(1)] })).toEqual([1, 2, 3, 5]);
});
