import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outdatedTags, type RequestVersions } from '../../../../src/astro/live/live-sources.ts';
import { createEmulator, type Emulator } from '../../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../../src/index.ts';
import type { AnyLiveLoader } from './fleet/fleet-space.ts';
import { closeSources, inRequest, refreshAll, resultOf, tagsOf } from './live-site.ts';

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const models = {
  article: { title: field.text({ title: true }), cover: field.media({ dimensions: true }) },
  author: { name: field.text({ title: true }), slug: field.text() },
} as const;

describe('a page that is rendered while the next version is prepared', () => {
  let service: Emulator;
  let dir: string;
  let articles: AnyLiveLoader;
  let authors: AnyLiveLoader;
  /** Called before an image is read. The next version is not served before the images of its entries are. */
  let beforeImage: () => Promise<void>;

  beforeEach(() => {
    const created_at = '2026-01-01T00:00:00Z';
    service = createEmulator(
      {
        keys: [{ key: 'published', reads: 'published' }],
        models,
        media: [901, 902].map((id) => ({ id, file: `${id}.png` })),
        contents: [
          { id: 1, model: 'author', created_at, published: { ja: { name: 'Mori', slug: 'mori' } } },
          { id: 2, model: 'author', created_at, published: { ja: { name: 'Sato', slug: 'sato' } } },
          { id: 11, model: 'article', created_at, published: { ja: { title: 'item 11', cover: 901 } } },
        ],
      } as never,
      { origin: 'http://late-tags.test', rateLimit: false },
    );
    dir = mkdtempSync(join(tmpdir(), 'astro-luid-late-'));
    beforeImage = async () => {};
    const space = defineSpace({
      baseUrl: service.baseUrl,
      assetsUrl: service.assetsUrl,
      apiKey: 'published',
      models,
      cache: { dir },
      fetch: async (...request: [Request]) => {
        if (!new Request(...request).url.startsWith(service.assetsUrl)) return service.fetch(...request);
        await beforeImage();
        return new Response(PNG, { headers: { 'content-type': 'image/png' } });
      },
    } as never);
    const open = (model: string, id?: string) =>
      space.liveLoader(model as never, { id } as never) as unknown as AnyLiveLoader;
    articles = open('article');
    authors = open('author', 'slug');
  });
  afterEach(() => {
    closeSources();
    rmSync(dir, { recursive: true, force: true });
  });

  const list = async (loader: AnyLiveLoader, filter: object = {}) =>
    resultOf(await loader.loadCollection({ filter, collection: 'x' } as never));
  const author = async (id = 'mori') =>
    resultOf(await authors.loadEntry({ filter: { id }, collection: 'authors' } as never));
  const missingTags = async (id: string) => {
    const missing = await authors.loadEntry({ filter: { id }, collection: 'authors' } as never);
    return tagsOf((missing as { error: never }).error);
  };
  const namesIn = ({ entries }: Awaited<ReturnType<typeof list>>) =>
    entries.map(({ data }) => (data as { name: string }).name);

  function startRequest() {
    const versions: RequestVersions = new Map();
    return {
      in: <T>(run: () => Promise<T>) => inRequest(versions, run),
      outdated: (tags: readonly string[]) => outdatedTags(versions, tags),
    };
  }

  /** Renders something when the next version is being prepared, before it is served. Returns the tags of the change. */
  async function whilePreparing(change: () => void, render: () => Promise<void>): Promise<string[]> {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    beforeImage = () => {
      reached.resolve();
      return released.promise;
    };
    change();
    service.contents.edit(11, { cover: 902 });
    const refreshed = refreshAll();
    await reached.promise;
    await render();
    released.resolve();
    return refreshed;
  }

  const rename = () => service.contents.edit(1, { name: 'Renamed' });

  test('with the first entry of a collection is not cached', async () => {
    await list(articles);
    const request = startRequest();
    let page: string[] = [];
    await whilePreparing(rename, async () => {
      const shown = await request.in(() => author());
      expect(shown.data).toMatchObject({ name: 'Mori' });
      page = tagsOf(shown);
      expect(request.outdated(page)).not.toEqual([]);
    });
    expect(request.outdated(page)).not.toEqual([]);
    expect((await author()).data).toMatchObject({ name: 'Renamed' });
  });

  test('that shows that there is no such entry is not cached, if its collection was not used before', async () => {
    await list(articles);
    const request = startRequest();
    const add = () =>
      void service.contents.create({ model: 'author', published: { ja: { name: 'New', slug: 'new' } } });
    await whilePreparing(add, async () => {
      expect(request.outdated(await request.in(() => missingTags('new')))).not.toEqual([]);
    });
  });

  test('with the first list of a collection is not cached', async () => {
    await list(articles);
    const request = startRequest();
    const filter = { where: { name: { eq: 'Mori' } } };
    await whilePreparing(rename, async () => {
      const shown = await request.in(() => list(authors, filter));
      expect(namesIn(shown)).toEqual(['Mori']);
      expect(request.outdated(shown.cacheHint?.tags ?? [])).not.toEqual([]);
    });
    expect(namesIn(await list(authors, filter))).toEqual([]);
  });

  test('with a list of a collection that is being compared is not cached, and keeps others in the cache', async () => {
    await list(articles);
    const filter = { where: { name: { eq: 'Sato' } } };
    const before = await list(authors, filter);
    const request = startRequest();
    const changed = await whilePreparing(rename, async () => {
      const shown = await request.in(() => list(authors, filter));
      expect(request.outdated(shown.cacheHint?.tags ?? [])).not.toEqual([]);
    });
    expect(tagsOf(before).filter((tag) => changed.includes(tag))).toEqual([]);
  });

  test('with an entry of a collection that is being compared is invalidated only if it differs', async () => {
    await list(articles);
    await author();
    const pages: string[][] = [];
    const changed = await whilePreparing(rename, async () => {
      for (const id of ['mori', 'sato']) pages.push(tagsOf(await author(id)));
    });
    expect(pages.map((page) => page.some((tag) => changed.includes(tag)))).toEqual([true, false]);
  });

  test('with its first entries after the next version is served is not cached either', async () => {
    await list(articles);
    const request = startRequest();
    await request.in(() => list(articles));
    await whilePreparing(rename, async () => {});
    const shown = await request.in(() => author());
    expect(shown.data).toMatchObject({ name: 'Mori' });
    expect(request.outdated(tagsOf(shown))).not.toEqual([]);
    // A request that begins now is cached.
    const next = startRequest();
    expect(next.outdated(tagsOf(await next.in(() => author())))).toEqual([]);
  });
});
