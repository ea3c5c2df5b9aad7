import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RegisteredQueries } from '../../../../src/astro/live/tags/registered-queries.ts';
import { field } from '../../../../src/index.ts';
import { openReplicaPages } from './cached-pages.ts';
import { closeSources, openSite, refreshAll, resultOf, tagsOf } from './live-site.ts';

afterEach(closeSources);

test('after a change has invalidated all lists, because some were forgotten, later ones are exact again', async () => {
  const { space, service } = openSite();
  const live = space.liveLoader('article', { id: 'slug' });
  const list = async (slug: string) => {
    const filter = { where: { slug: { eq: slug } } };
    return resultOf(await live.loadCollection({ filter, collection: 'articles' }));
  };
  for (let n = 0; n < 501; n++) await list(`none ${n}`);
  const isInvalidated: boolean[] = [];
  for (const title of ['first', 'second', 'third']) {
    const page = tagsOf(await list('a'));
    service.contents.edit(12, { title });
    const tags = await refreshAll();
    isInvalidated.push(page.some((tag) => tags.includes(tag)));
  }
  expect(isInvalidated).toEqual([true, false, false]);
});

test.each<[string, object, object]>([
  ['words', { contains: 'Title' }, { contains: 'New' }],
  ['conditions', { where: { slug: { eq: 'a' } } }, { where: { slug: { eq: 'new' } } }],
  ['order', { order: '_id', limit: 1 }, { order: '-_id', limit: 1 }],
  ['limit', { order: '_id', limit: 3 }, { order: '_id', limit: 4 }],
  ['offset', { order: '_id', limit: 1 }, { order: '_id', limit: 1, offset: 3 }],
])(
  'of two lists that differ in their %s only, the one that changes is invalidated',
  async (_, same, other) => {
    const { space, service } = openSite();
    const live = space.liveLoader('article', { id: 'slug' });
    const pages = openReplicaPages(live as never, 'articles', { same, other });
    await pages.show();
    const { invalidated, differing } = await pages.after(
      () =>
        void service.contents.create({ model: 'article', published: { ja: { title: 'New', slug: 'new' } } }),
    );
    expect(differing).toEqual(['other']);
    expect(invalidated).toEqual(differing);
  },
);

describe('forgotten lists', () => {
  let queries: RegisteredQueries;
  let count: number;

  beforeEach(() => {
    const space = { models: { article: { title: field.text() } } };
    queries = new RegisteredQueries({ space, settings: { model: 'article' } } as never, 'articles');
    for (count = 0; count < 500; count++) add();
  });

  const add = () => queries.add({ offset: count }, []);
  const forgetOne = () => {
    add();
    count += 1;
  };

  function update() {
    const view = { membersOf: () => [] } as never;
    const none = { affected: new Set<number>(), changedEntries: new Set<string>() };
    return queries.update({ before: view, after: view, ...none });
  }

  test('are reported until a change that invalidates them is served', async () => {
    expect((await update()).hasForgotten).toBe(false);
    forgetOne();
    // Not served, because the check failed.
    expect((await update()).hasForgotten).toBe(true);
    const next = await update();
    expect(next.hasForgotten).toBe(true);
    next.apply();
    expect((await update()).hasForgotten).toBe(false);
  });

  test('are reported by the next change if they were forgotten after one', async () => {
    const none = await update();
    expect(none.hasForgotten).toBe(false);
    none.apply();
    forgetOne();
    expect((await update()).hasForgotten).toBe(true);
  });

  test('are not reported any more after all lists were invalidated, because their collection failed', async () => {
    forgetOne();
    queries.forget();
    expect((await update()).hasForgotten).toBe(false);
  });
});
