import { describe, expect, test } from 'vitest';
import {
  type MemberList,
  restoreMembers,
  storedMembers,
} from '../../../src/astro/collection/view/member-list.ts';
import { field } from '../../../src/index.ts';
import { at, content } from '../../replica/wire-items.ts';
import { contentOf, openView, type TestItems, type TestOptions, testCollection } from './open-view.ts';

const models = {
  author: { name: field.text({ title: true }) },
  article: { title: field.text({ title: true }), author: field.reference('author') },
};

async function viewOf(items: TestItems, options: TestOptions = {}, model = 'article') {
  return openView(testCollection(models, model, options), await contentOf(models, items));
}
type View = Awaited<ReturnType<typeof viewOf>>;

const restored = (view: View) => restoreMembers(JSON.parse(JSON.stringify(storedMembers(view))));
const plain = ({ byLanguage }: MemberList) =>
  byLanguage.map((members) =>
    members.map(({ id, itemId, language, orderKeys }) => [id, itemId, language, orderKeys]),
  );

const ARTICLES = [
  content(5, { title: 'B', _created_at: at(1) }),
  content(6, { title: 'A', _created_at: at(9) }),
  content(7, { title: 'A', _created_at: at(2) }),
  content(8, { title: null, _created_at: at(3) }),
];
const ORDERED = { neighbours: { order: ['-title', '_created_at'] } };

describe('members that were stored', () => {
  test.each([
    ['without an order', {}],
    ['in an order, with empty values', ORDERED],
    ['in the order of their content IDs', { neighbours: { order: '_id' } }],
    ['in several languages', { ...ORDERED, langs: ['ja', 'en'], fallback: true }],
    ['in a language without entries', { langs: ['en', 'ja'] }],
  ])('are equal: %s', async (_, options) => {
    const view = await viewOf({ main: ARTICLES, sub: [] }, options);
    expect(plain(restored(view))).toEqual(plain(view));
    expect(restored(view).size).toBe(view.size);
  });

  test('are columns by language', async () => {
    const view = await viewOf({ main: ARTICLES.slice(0, 2) }, { neighbours: { order: 'title' } });
    expect(storedMembers(view)).toEqual({
      ids: [[6, 5]],
      entryIds: [['6', '5']],
      orders: [[['A', 'B']]],
      skipped: [],
      listed: [],
    });
    expect(storedMembers(await viewOf({ main: ARTICLES.slice(0, 2) }))).toEqual({
      ids: [[5, 6]],
      entryIds: [['5', '6']],
      skipped: [],
      listed: [],
    });
  });

  test('have what backlinks list, and which items are skipped', async () => {
    const main = [
      content(1, { _model: 'author', name: 'Mori' }),
      content(2, { _model: 'author', name: '' }),
      ...ARTICLES.map((item) => ({ ...item, author: 1 })),
    ];
    const options = { id: 'name', backlinks: { articles: { from: 'article', by: 'author', limit: 1 } } };
    const { listed, skipped } = restored(await viewOf({ main }, options, 'author'));
    expect(listed).toEqual([{ 1: [5, 6, 7, 8] }]);
    expect(skipped).toEqual(new Set([2]));
  });
});

describe('a member', () => {
  test('is found by its id, and by its item and language', async () => {
    const view = await viewOf({ main: ARTICLES, sub: ARTICLES.slice(0, 1) }, { langs: ['ja', 'en'] });
    for (const members of [view, restored(view)]) {
      expect(members.find('en/5')).toMatchObject([{ itemId: 5, language: 1 }]);
      expect(members.find('en/6')).toEqual([]);
      expect(members.member(0, 6)?.id).toBe('ja/6');
      expect(members.member(1, 6)).toBeUndefined();
      expect(members.membersOf(new Set([5, 6, 99])).map(({ id }) => id)).toEqual(['ja/5', 'ja/6', 'en/5']);
    }
  });

  test('has the neighbours that its order gives it, and none without one', async () => {
    const view = await viewOf({ main: ARTICLES }, ORDERED);
    const near = (members: MemberList, itemId: number) =>
      members.neighboursOf(members.member(0, itemId) as never).map((one) => one?.itemId);
    for (const members of [view, restored(view)]) {
      expect(view.all.map(({ itemId }) => itemId)).toEqual([8, 5, 7, 6]);
      expect(near(members, 8)).toEqual([undefined, 5]);
      expect(near(members, 7)).toEqual([5, 6]);
      expect(near(members, 6)).toEqual([7, undefined]);
    }
    expect(near(await viewOf({ main: ARTICLES }), 6)).toEqual([undefined, undefined]);
  });
});
