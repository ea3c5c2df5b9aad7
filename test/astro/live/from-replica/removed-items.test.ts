import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { article, closeSources, openSite, resultOf, tagsOf } from './live-site.ts';

type Service = ReturnType<typeof openSite>['service'];

/** Ways in which content disappears for visitors. */
const REMOVALS = {
  deleted: (service: Service, id: number) => service.contents.remove(id),
  archived: (service: Service, id: number) => service.contents.archive(id),
  unpublished: (service: Service, id: number) => service.contents.unpublish(id),
};

/** Checks all live content. */
async function check() {
  const [change, ...others] = await Promise.all(
    liveSources()
      .all()
      .map((source) => source.refresh()),
  );
  expect(others).toEqual([]);
  if (!change) throw new Error('nothing is live');
  return change;
}

afterEach(closeSources);

describe.each(Object.entries(REMOVALS))('an item that is %s', (_, removeFrom) => {
  let site: ReturnType<typeof openSite>;
  const removed = (id: number) => {
    removeFrom(site.service, id);
    return check();
  };
  beforeEach(() => {
    const { published, ...eleven } = article(11, 'b');
    const both = { ...eleven, published: { ...published, en: { ...published.ja, title: 'Sea' } } };
    site = openSite({ contents: [article(10, 'a'), both, article(12, 'c')], sub: ['en'] });
  });

  const entryTags = async (live: { loadEntry(context: never): Promise<unknown> }, id: string) =>
    tagsOf(
      resultOf((await live.loadEntry({ filter: { id }, collection: 'x' } as never)) as never) as never,
    ).slice(0, 1);
  const listTags = async (live: { loadCollection(context: never): Promise<unknown> }, filter: object = {}) =>
    resultOf(
      (await live.loadCollection({ filter, collection: 'x' } as never)) as { cacheHint: { tags: string[] } },
    ).cacheHint.tags;

  test('has the tags that a site may use for its model and for itself, and is counted', async () => {
    const live = site.space.liveLoader('article', { id: 'slug' });
    await listTags(live);
    const { tags, ...counts } = await removed(11);
    expect(counts).toEqual({ added: 0, changed: 0, removed: 1 });
    expect(tags).toEqual(expect.arrayContaining(['luid:article', 'luid:article:11']));
    expect(tags).not.toContain('luid:article:10');
    expect(tags).not.toContain('luid:author');
  });

  test('has these tags although no collection shows its model', async () => {
    const live = site.space.liveLoader('author', { id: 'slug' });
    await listTags(live);
    expect((await removed(11)).tags.toSorted()).toEqual(['luid:article', 'luid:article:11']);
  });

  test('has the tags of its pages, in each language, and of the lists that contained it', async () => {
    const options = { id: 'slug', langs: ['ja', 'en'] } as const;
    const live = site.space.liveLoader('article', options as object);
    const [japanese, english, other] = [
      await entryTags(live, 'ja/b'),
      await entryTags(live, 'en/b'),
      await entryTags(live, 'ja/a'),
    ];
    const lists = [await listTags(live), await listTags(live, { lang: 'en' })].map(([list]) => list);
    const [without] = await listTags(live, { where: { slug: { eq: 'c' } } });
    const { tags, ...counts } = await removed(11);
    expect(counts).toEqual({ added: 0, changed: 0, removed: 1 });
    expect(tags).toEqual(expect.arrayContaining([...japanese, ...english, ...lists]));
    for (const tag of [...other, without]) expect(tags).not.toContain(tag);
  });

  test('has the tags of its neighbours, which show each other now', async () => {
    const neighbours = { order: '_id' };
    const live = site.space.liveLoader('article', { id: 'slug', neighbours } as object);
    const pages = [...(await entryTags(live, 'a')), ...(await entryTags(live, 'c'))];
    expect((await removed(11)).tags).toEqual(expect.arrayContaining(pages));
  });

  test('has the tags of the pages that show it as a reference', async () => {
    const live = site.space.liveLoader('article', { id: 'slug', depth: 1 });
    const pages = [...(await entryTags(live, 'a')), ...(await entryTags(live, 'c'))];
    const { tags } = await removed(1);
    expect(tags).toEqual(expect.arrayContaining(['luid:author', 'luid:author:1', ...pages]));
  });

  test('has the tag of its page again, when another item has its id', async () => {
    const live = site.space.liveLoader('article', { id: 'slug' });
    const page = await entryTags(live, 'b');
    expect((await removed(11)).tags).toEqual(expect.arrayContaining(page));
    const missing = (await live.loadEntry({ filter: { id: 'b' }, collection: 'x' })) as { error: never };
    expect(tagsOf(missing.error)).toEqual(expect.arrayContaining(page));
    site.service.contents.create({
      id: 20,
      model: 'article',
      published: { ja: { title: 'New', slug: 'b' } },
    });
    const { tags, ...counts } = await check();
    expect(counts).toEqual({ added: 1, changed: 0, removed: 0 });
    expect(tags).toEqual(expect.arrayContaining([...page, 'luid:article:20']));
  });
});

test('an item that loses one language has the tags of its pages in both, which name its languages', async () => {
  const { published, ...ten } = article(10, 'a');
  const site = openSite({
    contents: [{ ...ten, published: { ...published, en: { ...published.ja, title: 'Sea' } } }],
    sub: ['en'],
  });
  const options = { id: 'slug', langs: ['ja', 'en'] } as const;
  const live = site.space.liveLoader('article', options as object);
  const page = async (id: string) =>
    tagsOf(resultOf((await live.loadEntry({ filter: { id }, collection: 'x' } as never)) as never)).slice(
      0,
      1,
    );
  const [japanese, english] = [await page('ja/a'), await page('en/a')];
  const item = site.service.contents.get(10);
  site.service.contents.remove(10);
  site.service.contents.create({ ...item, published: { ja: item.published?.ja ?? {} } });
  const { tags } = await check();
  expect(tags).toEqual(expect.arrayContaining(['luid:article:10', ...english, ...japanese]));
});
