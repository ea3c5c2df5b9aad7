import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type FindChange,
  NO_CHANGE,
  ServedVersion,
} from '../../../../src/astro/live/check/served-version.ts';
import { liveSources, type RequestVersions } from '../../../../src/astro/live/live-sources.ts';
import { UsedVersions } from '../../../../src/astro/revalidate/used-versions.ts';
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
    const used = new UsedVersions(liveSources(), versions);
    return { in: <T>(run: () => Promise<T>) => inRequest(versions, run), used };
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

  test('with the first entry of a collection is invalidated, and not cached', async () => {
    await list(articles);
    const request = startRequest();
    let page: string[] = [];
    const changed = await whilePreparing(rename, async () => {
      const shown = await request.in(() => author());
      expect(shown.data).toMatchObject({ name: 'Mori' });
      page = tagsOf(shown);
      // It would be cached now.
      expect(request.used.outdated(page)).toEqual([]);
    });
    expect(changed).toEqual(expect.arrayContaining(page));
    expect(request.used.outdated(page)).toEqual(page);
    expect((await author()).data).toMatchObject({ name: 'Renamed' });
  });

  test('that shows that there is no such entry is invalidated, if its collection was not used before', async () => {
    await list(articles);
    let page: string[] = [];
    const add = () =>
      void service.contents.create({ model: 'author', published: { ja: { name: 'New', slug: 'new' } } });
    const changed = await whilePreparing(add, async () => {
      page = await missingTags('new');
    });
    expect(page.some((tag) => changed.includes(tag))).toBe(true);
  });

  test('with the first list of a collection is invalidated, and not cached', async () => {
    await list(articles);
    const request = startRequest();
    let page: string[] = [];
    const filter = { where: { name: { eq: 'Mori' } } };
    const changed = await whilePreparing(rename, async () => {
      const shown = await request.in(() => list(authors, filter));
      expect(namesIn(shown)).toEqual(['Mori']);
      page = shown.cacheHint?.tags ?? [];
    });
    const [listTag = ''] = page;
    expect(changed).toContain(listTag);
    expect(request.used.outdated([listTag])).toEqual([listTag]);
    expect(namesIn(await list(authors, filter))).toEqual([]);
  });

  test('with a new list of a collection that is being compared is invalidated', async () => {
    await list(articles);
    await author();
    let tags: readonly string[] = [];
    const changed = await whilePreparing(rename, async () => {
      tags = (await list(authors, { where: { name: { eq: 'Mori' } } })).cacheHint?.tags ?? [];
    });
    expect(changed).toContain(tags[0]);
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
    expect(request.used.outdated(tagsOf(shown))).toEqual(tagsOf(shown));
    // A request that begins now is cached.
    const next = startRequest();
    expect(next.used.outdated(tagsOf(await next.in(() => author())))).toEqual([]);
  });

  test('is not reported again by the change after that', async () => {
    await list(articles);
    let page: string[] = [];
    await whilePreparing(rename, async () => {
      page = tagsOf(await author('sato'));
    });
    service.contents.edit(11, { title: 'edited' });
    const changed = await refreshAll();
    expect(page.filter((tag) => changed.includes(tag))).toEqual([]);
  });
});

describe('tags that are reported while a version is prepared', () => {
  const content = (number: number) => ({ number, sub: new Map() }) as never;
  let findChange: FindChange;
  let served: ServedVersion;
  let reports: string[][];
  beforeEach(async () => {
    reports = [];
    findChange = async () => ({ ...NO_CHANGE, tags: ['found'] });
    served = new ServedVersion((before, after) =>
      before ? findChange(before, after) : Promise.resolve(NO_CHANGE),
    );
    served.onChange(({ tags }) => reports.push([...tags]));
    await served.replaceWith(content(1));
  });

  test('are part of the change, for those who listen and for requests that began before', async () => {
    findChange = async () => {
      served.reportLate(1, ['late', 'found']);
      return { ...NO_CHANGE, tags: ['found'] };
    };
    expect((await served.replaceWith(content(2))).tags).toEqual(['found', 'late']);
    expect(reports).toEqual([['found', 'late']]);
    expect([served.tagsSince(1), served.tagsSince(2)]).toEqual([['found', 'late'], []]);
  });

  test('are a change although nothing else is', async () => {
    findChange = async () => {
      served.reportLate(1, ['late']);
      return NO_CHANGE;
    };
    await served.replaceWith(content(2));
    expect(reports).toEqual([['late']]);
  });

  test('are not part of the next one, but those after it is served are known to earlier requests', async () => {
    findChange = async () => {
      served.reportLate(1, ['late']);
      return { ...NO_CHANGE, tags: ['found'] };
    };
    await served.replaceWith(content(2));
    served.reportLate(1, ['later']);
    expect(served.tagsSince(1)).toEqual(['found', 'late', 'later']);
    findChange = async () => ({ ...NO_CHANGE, tags: ['other'] });
    expect((await served.replaceWith(content(3))).tags).toEqual(['other']);
    expect(served.tagsSince(2)).toEqual(['other']);
  });

  test('are dropped if the version cannot be prepared: what is served does not change', async () => {
    await served.replaceWith(content(2));
    const { state } = served;
    let isCovered: boolean | undefined;
    findChange = async () => {
      isCovered = state?.covered !== undefined;
      served.reportLate(2, ['late']);
      throw new Error('cannot be compared');
    };
    await expect(served.replaceWith(content(3))).rejects.toThrow('cannot be compared');
    expect([isCovered, state?.covered]).toEqual([true, undefined]);
    expect(served.tagsSince(1)).toEqual(['found']);
    served.reportLate(1, ['later']);
    expect(served.tagsSince(1)).toEqual(['found', 'later']);
    findChange = async () => ({ ...NO_CHANGE, tags: ['other'] });
    expect((await served.replaceWith(content(3))).tags).toEqual(['other']);
    expect(reports).toEqual([['found'], ['other']]);
  });

  test('of a request that began earlier are kept, whatever becomes of the version that is prepared', async () => {
    await served.replaceWith(content(2));
    findChange = async () => {
      served.reportLate(1, ['earlier']);
      throw new Error('cannot be compared');
    };
    await expect(served.replaceWith(content(3))).rejects.toThrow('cannot be compared');
    expect(served.tagsSince(1)).toEqual(['found', 'earlier']);
  });
});
