import { afterEach, expect, test } from 'vitest';
import { article, closeSources, openSite, refreshAll, resultOf } from './live-site.ts';

afterEach(closeSources);

/** So many items that a check reads only what changed, and articles keep the id of what was removed. */
function openLargeSite() {
  const more = Array.from({ length: 300 }, (_, n) => ({
    ...article(20, `more-${n}`, { author: null }),
    id: 100 + n,
  }));
  return openSite({ contents: [article(10, 'a'), ...more], onInvalid: 'skip' });
}

const OPTIONS = {
  filter: { where: { author: { eq: 1 } } },
  field: { id: 'author' },
  function: { id: (item: { author: unknown }) => `by-${item.author}`, where: { slug: { eq: 'a' } } },
};

test('a reference to content that was removed matches no filter, and is empty in ids', async () => {
  const { space, service } = openLargeSite();
  const loaders = Object.values(OPTIONS).map((options) =>
    space.liveLoader('article', { depth: 0, ...options } as object),
  );
  const list = async () =>
    Promise.all(
      loaders.map(async (live, index) => {
        const result = await live.loadCollection({ collection: Object.keys(OPTIONS)[index] } as never);
        return resultOf(result).entries.map(({ id }) => id);
      }),
    );
  const requested = async () =>
    resultOf(
      await loaders[2]?.loadCollection({
        filter: { where: { author: { eq: 1 } } },
        collection: 'function',
      } as never),
    ).entries.length;
  expect(await list()).toEqual([['10'], ['1'], ['by-1']]);
  expect(await requested()).toBe(1);
  service.clock.advance(3_600_000);
  service.contents.archive(1);
  await refreshAll();
  expect(await list()).toEqual([[], [], ['by-null']]);
  expect(await requested()).toBe(0);
});

test('an entry whose id is a reference is found by the first request', async () => {
  const { space } = openLargeSite();
  const live = space.liveLoader('article', { depth: 0, id: 'author' } as object);
  const entry = await live.loadEntry({ filter: { id: '1' }, collection: 'articles' } as never);
  expect(resultOf(entry).data).toMatchObject({ slug: 'a' });
});

test('an entry has no time of its last change, which would go back when an embedded item is archived', async () => {
  const { space, service } = openSite();
  service.clock.set(Date.UTC(2026, 6, 1));
  service.contents.edit(1, { name: 'Mori Rintaro' });
  const live = space.liveLoader('article');
  const load = async () => resultOf(await live.loadEntry({ filter: { id: '10' }, collection: 'articles' }));
  expect((await load()).cacheHint).toEqual({ tags: [expect.any(String), expect.any(String)] });
  service.contents.archive(1);
  await refreshAll();
  expect(await load()).toMatchObject({ data: { author: null } });
  expect((await load()).cacheHint).toEqual({ tags: [expect.any(String), expect.any(String)] });
});
