import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiveEntryNotFoundError } from 'astro/content/runtime';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LazyLiveSource } from '../../../../src/astro/live/lazy-live-source.ts';
import { liveSources, outdatedTags, type RequestVersions } from '../../../../src/astro/live/live-sources.ts';
import { createEmulator, type Emulator } from '../../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../../src/index.ts';
import { AstroStore } from '../../../histories/astro-store.ts';

const models = {
  author: {
    name: field.text({ title: true, required: true }),
    portrait: field.media({ dimensions: true }),
    mentor: field.reference('mentor'),
  },
  mentor: { name: field.text({ title: true }), school: field.reference('school') },
  school: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    slug: field.text(),
    body: field.flexibleText(),
    author: field.reference('author'),
  },
} as const;

const NOT_FOUND = { error: { name: 'LiveEntryNotFoundError' } };

const article = (id: number, slug: string, more: object = {}) => ({
  id,
  model: 'article',
  created_at: `2026-01-${String(id).padStart(2, '0')}T00:00:00Z`,
  published: { ja: { title: `Title ${id}`, slug, body: `<h2>Part ${id}</h2>`, author: 1, ...more } },
});

function openSite(
  contents: readonly object[] = [article(10, 'a'), article(11, 'b'), article(12, 'c')],
  ofAuthor: object = {},
) {
  const author = { id: 1, model: 'author', created_at: '2026-01-01T00:00:00Z' };
  const service = createEmulator(
    {
      languages: { main: 'ja', sub: [] },
      keys: [
        { key: 'published', reads: 'published' },
        { key: 'drafts', reads: 'drafts' },
      ],
      models,
      contents: [{ ...author, published: { ja: { name: 'Mori', ...ofAuthor } } }, ...contents],
    } as never,
    { origin: `http://live-${Math.random()}.test`, rateLimit: false },
  );
  const dir = mkdtempSync(join(tmpdir(), 'astro-luid-live-'));
  const settings = { baseUrl: service.baseUrl, apiKey: 'published', draftApiKey: 'drafts', models };
  const open = (more: object = {}) =>
    defineSpace({ ...settings, cache: { dir }, fetch: service.fetch, ...more });
  return { service, open, space: open() };
}

const refresh = async () => {
  for (const source of liveSources().all()) await source.refresh();
};

afterEach(() => {
  for (const source of liveSources().all()) (source as LazyLiveSource).close();
  liveSources().currentRequest = () => undefined;
});

/** A result that must be neither missing nor an error. */
function resultOf<T extends object>(result: T | undefined): Exclude<T, { error: Error }> {
  if (!result) throw new Error('not found');
  if ('error' in result) throw result.error;
  return result as Exclude<T, { error: Error }>;
}

describe('an entry', () => {
  test('is what a build makes, with its rendered body', async () => {
    const { space, open } = openSite();
    const options = { id: 'slug', body: 'body', neighbours: { order: 'title' } } as const;
    const live = space.liveLoader('article', { ...options });
    const store = new AstroStore();
    await open()
      .loader('article', options)
      .load(store.context('articles', () => {}));
    const entry = resultOf(await live.loadEntry({ filter: { id: 'b' }, collection: 'articles' }));
    const { digest: _, ...built } = store.entries('articles').get('b') as object as { digest: string };
    expect(entry).toMatchObject(built);
    expect(entry.data).toMatchObject({ _prev: { id: 'a' }, _next: { id: 'c' }, author: { name: 'Mori' } });
    expect(entry.rendered?.html).toBe('<h2 id="part-11">Part 11</h2>');
  });

  test.each(['x', '', 'A', 'a/b', '10'])('is not found for %j', async (id) => {
    const { space } = openSite();
    const live = space.liveLoader('article', { id: 'slug' });
    // Before and after all members are known.
    for (let n = 0; n < 2; n++) {
      expect(await live.loadEntry({ filter: { id }, collection: 'articles' })).toMatchObject({
        error: { name: 'LiveEntryNotFoundError', message: `Entry articles → ${id} was not found` },
      });
      await live.loadCollection({ collection: 'articles' });
    }
  });

  test.each<[string, { id: string } | { where: object }]>([
    ['its id', { id: 'new' }],
    ['a filter', { where: { title: { eq: 'Title 20' } } }],
  ])('that is not found by %s has the tags that are invalidated when it is published', async (_, filter) => {
    const { space, service } = openSite();
    const live = space.liveLoader('article', { id: 'slug' });
    const load = async () => live.loadEntry({ filter, collection: 'articles' } as never);
    // Before and after all members are known.
    for (let n = 0; n < 2; n++) {
      const result = await load();
      if (!result || !('error' in result)) throw new Error('found');
      const { error } = result;
      expect(LiveEntryNotFoundError.is(error)).toBe(true);
      if (!('cacheHint' in error)) throw new Error('no cache hint');
      const change = async () => (await (liveSources().all()[0] as LazyLiveSource).refresh()).tags;
      service.contents.edit(11, { title: 'new' });
      expect(await change()).not.toEqual(expect.arrayContaining([error.cacheHint.tags?.[0]]));
      const id = service.contents.create({
        model: 'article',
        published: { ja: { title: 'Title 20', slug: 'new' } },
      });
      expect(await change()).toContain(error.cacheHint.tags?.[0]);
      expect(await load()).toMatchObject({ id: 'new' });
      service.contents.remove(id);
      await change();
    }
  });

  test('found by a filter is invalidated with all lists, if there are too many to remember', async () => {
    const { space, service } = openSite();
    const live = space.liveLoader('article', { id: 'slug', fields: ['title'] });
    const load = async (title: string) =>
      live.loadEntry({
        filter: { where: { title: { contains: title } }, order: '_id' },
        collection: 'articles',
      } as never);
    const { cacheHint } = resultOf(await load('Title'));
    for (let n = 0; n < 500; n++) await load(`other ${n}`);
    // Another one is the first from now on.
    service.contents.create({
      id: 5,
      model: 'article',
      published: { ja: { title: 'Title 5', slug: 'e' } },
    } as never);
    const { tags } = await (liveSources().all()[0] as LazyLiveSource).refresh();
    expect(cacheHint?.tags?.some((tag) => tags.includes(tag))).toBe(true);
  });

  test('is found by its content id', async () => {
    const live = openSite().space.liveLoader('article');
    expect(await live.loadEntry({ filter: { id: '10' }, collection: 'articles' })).toMatchObject({
      data: { slug: 'a' },
    });
    expect(await live.loadEntry({ filter: { id: '1' }, collection: 'articles' })).toMatchObject(NOT_FOUND);
  });

  test.each([
    ['the content id of a reference', 'author', 1],
    ['text that looks like a number', 'slug', '007'],
    ['text of digits', 'slug', '42'],
    ['text with quotes', 'slug', 'a "b" 夕'],
  ] as const)('is found by %s', async (_, name, value) => {
    const { space } = openSite([
      article(10, 'a', { author: null, [name]: value }),
      article(11, 'b', { author: null }),
    ]);
    const where = { title: { eq: 'Title 10' } };
    const live = space.liveLoader('article', { id: name, where });
    // Before and after all members are known.
    for (let n = 0; n < 2; n++) {
      expect(await live.loadEntry({ filter: { id: String(value) }, collection: 'articles' })).toMatchObject({
        id: String(value),
        data: { title: 'Title 10' },
      });
      await live.loadCollection({ collection: 'articles' });
    }
  });

  test('is an error if two items have its id, and the others are served', async () => {
    const { space } = openSite([article(10, 'a'), article(11, 'a'), article(12, 'c')]);
    const live = space.liveLoader('article', { id: 'slug' });
    for (let n = 0; n < 2; n++) {
      const result = await live.loadEntry({ filter: { id: 'a' }, collection: 'articles' });
      expect(result && 'error' in result && result.error.message).toMatch(/10[\s\S]*11/);
      expect(await live.loadEntry({ filter: { id: 'c' }, collection: 'articles' })).toMatchObject({
        id: 'c',
      });
      await live.loadCollection({ collection: 'articles' });
    }
  });

  test('that does not fit its model is an error, or skipped', async () => {
    const { space, open, service } = openSite();
    service.contents.edit(1, { name: '' });
    const invalid = space.liveLoader('author');
    const result = await invalid.loadEntry({ filter: { id: '1' }, collection: 'authors' });
    expect(result && 'error' in result && result.error.message).toContain('name');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const skipping = open({ onInvalid: 'skip' }).liveLoader('author');
    expect(await skipping.loadEntry({ filter: { id: '1' }, collection: 'authors' })).toMatchObject(NOT_FOUND);
    const { entries } = resultOf(await skipping.loadCollection({ collection: 'authors' }));
    expect(entries.map(({ id }) => id)).not.toContain('1');
    expect(warn.mock.calls.filter(([line]) => String(line).includes('skipped'))).toHaveLength(1);
    warn.mockRestore();
  });

  test('cannot be changed by a page for others', async () => {
    const live = openSite().space.liveLoader('article', { id: 'slug' });
    const load = async () => resultOf(await live.loadEntry({ filter: { id: 'a' }, collection: 'articles' }));
    const first = await load();
    Object.assign(first.data, { title: 'changed' });
    Object.assign(first.data.author as object, { name: 'changed' });
    expect((await load()).data).toMatchObject({ title: 'Title 10', author: { name: 'Mori' } });
  });

  test('has the id that its own live collection gives to a reference', async () => {
    const { space } = openSite();
    const authors = space.liveLoader('author', { id: 'name' });
    const live = space.liveLoader('article', { references: { author: 'authors' } });
    const load = async () =>
      resultOf(await live.loadEntry({ filter: { id: '10' }, collection: 'articles' })).data;
    await authors.loadCollection({ collection: 'authors' });
    expect((await load()).author).toEqual({ collection: 'authors', id: 'Mori' });
  });

  test('with a reference to a collection that does not exist is a clear error', async () => {
    const live = openSite().space.liveLoader('article', { references: { author: 'x' } });
    const result = await live.loadEntry({ filter: { id: '10' }, collection: 'articles' });
    expect(result && 'error' in result && result.error.message).toContain('references.author leads to "x"');
  });
});

describe('changes', () => {
  test('are served after a check, and never within a request', async () => {
    const { space, service } = openSite();
    const live = space.liveLoader('article', { id: 'slug' });
    const title = async () =>
      resultOf(await live.loadEntry({ filter: { id: 'a' }, collection: 'articles' })).data.title;
    const request: RequestVersions = new Map();
    liveSources().currentRequest = () => request;
    expect(await title()).toBe('Title 10');
    service.contents.edit(10, { title: 'new' });
    await refresh();
    expect(await title()).toBe('Title 10');
    liveSources().currentRequest = () => undefined;
    expect(await title()).toBe('new');
  });

  test('of a version that a slow request still shows keep it from being cached', async () => {
    const { space, service } = openSite();
    const live = space.liveLoader('article', { id: 'slug' });
    const other = space.liveLoader('article');
    const request: RequestVersions = new Map();
    liveSources().currentRequest = () => request;
    await live.loadCollection({ collection: 'articles' });
    service.contents.edit(10, { title: 'new' });
    await refresh();
    // A collection that nobody had used when the change was found.
    const { cacheHint } = resultOf(await other.loadEntry({ filter: { id: '10' }, collection: 'others' }));
    expect(outdatedTags(request, cacheHint?.tags ?? [])).not.toEqual([]);
  });

  test('of a title concern the entries that show it as a neighbour, and no others', async () => {
    const { space, service } = openSite(['a', 'b', 'c', 'd'].map((slug, index) => article(10 + index, slug)));
    const live = space.liveLoader('article', {
      id: 'slug',
      neighbours: { order: 'slug' },
      depth: 0,
    });
    await live.loadCollection({ collection: 'articles' });
    const tagOf = async (id: string) => {
      const { cacheHint } = resultOf(await live.loadEntry({ filter: { id }, collection: 'articles' }));
      return cacheHint?.tags?.find((tag) => tag.startsWith('luid:entry:')) as string;
    };
    const tags = await Promise.all(['a', 'b', 'c', 'd'].map(tagOf));
    service.contents.edit(11, { title: 'renamed' });
    const { tags: changed } = await (liveSources().all()[0] as LazyLiveSource).refresh();
    expect(tags.map((tag) => changed.includes(tag))).toEqual([true, true, true, false]);
  });

  // A list of more than 100 entries does not name them in its tags.
  test('of a title concern a long list with neighbours of that entry, though not with the entry itself', async () => {
    const slugs = Array.from({ length: 105 }, (_, index) => `slug ${String(index).padStart(3, '0')}`);
    const { space, service } = openSite(
      slugs.map((slug, index) => ({ ...article(3, slug), id: 10 + index })),
    );
    const live = space.liveLoader('article', {
      id: 'slug',
      neighbours: { order: 'slug' },
      depth: 0,
    });
    const list = async (where: object) =>
      resultOf(await live.loadCollection({ filter: { where }, collection: 'articles' }));
    const withNeighbours = await list({ slug: { in: slugs.filter((slug) => slug !== 'slug 050') } });
    const without = await list({ slug: { eq: 'none' } });
    expect([withNeighbours.entries.length, without.entries.length]).toEqual([104, 0]);
    service.contents.edit(60, { title: 'renamed' });
    const { tags } = await (liveSources().all()[0] as LazyLiveSource).refresh();
    const isInvalidated = ({ cacheHint }: typeof without) =>
      cacheHint?.tags?.some((tag) => tags.includes(tag)) === true;
    expect([withNeighbours, without].map(isInvalidated)).toEqual([true, false]);
  });

  // With depth 1 an article shows its author, and the author's mentor as an id: if there is such content.
  test.each<[string, (service: Emulator) => void]>([
    ['removed', ({ contents }) => contents.remove(2)],
    ['unpublished', ({ contents }) => contents.unpublish(2)],
  ])('beyond the depth: content whose id is shown is %s', async (_, change) => {
    const mentor = { id: 2, model: 'mentor', created_at: '2026-01-02T00:00:00Z' };
    // A small space is read whole: the author too, whose own data would be different.
    const others = Array.from({ length: 250 }, (_, index) => ({
      ...article(3, `${index}`),
      id: 100 + index,
    }));
    const { space, service } = openSite(
      [{ ...mentor, published: { ja: { name: 'Ito' } } }, article(10, 'a'), ...others],
      { mentor: 2 },
    );
    const live = space.liveLoader('article', { id: 'slug', depth: 1 });
    const load = async () => resultOf(await live.loadEntry({ filter: { id: 'a' }, collection: 'articles' }));
    await live.loadCollection({ collection: 'articles' });
    const before = await load();
    expect(before.data).toMatchObject({ author: { name: 'Mori', mentor: 2 } });
    const [source] = liveSources().all();
    change(service);
    const { tags } = await (source as LazyLiveSource).refresh();
    expect((await load()).data).toMatchObject({ author: { name: 'Mori', mentor: null } });
    expect(tags).toContain(before.cacheHint?.tags?.[0]);
  });

  test('beyond a depth of 2: content whose id is shown is removed', async () => {
    const published = (id: number, model: string, values: object) => ({
      id,
      model,
      created_at: `2026-01-0${id}T00:00:00Z`,
      published: { ja: values },
    });
    const others = Array.from({ length: 250 }, (_, index) => ({
      ...article(4, `${index}`),
      id: 100 + index,
    }));
    const [mentor, school] = [
      published(2, 'mentor', { name: 'Ito', school: 3 }),
      published(3, 'school', { name: 'Hill' }),
    ];
    const { space, service } = openSite([mentor, school, article(10, 'a'), ...others], { mentor: 2 });
    const live = space.liveLoader('article', { id: 'slug', depth: 2 });
    const load = async () => resultOf(await live.loadEntry({ filter: { id: 'a' }, collection: 'articles' }));
    await live.loadCollection({ collection: 'articles' });
    const before = await load();
    expect(before.data).toMatchObject({ author: { mentor: { name: 'Ito', school: 3 } } });
    const [source] = liveSources().all();
    service.contents.remove(3);
    const { tags } = await (source as LazyLiveSource).refresh();
    expect((await load()).data).toMatchObject({ author: { mentor: { name: 'Ito', school: null } } });
    expect(tags).toContain(before.cacheHint?.tags?.[0]);
  });

  test('of what a list skips invalidate it, if it shows other entries then', async () => {
    const { space, service } = openSite();
    const live = space.liveLoader('article', { id: 'slug' });
    const filter = { where: { title: { contains: 'Title' } }, order: '_id', offset: 1, limit: 1 } as const;
    const load = async () => {
      const { entries, cacheHint } = resultOf(await live.loadCollection({ filter, collection: 'articles' }));
      return { id: entries[0]?.id, tag: cacheHint?.tags?.[0] };
    };
    const shown = await load();
    expect(shown.id).toBe('b');
    for (const [title, id] of [
      ['gone', 'c'],
      ['Title again', 'b'],
    ]) {
      service.contents.edit(10, { title });
      const { tags } = await (liveSources().all()[0] as LazyLiveSource).refresh();
      expect(tags).toContain(shown.tag);
      expect((await load()).id).toBe(id);
    }
  });

  test('of drafts are served with the drafts key only', async () => {
    const { space, service } = openSite();
    service.contents.saveDraft(10, { title: 'secret' });
    const drafts = space.liveLoader('article', { drafts: true });
    const published = space.liveLoader('article');
    const filter = { id: '10' };
    expect(await drafts.loadEntry({ filter, collection: 'drafts' })).toMatchObject({
      data: { title: 'secret' },
    });
    const entry = resultOf(await published.loadEntry({ filter, collection: 'articles' }));
    expect(JSON.stringify(entry)).not.toContain('secret');
    expect(liveSources().all()).toHaveLength(2);
  });
});

describe('options that cannot work', () => {
  const { space, open } = openSite();
  test.each([
    ["from: must be 'replica'", { from: 'x' }, /from/],
    ['unknown options', { foo: 1 }, /foo/],
    ['refresh too short', { refresh: '0s' }, /refresh must be from one second/],
    ['refresh too long', { refresh: '60d' }, /refresh must be from one second/],
    ['a depth', { depth: 11 }, /depth/],
    ['an unknown field', { id: 'nothing' }, /nothing/],
  ])('%s', (_, options, message) => {
    expect(() => space.liveLoader('article', options as never)).toThrow(message);
  });

  test('cache: false', () => {
    expect(() => open({ cache: false }).liveLoader('article')).toThrow(/needs a cache/);
  });

  test('a Markdown body', () => {
    const markdown = { article: { text: field.flexibleText({ format: 'markdown' }) } } as const;
    const other = defineSpace({ baseUrl: 'http://x.test', apiKey: 'x', models: markdown });
    expect(() => other.liveLoader('article', { body: 'text' })).toThrow(/Markdown/);
    expect(() => other.liveLoader('article')).not.toThrow();
  });
});
