import { expect, test } from 'vitest';
import { notes, openSite, published, serve } from '../../replica/loader-site.ts';

/**
 * A build whose `id` calls a helper. Each call is a new process with another version of the helper, while the
 * source of the `id` function itself stays the same.
 */
function idThrough(helper: (title: string) => string) {
  return (item: { title?: unknown; name?: unknown }) => helper(String(item.title ?? item.name));
}

const first = (title: string) => `first-${title}`;
const second = (title: string) => `second-${title}`;

function start() {
  const service = serve([
    published('author', 1, { name: 'hana' }),
    published('article', 2, { title: 'tea', author: 1 }),
    published('article', 3, { title: 'rice' }),
    ...notes(150),
  ]);
  return openSite(service);
}

test('a changed helper of the `id` function gives new ids', async () => {
  const site = start();
  await site.build({ articles: { model: 'article', id: idThrough(first) } });
  const { articles } = await site.build({ articles: { model: 'article', id: idThrough(second) } });
  expect([...(articles?.keys() ?? [])].sort()).toEqual(['second-rice', 'second-tea']);
});

test('a changed helper of the `id` function gives new ids in each language', async () => {
  const site = start();
  const langs = { langs: ['ja', 'en'], fallback: true };
  await site.build({ articles: { model: 'article', ...langs, id: idThrough(first) } });
  const { articles } = await site.build({ articles: { model: 'article', ...langs, id: idThrough(second) } });
  expect([...(articles?.keys() ?? [])].sort()).toEqual([
    'en/second-rice',
    'en/second-tea',
    'ja/second-rice',
    'ja/second-tea',
  ]);
});

test('a changed helper of the `id` function gives new ids to references into its collection', async () => {
  const site = start();
  const collections = (helper: typeof first) => ({
    authors: { model: 'author', id: idThrough(helper) },
    articles: { model: 'article', references: { author: 'authors' } },
  });
  await site.build(collections(first));
  const { articles } = await site.build(collections(second));
  expect(articles?.get('2')).toMatchObject({ author: { collection: 'authors', id: 'second-hana' } });
});

test('a changed helper of the `id` function gives new ids to neighbours', async () => {
  const site = start();
  const collections = (helper: typeof first) => ({
    articles: { model: 'article', id: idThrough(helper), neighbours: { order: '_id' } },
  });
  await site.build(collections(first));
  const { articles } = await site.build(collections(second));
  expect(articles?.get('second-tea')).toMatchObject({ _prev: null, _next: { id: 'second-rice' } });
});

test('a changed helper that makes ids unusable fails the build', async () => {
  const site = start();
  await site.build({ articles: { model: 'article', id: idThrough(first) } });
  const same = site.build({ articles: { model: 'article', id: idThrough(() => 'same') } });
  await expect(same).rejects.toThrow(/same/);
});

test('entries stay as they are if the helper gives the same ids', async () => {
  const site = start();
  const before = await site.build({ articles: { model: 'article', id: idThrough(first) } });
  const after = await site.build({
    articles: { model: 'article', id: idThrough((title) => ['first', title].join('-')) },
  });
  expect(after.articles).toEqual(before.articles);
});
