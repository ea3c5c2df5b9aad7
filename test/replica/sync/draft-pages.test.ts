import { expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { createPageDrafts } from '../../../src/replica/store/segments/draft-pages.ts';
import { content } from '../wire-items.ts';

/** Pages of these ids, the odd ones articles, and the ids that each table received, in order. */
function draftsOf(pages: readonly (readonly number[])[], arrival: readonly number[]) {
  const received = { article: [] as number[], note: [] as number[] };
  const tableOf = (ids: number[]) => ({
    draft: (items: readonly WireContent[]) => void ids.push(...items.map(({ _id }) => _id)),
  });
  const onPage = createPageDrafts(
    new Map(Object.entries(received).map(([model, ids]) => [model, tableOf(ids)])),
  );
  for (const index of arrival) {
    const data = pages[index]?.map((id) => content(id, { _model: id % 2 ? 'article' : 'note' })) ?? [];
    onPage(index, { data });
  }
  return received;
}

const PAGES = [
  [1, 2, 3, 4],
  [4, 5, 6, 7],
  [7, 8, 9],
];

test('pages that arrive in any order are drafted in the order of the list, the last item of each with the next', () => {
  for (const arrival of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ])
    expect(draftsOf(PAGES, arrival)).toEqual({ article: [1, 3, 5, 7], note: [2, 4, 6, 8] });
});

test('nothing is drafted after a page that is missing, or does not adjoin the one before', () => {
  expect(draftsOf(PAGES, [0, 2])).toEqual({ article: [1, 3], note: [2] });
  const broken = PAGES.with(1, [5, 6, 7]);
  expect(draftsOf(broken, [2, 1, 0])).toEqual({ article: [1, 3], note: [2] });
});

test('nothing is drafted before or after an empty page', () => {
  const none = { article: [], note: [] };
  expect(draftsOf([[], [1, 2]], [0, 1])).toEqual(none);
  expect(draftsOf([[1], [], [1, 2]], [0, 1, 2])).toEqual(none);
});

test('items of models without a table are skipped', () => {
  const received: number[] = [];
  const table = {
    draft: (items: readonly WireContent[]) => void received.push(...items.map(({ _id }) => _id)),
  };
  const onPage = createPageDrafts(new Map([['article', table]]));
  onPage(0, { data: [content(1), content(2, { _model: 'page' }), content(3), content(4)] });
  expect(received).toEqual([1, 3]);
});
