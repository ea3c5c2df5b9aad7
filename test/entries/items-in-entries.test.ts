import { expect, test } from 'vitest';
import type { WireContent } from '../../src/contract/content.ts';
import { shownItems } from '../../src/entries/items-in-entries.ts';
import { field } from '../../src/index.ts';
import { wire } from '../models/content.ts';
import { corpusOf } from './test-language-items.ts';

const models = { page: { next: field.reference('page'), cover: field.media() } };
const item = (id: number, fields: Record<string, unknown> = {}) => wire('page', fields, id);

test('the items that entries show are followed as deep as they are embedded, and each is there once', () => {
  const chain = [1, 2, 3, 4].map((id) => item(id, { next: (id % 4) + 1 }));
  const corpus = corpusOf(...chain);
  const shown = (depth: number, ...ids: number[]) =>
    [
      ...shownItems(
        models,
        ids.map((id) => ({ item: corpus.get(id) as WireContent, corpus })),
        depth,
      ),
    ].map(({ _id }) => _id);
  expect(shown(0, 1)).toEqual([1]);
  expect(shown(1, 1)).toEqual([1, 2]);
  expect(shown(2, 1, 2)).toEqual([1, 2, 3, 4]);
  expect(shown(10, 3)).toEqual([3, 4, 1, 2]);
});

test('what is missing, not declared or not a reference is not shown', () => {
  const pages = [item(1, { next: 9 }), item(2, { cover: 1 }), wire('other', { next: 1 }, 3)];
  const corpus = corpusOf(...pages);
  for (const page of pages) expect([...shownItems(models, [{ item: page, corpus }], 3)]).toEqual([page]);
});
