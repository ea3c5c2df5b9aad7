import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { field } from '../../../src/index.ts';
import { MODELS, openEmulatedSpace, readFromService, seedOf } from '../../support/emulated-space.ts';
import { equalsService } from '../cost-of-changes.ts';

const COUNT = 700;
const PAGES = 8;
const HOUR = 60 * 60 * 1000;

interface Work {
  /** Offsets of the pages that were parsed. */
  readonly parsed: readonly number[];
  readonly segmentsRead: number;
  readonly segmentsWritten: number;
  readonly manifestsWritten: number;
}

/** Not watched: proxies parse too. */
const { parse: parseJson } = JSON;

type Body = (text: string, url: URL) => string;

/** A space that fits in one round of requests, synced until its pages are known. */
async function openKnown() {
  const emulated = openEmulatedSpace(seedOf(COUNT));
  const { storage, written, read } = countingStorage();
  const cache = { storage };
  const sync = (options: Parameters<typeof emulated.sync>[0] = {}) => emulated.sync({ cache, ...options });
  /** Through a proxy or an old copy that changes bodies. */
  const through =
    (change: Body): typeof fetch =>
    async (input, init) => {
      const response = await emulated.service.fetch(input as string, init);
      const body = change(await response.text(), new URL(String(input)));
      return new Response(body, { status: response.status, headers: response.headers });
    };
  await sync();
  await sync();
  return {
    emulated,
    sync,
    through,
    /** A sync, and what it did besides requests. */
    async watch(options: Parameters<typeof sync>[0] = {}) {
      written.length = 0;
      read.length = 0;
      const parse = vi.spyOn(JSON, 'parse');
      const replica = await sync(options);
      await replica.stored;
      const texts = parse.mock.calls.map(([text]) => String(text));
      parse.mockRestore();
      const parsed = texts.flatMap((text) => {
        const offset = /^\s*\{\s*"(?:total":\s*\d+,\s*")?offset":\s*(\d+)/.exec(text)?.[1];
        return offset === undefined ? [] : [Number(offset)];
      });
      const countOf = (keys: readonly string[], kind: string) =>
        keys.filter((key) => key.includes(`:${kind}:`)).length;
      const work: Work = {
        parsed: parsed.sort((a, b) => a - b),
        segmentsRead: countOf(read, 'segment'),
        segmentsWritten: countOf(written, 'segment'),
        manifestsWritten: countOf(written, 'manifest'),
      };
      return { replica, work };
    },
  };
}

function countingStorage() {
  const backing = createStorage({ driver: memory() });
  const [read, written]: string[][] = [[], []];
  const storage = {
    ...backing,
    getItemRaw: (key: string) => {
      read?.push(key);
      return backing.getItemRaw(key);
    },
    setItemRaw: (key: string, value: unknown) => {
      written?.push(key);
      return backing.setItemRaw(key, value);
    },
  } as Storage;
  return { storage, read: read as string[], written: written as string[] };
}

const NOTHING: Work = { parsed: [], segmentsRead: 0, segmentsWritten: 0, manifestsWritten: 0 };
const ALL_PAGES = Array.from({ length: PAGES }, (_, page) => page * 99);

afterEach(() => vi.restoreAllMocks());

describe('a small space', () => {
  test('of which nothing changed is neither parsed nor read nor written', async () => {
    const { emulated, watch } = await openKnown();
    const { replica, work } = await watch();
    expect(work).toEqual(NOTHING);
    expect(replica.summary).toMatchObject({ items: COUNT, added: 0, changed: 0, removed: 0 });
    await equalsService(emulated, replica.items());
  });

  test('is known after the first sync, if nothing happened meanwhile', async () => {
    const emulated = openEmulatedSpace(seedOf(COUNT));
    const { manifest } = await emulated.sync();
    expect(Object.values(manifest.pages).map((pages) => pages.length)).toEqual([PAGES]);
  });

  test('in which an item was edited is parsed where it is, and one segment and the facts are written', async () => {
    const { emulated, watch } = await openKnown();
    emulated.service.contents.edit(351, { title: 'edited' });
    const { replica, work } = await watch();
    expect(work).toMatchObject({ parsed: [297], segmentsWritten: 2, manifestsWritten: 1 });
    expect(replica.manifest.history.steps.at(-1)).toMatchObject({ added: [], changed: [351], removed: [] });
    await equalsService(emulated, replica.items());
    expect((await watch()).work).toEqual(NOTHING);
  });

  test('shows an edit that changes no length', async () => {
    const { emulated, watch } = await openKnown();
    emulated.service.contents.edit(351, { title: 'item 999' });
    const { replica } = await watch();
    await equalsService(emulated, replica.items());
    expect(replica.summary.changed).toBe(1);
  });

  test('shows an edit of an item that two pages contain', async () => {
    const { emulated, watch } = await openKnown();
    emulated.service.contents.edit(100, { title: 'edited' });
    const { replica, work } = await watch();
    expect(work.parsed).toEqual([0, 99]);
    await equalsService(emulated, replica.items());
    expect((await watch()).work).toEqual(NOTHING);
  });

  test.each([1, 99])(
    'of which %i items were removed, so that pages move, is what the service has',
    async (n) => {
      const { emulated, watch } = await openKnown();
      for (let id = 1; id <= n; id++) emulated.service.contents.archive(id);
      await equalsService(emulated, (await watch()).replica.items());
      await equalsService(emulated, (await watch()).replica.items());
      for (let id = 1; id <= n; id++) emulated.service.contents.restore(id);
      await equalsService(emulated, (await watch()).replica.items());
    },
  );

  test('with one item created and one removed, so that the total is the same, is what the service has', async () => {
    const { emulated, watch } = await openKnown();
    emulated.service.contents.archive(350);
    emulated.service.contents.create({ model: 'author', published: { ja: { name: 'new' } } });
    const { replica } = await watch();
    await equalsService(emulated, replica.items());
    expect(replica.summary).toMatchObject({ items: COUNT, added: 1, removed: 1 });
  });

  test('with a changed alternative text, which moves no time, is what the service has', async () => {
    const { emulated, watch } = await openKnown();
    emulated.service.contents.edit(1, { portrait: 9_000_001 });
    await watch();
    emulated.service.media.setAlt(9_000_001, 'B');
    await equalsService(emulated, (await watch()).replica.items());
  });

  test('in another language is known apart from the main one', async () => {
    const { emulated, sync, watch } = await openKnown();
    for (let id = 1; id <= 250; id++)
      emulated.service.contents.edit(id, { [id % 4 === 1 ? 'name' : 'title']: 'English' }, { lang: 'en' });
    const lang = 'en';
    await sync({ lang, main: await sync() });
    await sync({ lang, main: await sync() });
    expect((await watch({ lang, main: await sync() })).work).toEqual(NOTHING);
    emulated.service.contents.edit(6, { title: 'edited' }, { lang: 'en' });
    const { replica } = await watch({ lang, main: await sync() });
    expect([...(await replica.items())]).toEqual([
      ...(await readFromService(emulated, MODELS, undefined, lang)),
    ]);
  });
});

describe('all pages are parsed, and the content is right,', () => {
  const pretty: Body = (text) => JSON.stringify(parseJson(text), undefined, 1);
  const inAnotherOrder: Body = (text) => {
    const { total, data, ...rest } = parseJson(text);
    return JSON.stringify({
      ...rest,
      total,
      data: data.map((item: object) => Object.fromEntries(Object.entries(item).reverse())),
    });
  };

  test.each([
    ['white space', pretty],
    ['the order of properties', inAnotherOrder],
  ])('if a proxy changes %s, for an hour at most', async (_, change) => {
    const { emulated, through, watch } = await openKnown();
    const { replica, work } = await watch({ fetch: through(change) });
    expect(work.parsed).toEqual(ALL_PAGES);
    expect(replica.summary.changed).toBe(0);
    await equalsService(emulated, replica.items());
    expect(work.manifestsWritten).toBe(0);
    emulated.service.clock.advance(HOUR);
    await watch({ fetch: through(change) });
    expect((await watch({ fetch: through(change) })).work).toEqual(NOTHING);
  });

  test('if the model map is another one', async () => {
    const { emulated, watch } = await openKnown();
    const models = { ...MODELS, author: { ...MODELS.author, motto: field.text() } };
    const { replica, work } = await watch({ models });
    expect(work.parsed).toEqual(ALL_PAGES);
    await equalsService(emulated, replica.items());
  });

  test('if a full sync is requested', async () => {
    const { emulated, watch } = await openKnown();
    const { replica, work } = await watch({ forceFullSync: true });
    expect(work.parsed).toEqual(ALL_PAGES);
    await equalsService(emulated, replica.items());
  });
});

describe('pages that are not what the service has now', () => {
  /** Answers the requests for these pages with what it answered first, unless they bypass the CDN. */
  function oldCopies(isOld: (offset: number) => boolean): Body {
    const copies = new Map<string, string>();
    return (text, url) => {
      const isCopied =
        isOld(Number(url.searchParams.get('offset'))) && !url.searchParams.has('_created_at[lte]');
      if (!copies.has(url.href)) copies.set(url.href, text);
      return isCopied ? (copies.get(url.href) as string) : text;
    };
  }

  test('do not hide what other pages show, if the bytes of some are known and they do not adjoin', async () => {
    const { emulated, through, watch } = await openKnown();
    const fetch = through(oldCopies((offset) => offset < 297));
    await watch({ fetch });
    emulated.service.contents.archive(150);
    await equalsService(emulated, (await watch({ fetch })).replica.items());
  });

  test('do not show what was removed, if the total is the same', async () => {
    const { emulated, through, watch } = await openKnown();
    const fetch = through(oldCopies((offset) => offset < 297));
    await watch({ fetch });
    emulated.service.contents.archive(150);
    emulated.service.contents.create({ model: 'author', published: { ja: { name: 'new' } } });
    await equalsService(emulated, (await watch({ fetch })).replica.items());
  });

  test('are not stored with an item that is gone, which may return as it was', async () => {
    const { emulated, through, watch } = await openKnown();
    const fetch = through(oldCopies(() => true));
    await watch({ fetch });
    emulated.service.contents.archive(350);
    await watch();
    emulated.service.clock.advance(HOUR);
    await equalsService(emulated, (await watch({ fetch })).replica.items());
    emulated.service.contents.restore(350);
    await equalsService(emulated, (await watch()).replica.items());
  });

  test('are not stored if an item changed while they were read, which may become as it was', async () => {
    const emulated = openEmulatedSpace(seedOf(COUNT));
    const { contents } = emulated.service;
    const savesDraft: typeof fetch = async (input, init) => {
      const isPage = new URL(String(input)).searchParams.get('order')?.startsWith('_created_at') === true;
      const response = await emulated.service.fetch(input as string, init);
      if (isPage) contents.saveDraft(3, { title: 'draft' });
      return response;
    };
    const apiKey = 'drafts';
    await emulated.sync({ apiKey, fetch: savesDraft });
    contents.discardDraft(3);
    const items = await (await emulated.sync({ apiKey })).items();
    expect(Object.fromEntries(items)).toEqual(
      Object.fromEntries(await readFromService(emulated, MODELS, apiKey)),
    );
  });

  test('change nothing if they are old copies, and hide nothing later', async () => {
    const { emulated, through, watch } = await openKnown();
    const copies = oldCopies(() => true);
    await watch({ fetch: through(copies) });
    emulated.service.clock.advance(5000);
    emulated.service.contents.edit(351, { title: 'edited' });
    await watch();
    const { replica, work } = await watch({ fetch: through(copies) });
    expect(work.parsed).toContain(297);
    await equalsService(emulated, replica.items());
    expect((await watch()).work).toEqual(NOTHING);
    await equalsService(emulated, (await watch()).replica.items());
  });

  test('are not stored if two of them show an item in two versions', async () => {
    const { emulated, through, watch } = await openKnown();
    const copies = oldCopies((offset) => offset === 99);
    await watch({ fetch: through(copies) });
    emulated.service.clock.advance(5000);
    emulated.service.contents.edit(100, { title: 'edited' });
    await watch({ fetch: through(copies) });
    await equalsService(emulated, (await watch()).replica.items());
  });

  test('are repaired with a damaged cache when the content is read', async () => {
    const { emulated, sync } = await openKnown();
    const { manifest } = await sync();
    const hash = Object.values(manifest.models)[0]?.segments[0]?.hash ?? '';
    const storage = createStorage({ driver: memory() });
    await emulated.sync({ cache: { storage } });
    const key = (await storage.getKeys()).find((name) => name.endsWith(hash)) ?? '';
    await storage.setItemRaw(key, 'damaged');
    const replica = await emulated.sync({ cache: { storage } });
    await equalsService(emulated, replica.items());
  });
});

test('a space that does not fit in one round stores no pages', async () => {
  const emulated = openEmulatedSpace(seedOf(1700));
  await emulated.sync();
  expect((await emulated.sync()).manifest.pages).toEqual({});
});
