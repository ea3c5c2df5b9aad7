import { afterEach, describe, expect, test } from 'vitest';
import { nameCollections } from '../../../../src/astro/live/collection-names.ts';
import { article, closeSources, openSite, refreshAll, resultOf } from './live-site.ts';

afterEach(closeSources);

type Space = ReturnType<typeof openSite>['space'];

function openArticles(space: Space, name = 'authors') {
  const references = { author: name };
  const live = space.liveLoader('article', { id: 'slug', references } as object);
  const load = () => live.loadEntry({ filter: { id: 'a' }, collection: 'articles' } as never);
  return { load, author: async () => resultOf(await load()).data.author };
}

const AUTHOR = { collection: 'authors', id: 'mori' };

describe('a reference to another live collection', () => {
  test('has the id of its entry before any page has used that collection', async () => {
    const { space } = openSite();
    const { author } = openArticles(space);
    space.liveLoader('author', { id: 'slug' });
    expect(await author()).toEqual(AUTHOR);
    // After all members are known.
    expect(await author()).toEqual(AUTHOR);
  });

  test('is found after changes, too', async () => {
    const { space, service } = openSite();
    const { author } = openArticles(space);
    space.liveLoader('author', { id: 'slug' });
    await author();
    service.contents.edit(1, { slug: 'tanaka' });
    await refreshAll();
    expect(await author()).toEqual({ collection: 'authors', id: 'tanaka' });
  });

  test('is found if other collections of the model have the same options', async () => {
    const { space } = openSite();
    const { author } = openArticles(space);
    for (let n = 0; n < 2; n++) space.liveLoader('author', { id: 'slug' });
    expect(await author()).toEqual(AUTHOR);
  });

  test('is a clear error if other collections of the model have other options, until it is used', async () => {
    const { space } = openSite();
    const { load, author } = openArticles(space);
    const authors = space.liveLoader('author', { id: 'slug' });
    space.liveLoader('author', { id: 'name' });
    expect(await load()).toMatchObject({
      error: { message: expect.stringContaining('not known yet which of 2 live collections that is') },
    });
    await authors.loadCollection({ collection: 'authors' });
    expect(await author()).toEqual(AUTHOR);
  });

  test('is found by its name before it is used, if the middleware knows it', async () => {
    const { space } = openSite();
    const { author } = openArticles(space);
    const authors = space.liveLoader('author', { id: 'slug' });
    const people = space.liveLoader('author', { id: 'name' });
    nameCollections({ authors: { loader: authors }, people: { loader: people } });
    expect(await author()).toEqual(AUTHOR);
  });

  test('does not lead to what a preview shows, which is named like the model', async () => {
    const { space, service } = openSite();
    const authors = space.liveLoader('author', { id: 'slug' });
    const { author } = openArticles(space, 'author');
    await authors.loadCollection({ collection: 'author' });
    const preview = await space.getPreviewEntry(
      { locals: { luid: { preview: true } }, params: { slug: 'mori' } },
      'author',
      { from: 'replica', id: 'name', entry: 'Mori' },
    );
    expect(preview?.id).toBe('Mori');
    expect(await author()).toEqual({ collection: 'author', id: 'mori' });
    service.contents.edit(10, { title: 'new' });
    await refreshAll();
    expect(await author()).toEqual({ collection: 'author', id: 'mori' });
  });

  test('leads from drafts to drafts, if there is such a collection', async () => {
    const { space } = openSite();
    space.liveLoader('author', { id: 'name' });
    space.liveLoader('author', { id: 'slug', drafts: true });
    const references = { author: 'authors' };
    const live = space.liveLoader('article', { drafts: true, references } as object);
    const entry = await live.loadEntry({ filter: { id: '10' }, collection: 'drafts' } as never);
    expect(resultOf(entry).data.author).toEqual(AUTHOR);
  });

  test('leads from a preview to the collection of the published content', async () => {
    const { space } = openSite();
    space.liveLoader('author', { id: 'slug' });
    const preview = await space.getPreviewEntry(
      { locals: { luid: { preview: true } }, params: { slug: 'a' } },
      'article',
      { from: 'replica', id: 'slug', references: { author: 'authors' } } as never,
    );
    expect(preview?.data).toMatchObject({ author: AUTHOR });
  });

  test('leads to the id that the target has in the language of its own collection', async () => {
    const { space } = openSite({
      sub: ['en'],
      contents: [
        { ...article(10, 'a'), published: { ja: { title: 'a', author: 1 }, en: { title: 'a', author: 1 } } },
      ],
    });
    space.liveLoader('author', { id: 'slug' });
    const options = { langs: ['ja', 'en'], references: { author: 'authors' } };
    const live = space.liveLoader('article', options as object);
    for (const id of ['ja/10', 'en/10']) {
      const entry = await live.loadEntry({ filter: { id }, collection: 'articles' } as never);
      expect(resultOf(entry).data.author).toEqual(AUTHOR);
    }
  });

  test('is a clear error if that has a language which is not read for this one', async () => {
    const { space } = openSite({ sub: ['en'] });
    const { load } = openArticles(space);
    space.liveLoader('author', { id: 'slug', lang: 'en' });
    expect(await load()).toMatchObject({
      error: { message: expect.stringContaining('leads to "authors", which has lang: "en"') },
    });
  });

  test('leads to the collection that was defined last, if a dev server has evaluated live.config again', async () => {
    const { space } = openSite();
    const define = async (id: 'name' | 'slug') => {
      const authors = space.liveLoader('author', { id });
      await authors.loadCollection({ collection: 'authors' });
      return openArticles(space).author();
    };
    expect(await define('name')).toEqual({ collection: 'authors', id: 'Mori' });
    expect(await define('slug')).toEqual(AUTHOR);
  });
});
