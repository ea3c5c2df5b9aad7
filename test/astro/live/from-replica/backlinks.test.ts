import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { LazyLiveSource } from '../../../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { createEmulator, type Emulator } from '../../../../src/emulator/index.ts';
import { defineSpace, field, LuidConfigError } from '../../../../src/index.ts';
import { AstroStore } from '../../../histories/astro-store.ts';

const models = {
  author: { name: field.text({ title: true, required: true }) },
  category: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    body: field.flexibleText(),
    author: field.reference('author'),
    category: field.reference('category'),
    credits: field.repeat({ person: field.reference() }),
  },
} as const;

const at = (id: number) => `2026-01-${String(id).padStart(2, '0')}T00:00:00Z`;
const item = (id: number, model: string, values: object) => ({
  id,
  model,
  created_at: at(id),
  published: { ja: values },
});

function openSite() {
  const service = createEmulator(
    {
      languages: { main: 'ja', sub: ['en'] },
      keys: [
        { key: 'published', reads: 'published' },
        { key: 'drafts', reads: 'drafts' },
      ],
      models,
      contents: [
        ...[1, 2, 3].map((id) => item(id, 'author', { name: `Author ${id}` })),
        item(5, 'category', { name: 'Food' }),
        item(11, 'article', { title: 'Tea', author: 1, category: 5, body: '<p>Hot.</p>' }),
        item(12, 'article', { title: 'Rice', author: 1, credits: [{ person: 3 }] }),
        item(13, 'article', { title: 'Salt', author: 2 }),
      ],
    } as never,
    { origin: `http://live-backlinks-${Math.random()}.test`, rateLimit: false },
  );
  const dir = mkdtempSync(join(tmpdir(), 'astro-luid-live-backlinks-'));
  const open = () =>
    defineSpace({
      baseUrl: service.baseUrl,
      apiKey: 'published',
      draftApiKey: 'drafts',
      languages: { main: 'ja', sub: ['en'] },
      models,
      cache: { dir },
      fetch: service.fetch,
    });
  return { service, open, space: open() };
}

afterEach(() => {
  for (const source of liveSources().all()) (source as LazyLiveSource).close();
});

const collection = 'authors';
const ARTICLES = { from: 'article', by: 'author' } as const;
const LISTS = { articles: ARTICLES, credits: { from: 'article', by: 'credits.person' } } as const;

type Loaded = { readonly data: object; readonly cacheHint?: { readonly tags?: string[] } };
// biome-ignore lint/suspicious/noExplicitAny: loaders with different options
type Live = { loadEntry(context: any): Promise<unknown>; loadCollection(context: any): Promise<unknown> };

async function load(live: Live, id: string): Promise<Loaded> {
  const result = (await live.loadEntry({ filter: { id }, collection })) as Loaded | { error: Error };
  if ('error' in result) throw result.error;
  return result;
}

describe('live backlinks', () => {
  test('are those of a build, before and after all members are known', async () => {
    const { space, open } = openSite();
    const options = { depth: 0, backlinks: LISTS } as const;
    const store = new AstroStore();
    const context = store.context(collection, () => {});
    await open().loader('author', options).load(context);
    const live = space.liveLoader('author', { ...options });
    for (let n = 0; n < 2; n++) {
      for (const id of ['1', '2', '3']) {
        expect((await load(live, id)).data).toEqual((store.entries(collection).get(id) as Loaded).data);
      }
      await live.loadCollection({ collection });
    }
    expect((await load(live, '1')).data).toMatchObject({ articles: [{ _id: 12 }, { _id: 11 }], credits: [] });
    expect((await load(live, '3')).data).toMatchObject({ articles: [], credits: [{ _id: 12, author: 1 }] });
  });

  test('are in the language of the entry, with its fallback', async () => {
    const { space, service } = openSite();
    service.contents.edit(11, { title: 'Tea (en)', author: 2 }, { lang: 'en' });
    const options = { lang: 'en', fallback: true, backlinks: { articles: ARTICLES } } as const;
    const live = space.liveLoader('author', { ...options });
    expect((await load(live, '1')).data).toMatchObject({ articles: [{ title: 'Rice' }] });
    expect((await load(live, '2')).data).toMatchObject({
      articles: [{ title: 'Salt' }, { title: 'Tea (en)' }],
    });
  });
});

describe('a change invalidates exactly the pages whose backlinks show it', () => {
  const deep = { articles: { ...ARTICLES, depth: 1 } } as const;
  const few = { articles: { ...ARTICLES, limit: 1 } } as const;
  test.each<[string, object, (contents: Emulator['contents']) => void, string[]]>([
    ['another author', LISTS, (contents) => contents.edit(11, { author: 2 }), ['1', '2']],
    ['an author more', LISTS, (contents) => contents.edit(13, { credits: [{ person: 3 }] }), ['2', '3']],
    ['no author any more', LISTS, (contents) => contents.edit(13, { author: null }), ['2']],
    ['another title', LISTS, (contents) => contents.edit(12, { title: 'x' }), ['1', '3']],
    ['deleted', LISTS, (contents) => contents.remove(13), ['2']],
    ['unpublished', LISTS, (contents) => contents.unpublish(13), ['2']],
    [
      'new',
      LISTS,
      (contents) => void contents.create(item(20, 'article', { title: 'x', author: 3 }) as never),
      ['3'],
    ],
    [
      'new, without an author',
      LISTS,
      (contents) => void contents.create(item(20, 'article', { title: 'x' }) as never),
      [],
    ],
    ['what it refers to is renamed', LISTS, (contents) => contents.edit(5, { name: 'x' }), []],
    ['what it embeds is renamed', deep, (contents) => contents.edit(5, { name: 'x' }), ['1']],
    ['what it refers to is deleted', LISTS, (contents) => contents.remove(5), ['1']],
    ['beyond the limit', few, (contents) => contents.edit(11, { title: 'x' }), []],
    ['within the limit', few, (contents) => contents.edit(12, { title: 'x' }), ['1']],
  ])('%s', async (_what, backlinks, change, expected) => {
    const { space, service } = openSite();
    const options = { depth: 0, backlinks } as never;
    const live = space.liveLoader('author', options) as Live;
    const pages = new Map<string, readonly string[]>();
    for (const id of ['1', '2', '3']) pages.set(id, (await load(live, id)).cacheHint?.tags ?? []);
    await live.loadCollection({ collection });
    change(service.contents);
    const { tags } = await (liveSources().all()[0] as LazyLiveSource).refresh();
    const invalidated = [...pages].filter(([, own]) => own.some((tag) => tags.includes(tag)));
    expect(invalidated.map(([id]) => id)).toEqual(expected);
  });

  test('in the language that changed alone', async () => {
    const { space, service } = openSite();
    for (const id of [1, 2]) service.contents.edit(id, { name: `en ${id}` }, { lang: 'en' });
    service.contents.edit(11, { title: 'en', author: 1 }, { lang: 'en' });
    const live = space.liveLoader('author', {
      langs: ['ja', 'en'],
      backlinks: { articles: { ...ARTICLES, where: { title: { eq: 'en' } } } },
    }) as Live;
    const pages = new Map<string, readonly string[]>();
    for (const id of ['ja/1', 'ja/2', 'en/1', 'en/2'])
      pages.set(id, (await load(live, id)).cacheHint?.tags ?? []);
    await live.loadCollection({ collection });
    service.contents.edit(11, { author: 2 }, { lang: 'en' });
    const { tags } = await (liveSources().all()[0] as LazyLiveSource).refresh();
    const invalidated = [...pages].filter(([, own]) => own.some((tag) => tags.includes(tag)));
    expect(invalidated.map(([id]) => id)).toEqual(['en/1', 'en/2']);
    expect((await load(live, 'en/2')).data).toMatchObject({ articles: [{ _id: 11 }] });
  });
});

describe('a preview', () => {
  const astro = { locals: { luid: { preview: true } }, params: { id: '3' } } as never;

  test('shows the drafts that refer to an entry, from a replica', async () => {
    const { space, service } = openSite();
    service.contents.create({
      id: 30,
      model: 'article',
      draft: { ja: { title: 'Plan', author: 3 } },
    } as never);
    const options = { from: 'replica', backlinks: { articles: ARTICLES } } as const;
    const entry = await space.getPreviewEntry(astro, 'author', options);
    expect(entry?.data.articles).toMatchObject([{ title: 'Plan', author: 3 }]);
  });

  test('is refused where it is requested from the service', async () => {
    const { space } = openSite();
    const options = { backlinks: { articles: ARTICLES } } as never;
    await expect(space.getPreviewEntry(astro, 'author', options)).rejects.toThrow(
      'backlinks is not available from the service',
    );
  });
});

test('a live loader that requests from the service refuses backlinks when it is defined', () => {
  const { space } = openSite();
  const define = () =>
    space.liveLoader('author', { from: 'service', backlinks: { articles: ARTICLES } } as never);
  expect(define).toThrow(LuidConfigError);
  expect(define).toThrow(
    /liveLoader\("author"\): backlinks is not available from the service.*Use from: 'replica'/s,
  );
});

test('a live loader from a replica checks the option as the loader does', () => {
  const define = () =>
    openSite().space.liveLoader('author', {
      backlinks: { articles: { from: 'article', by: 'category' } },
    } as never);
  expect(define).toThrow(
    `liveLoader("author"): backlinks.articles: by names 'category', which refers to category, not to author`,
  );
});
