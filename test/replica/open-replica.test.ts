import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import type { ReplicaOptions } from '../../src/replica/open-replica.ts';
import type { Manifest } from '../../src/replica/store/manifest/manifest.ts';
import { storedModelKey } from '../../src/replica/store/manifest/stored-models.ts';
import { openSnapshot } from '../../src/replica/store/snapshot.ts';
import { LuidError } from '../../src/shared/errors.ts';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';
import { filesIn } from '../support/folder-files.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const [AUTHOR, ARTICLE, PAGE, EVENT] = [1, 2, 3, 4];
const [MEDIA, OTHER_MEDIA] = [9_000_001, 9_000_002];
const title = field.text({ title: true });

/** 160 items, of which some have these fields, in both languages. The heads show the newest 100. */
function seedWith(fields: { readonly [id: number]: object } = {}) {
  const { contents, media, ...seed } = seedOf(160);
  const withFields = contents.map(({ published: { ja }, ...item }) => {
    const all = { ...ja, ...fields[item.id] };
    return { ...item, published: { ja: all, en: all } };
  });
  return { ...seed, media: [...media, { id: OTHER_MEDIA, file: 'b.jpg', alt: 'B' }], contents: withFields };
}

let emulated: EmulatedSpace;
let storage: Storage;
beforeEach(() => {
  emulated = openEmulatedSpace(seedWith());
  storage = createStorage({ driver: memory() });
});

type Options = Parameters<EmulatedSpace['sync']>[0];
/** With one request at a time, the two pages of 160 items do not fit in one round: the heads decide. */
const sync = (options: Options = {}) => emulated.sync({ cache: { storage }, concurrency: 1, ...options });
const requestsOf = async (options?: Options) => (await emulated.counted(() => sync(options))).requests;

/** The URLs that a sync requests. */
async function urlsOf(options: Options = {}): Promise<URL[]> {
  const urls: URL[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    urls.push(new URL(String(input)));
    return emulated.service.fetch(input as string, init);
  };
  await sync({ fetch, ...options });
  return urls;
}

const isPage = (url: URL) => url.searchParams.has('offset');
const isPastCdn = (url: URL) => url.searchParams.has('_created_at[lte]');
/** Whether a sync reads everything past the CDN, or just the two heads. */
async function readsEverything(options?: Options): Promise<boolean> {
  const urls = await urlsOf(options);
  const all = urls.filter(isPage);
  if (all.length === 0) expect(urls).toHaveLength(2);
  else expect(urls.every(isPastCdn)).toBe(true);
  return all.length > 0;
}

const fail = (status: number) =>
  emulated.service.faults.add({ times: Number.POSITIVE_INFINITY, kind: { status } });
const writesOf = (part: 'manifest' | 'segment') => {
  const written: string[] = [];
  const write = storage.setItemRaw.bind(storage);
  storage.setItemRaw = async (key, value, options) => {
    if (key.includes(`:${part}:`)) written.push(key);
    return write(key, value, options);
  };
  return written;
};
const snapshotOf = (models: ModelMap = MODELS) =>
  openSnapshot(storage, {
    baseUrl: emulated.service.baseUrl,
    apiKey: 'published',
    space: undefined,
    lang: undefined,
    modelKeys: Object.keys(models).map((model) => storedModelKey(models, model)),
  });
/** Stores the snapshot once more, with something in it changed. */
async function storeWith(change: Partial<Manifest>): Promise<void> {
  const snapshot = await snapshotOf();
  const { manifest } = await snapshot.load();
  const next = { ...manifest, generation: manifest.generation + 1, ...change };
  await snapshot.commit(next, emulated.service.clock.now());
}
const damage = async (part: 'manifest' | 'segment') => {
  for (const key of await storage.getKeys())
    if (key.includes(`:${part}:`)) await storage.setItemRaw(key, 'x');
};

describe('a sync', () => {
  test('has the content of the service, and counts its requests and changes', async () => {
    const cold = await sync();
    expect(await cold.items()).toEqual(await readFromService(emulated, MODELS));
    expect(cold.summary).toMatchObject({ items: 160, added: 160, changed: 0, removed: 0, retries: 0 });
    expect(cold.isFromCache).toBe(false);
    emulated.service.clock.advance(60_000);
    emulated.service.contents.edit(PAGE, { title: 'edited' });
    emulated.service.contents.archive(EVENT);
    emulated.service.contents.create({ model: 'event', published: { ja: { title: 'new' } } });
    emulated.service.contents.create({ model: 'event', published: { ja: { title: 'new' } } });
    const next = await sync();
    expect(next.summary).toMatchObject({ items: 161, added: 2, changed: 1, removed: 1 });
    expect(await next.items()).toEqual(await readFromService(emulated, MODELS));
    expect(emulated.infos.at(-1)).toMatch(
      /^161 items, 2 added, 1 changed, 1 removed; \d+ requests \(\d+ from the CDN\)$/,
    );
    expect(emulated.warnings).toEqual([]);
  });

  test('reads a space that fits in one round of 16 requests in full, unless fewer are allowed', async () => {
    await sync();
    expect(await requestsOf()).toBe(2);
    expect((await urlsOf({ concurrency: undefined })).map(isPage)).toEqual([true, true]);
    expect((await urlsOf({ concurrency: 2 })).map(isPage)).toEqual([true, true]);
  });

  test('reports each page', async () => {
    const pages: [string, number][] = [];
    await sync({ progress: { page: (model, _, total) => pages.push([model, total]) } });
    expect(pages.length).toBeGreaterThanOrEqual(2);
    expect(new Set(pages.map(String))).toEqual(new Set(['author,article,page,event,160']));
  });

  test('warns about a model without content', async () => {
    const models: ModelMap = { ...MODELS, ghost: { title } };
    emulated = openEmulatedSpace({ ...seedWith(), models });
    await sync({ models });
    expect(emulated.warnings).toEqual([expect.stringMatching(/^ghost has no content that this key can see/)]);
  });

  test('that failed sends no more requests', async () => {
    const times = Number.POSITIVE_INFINITY;
    emulated.service.faults.add({ match: ({ query }) => query.has('offset'), kind: { status: 500 }, times });
    let requests = 0;
    emulated.service.beforeRequest = () => void requests++;
    await expect(sync()).rejects.toMatchObject({ status: 500 });
    const ended = requests;
    for (let n = 0; n < 20; n++) await new Promise(setImmediate);
    expect(requests).toBe(ended);
  });

  test('that failed for another reason sends no more requests either', async () => {
    emulated = openEmulatedSpace(seedOf(700));
    await sync();
    let requests = 0;
    emulated.service.beforeRequest = () => void requests++;
    const page = () => {
      throw new Error('no progress');
    };
    await expect(sync({ forceFullSync: true, progress: { page } })).rejects.toThrow('no progress');
    for (let n = 0; n < 50; n++) await new Promise(setImmediate);
    // Two heads, and of eight pages those that were on their way.
    expect(requests).toBeLessThanOrEqual(2 + 4);
  });

  test('has a fingerprint that is equal for equal content', async () => {
    const { fingerprint } = await sync();
    expect((await sync()).fingerprint).toBe(fingerprint);
    expect((await sync({ cache: false })).fingerprint).toBe(fingerprint);
    expect((await sync({ offline: true })).fingerprint).toBe(fingerprint);
    emulated.service.clock.advance(60_000);
    emulated.service.contents.edit(PAGE, { title: 'edited' });
    expect((await sync()).fingerprint).not.toBe(fingerprint);
  });

  test('reads its items once', async () => {
    const replica = await sync();
    await replica.readAll();
    expect(replica.get(PAGE)).toBe(replica.get(PAGE));
    expect([...replica.values()]).toContain(replica.get(PAGE));
  });
});

describe('offline', () => {
  test('the last snapshot is used as it is, without a request', async () => {
    const online = await sync();
    const right = await online.items();
    emulated.service.clock.advance(60_000);
    emulated.service.contents.edit(PAGE, { title: 'edited' });
    fail(500);
    const { result, requests } = await emulated.counted(() => sync({ offline: true }));
    expect(await result.items()).toEqual(right);
    expect(requests).toBe(0);
    expect(result).toMatchObject({
      isFromCache: true,
      fingerprint: online.fingerprint,
      readAt: online.readAt,
    });
    expect(result.summary).toEqual({
      items: 160,
      added: 0,
      changed: 0,
      removed: 0,
      requests: 0,
      cached: 0,
      retries: 0,
      waited: 0,
    });
    expect(emulated.warnings).toEqual([]);
  });

  test.each<[string, (hash: string | undefined) => Promise<void>]>([
    ['the facts about its items', async () => {}],
    [
      'its items if the facts are lost',
      async (hash) => {
        for (const key of await storage.getKeys())
          if (key.endsWith(`:${hash}`)) await storage.removeItem(key);
      },
    ],
  ])('the last snapshot knows what refers to what, by %s', async (_, prepare) => {
    emulated.service.contents.edit(ARTICLE, { author: AUTHOR });
    await sync();
    const { manifest } = await (await snapshotOf()).load();
    expect(manifest.facts).not.toBeNull();
    await prepare(manifest.facts?.hash);
    const replica = await (await sync({ offline: true })).prepare();
    expect(replica.referrersOf(new Set([AUTHOR]))).toEqual(new Set([ARTICLE]));
  });

  test.each<[string, Options]>([
    ['without a snapshot', { lang: 'en' }],
    ['with a model that was never read', { models: { ...MODELS, ghost: { title } } }],
    ['without a cache', { cache: false }],
  ])('%s it is an error', async (_, options) => {
    await sync();
    const error = await sync({ offline: true, ...options }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LuidError);
    expect(error).toMatchObject({
      message: expect.stringContaining(
        'LUID_OFFLINE is set, but the cache does not contain all models in this language',
      ),
      hint: 'Build once while the service is available, and do not set `cache` to `false`.',
    });
  });

  test('a damaged segment is an error', async () => {
    await sync();
    await damage('segment');
    const replica = await sync({ offline: true });
    const error = await replica.items().catch((reason: unknown) => reason);
    expect(LuidError.is(error)).toBe(true);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^The cache of \w+ is damaged or incomplete/),
      hint: 'Build once while the service is available: what is damaged is fetched again.',
    });
    expect(emulated.warnings).toEqual([]);
  });
});

describe('when the service is unavailable', () => {
  const USE = 'use the cache';

  test('it is an error, unless the options allow the snapshot', async () => {
    await sync();
    fail(503);
    await expect(sync()).rejects.toMatchObject({ status: 503 });
    expect(emulated.warnings).toEqual([]);
  });

  test.each<[string, Options]>([
    ['a snapshot of any age', { staleFor: Number.POSITIVE_INFINITY }],
    ['the snapshot', { onUnavailable: USE }],
    ['a hint', { onUnavailable: { hint: 'Try this.' } }],
  ])('it is an error without a snapshot, although the options allow %s', async (_, options) => {
    fail(503);
    const error = await sync(options).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 503, hint: expect.not.stringContaining('Try this') });
  });

  test('a snapshot is used if it is not older than allowed', async () => {
    const { fingerprint } = await sync();
    emulated.service.clock.advance(HOUR);
    fail(503);
    await expect(sync({ staleFor: HOUR - 1 })).rejects.toMatchObject({ status: 503 });
    const replica = await sync({ staleFor: HOUR });
    expect(replica).toMatchObject({ isFromCache: true, fingerprint });
    expect(emulated.warnings).toEqual([
      'Service unavailable; using cached content (60 min old)',
      expect.stringMatching(/^\[GET\] .* 503 /),
    ]);
  });

  test('what is damaged in the snapshot is fetched once it is available again', async () => {
    await sync();
    const fault = fail(503);
    const replica = await sync({ onUnavailable: USE });
    await damage('segment');
    fault();
    expect(await replica.items()).toEqual(await readFromService(emulated, MODELS));
  });

  test('the reason is reported even if it is not an Error object', async () => {
    await sync();
    const progress = {
      page: () => {
        throw 'no progress';
      },
    };
    await sync({ forceFullSync: true, progress, staleFor: HOUR });
    expect(emulated.warnings.at(-1)).toBe('no progress');
  });

  test('a snapshot of any age is used on request', async () => {
    await sync();
    emulated.service.clock.advance(90 * DAY);
    fail(500);
    expect((await sync({ onUnavailable: USE })).isFromCache).toBe(true);
    expect((await sync({ onUnavailable: USE, staleFor: 1 })).isFromCache).toBe(true);
  });

  test('a hint mentions the snapshot', async () => {
    await sync();
    fail(500);
    const options: Options = { onUnavailable: { hint: 'Use the snapshot.' } };
    await expect(sync(options)).rejects.toMatchObject({
      status: 500,
      hint: expect.stringContaining('Use the snapshot.'),
    });
    await expect(sync({ ...options, staleFor: HOUR })).resolves.toMatchObject({ isFromCache: true });
  });

  test.each<[string, ReplicaOptions['onUnavailable']]>([
    ['the snapshot', USE],
    ['a hint', { hint: 'Use the snapshot.' }],
  ])('a rejected request is an error instead of %s', async (_, onUnavailable) => {
    await sync();
    fail(401);
    const error = await sync({ onUnavailable }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 401, hint: expect.not.stringContaining('Use the snapshot.') });
  });

  test('a snapshot that lacks a model is not used', async () => {
    await sync();
    fail(500);
    const models = { ...MODELS, ghost: { title } };
    await expect(sync({ models, onUnavailable: USE })).rejects.toMatchObject({ status: 500 });
  });
});

describe('everything is read bypassing the CDN', () => {
  beforeEach(() => sync());

  test('on request', async () => {
    expect(await readsEverything()).toBe(false);
    expect(await readsEverything({ forceFullSync: false })).toBe(false);
    expect(await readsEverything({ forceFullSync: true })).toBe(true);
  });

  test('if the last full read is older than the options allow', async () => {
    emulated.service.clock.advance(HOUR);
    expect(await readsEverything({ maxAge: HOUR })).toBe(false);
    expect(await readsEverything({ maxAge: HOUR - 1 })).toBe(true);
    expect(await readsEverything({ maxAge: HOUR - 1 })).toBe(false);
  });

  test('if the last full read is in the future', async () => {
    expect(await readsEverything({ skew: -HOUR })).toBe(true);
  });

  test('if the last full read was inconclusive', async () => {
    await storeWith({ readAgain: 'everything' });
    expect(await readsEverything()).toBe(true);
    expect(await readsEverything()).toBe(false);
  });

  test('if a newer manifest was damaged', async () => {
    emulated.service.clock.advance(60_000);
    emulated.service.contents.edit(PAGE, { title: 'edited' });
    await sync();
    const [key = ''] = (await storage.getKeys()).filter((name) => name.includes(':manifest:000000000002'));
    await storage.setItemRaw(key, 'x');
    expect(await readsEverything()).toBe(true);
    expect(emulated.warnings).toEqual(['Part of the cache is damaged; fetching everything again']);
    expect(await readsEverything()).toBe(false);
    expect(emulated.warnings).toHaveLength(1);
  });

  test('once if a manifest without news was damaged', async () => {
    await sync({ storeReadTime: true });
    const [key = ''] = (await storage.getKeys()).filter((name) => name.includes(':manifest:000000000002'));
    await storage.setItemRaw(key, 'x');
    expect(await readsEverything()).toBe(true);
    expect(await readsEverything()).toBe(false);
    expect(emulated.warnings).toHaveLength(1);
  });

  test('but not in the first sync', async () => {
    expect((await urlsOf({ cache: false })).filter(isPage).some(isPastCdn)).toBe(false);
  });

  test('based on the oldest full read, if a model was added', async () => {
    const { event: _, ...fewer } = MODELS;
    storage = createStorage({ driver: memory() });
    await sync({ models: fewer });
    emulated.service.clock.advance(HOUR);
    const read = emulated.service.clock.now();
    // The new model is read, the others are not.
    const replica = await sync();
    expect(replica.summary).toMatchObject({ items: 160, added: 40 });
    expect(replica.readAt).toBe(read - HOUR);
    // References that may lead to the new model and are empty are read once more.
    const next = await urlsOf({ maxAge: HOUR });
    expect(next.filter((url) => url.searchParams.has('_id[in]'))).toHaveLength(1);
    expect(next).toHaveLength(3);
    expect(await readsEverything({ maxAge: HOUR })).toBe(false);
    expect(await readsEverything({ maxAge: HOUR - 1 })).toBe(true);
    expect((await sync()).readAt).toBe(read);
  });
});

describe('the stored snapshot', () => {
  test('is used by the next sync', async () => {
    await sync();
    expect(await requestsOf()).toBe(2);
  });

  test('is written in the background on request', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const write = storage.setItemRaw.bind(storage);
    storage.setItemRaw = async (...args) => {
      await released;
      return write(...args);
    };
    const replica = await sync({ storeInBackground: true });
    expect(await storage.getKeys()).toEqual([]);
    release();
    await replica.stored;
    expect((await (await snapshotOf()).load()).manifest.generation).toBe(1);
  });

  test('does not exist without a cache', async () => {
    for (let n = 0; n < 2; n++) expect((await sync({ cache: false })).summary.added).toBe(160);
    expect(filesIn(emulated.dir)).toEqual([]);
  });

  test('is not written again if nothing changed', async () => {
    await sync();
    const manifests = writesOf('manifest');
    await sync();
    await sync({ forceFullSync: true });
    expect(manifests).toEqual([]);
    emulated.service.clock.advance(60_000);
    emulated.service.contents.edit(PAGE, { title: 'edited' });
    await sync();
    expect(manifests).toHaveLength(1);
  });

  test('is written after a full read in another hour, or if its time must be recorded', async () => {
    await sync();
    const manifests = writesOf('manifest');
    await sync({ storeReadTime: true });
    expect(manifests).toHaveLength(1);
    emulated.service.clock.advance(HOUR - 1);
    await sync({ forceFullSync: true });
    expect(manifests).toHaveLength(1);
    emulated.service.clock.advance(1);
    await sync({ forceFullSync: true });
    expect(manifests).toHaveLength(2);
  });

  test('is written for a new model map that starts from the snapshot of another', async () => {
    await sync();
    const manifests = writesOf('manifest');
    const { event: _, ...fewer } = MODELS;
    await sync({ models: fewer });
    expect(manifests).toHaveLength(1);
    // Pages may refer to any model, so all were read; they are as they were.
    expect(await requestsOf({ models: fewer })).toBe(2);
    expect(manifests).toHaveLength(1);
  });

  test('can be read even if items have no creation time', async () => {
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await emulated.service.fetch(input as string, init);
      const body = (await response.json()) as { data?: Record<string, unknown>[] };
      for (const item of body.data ?? []) delete item._created_at;
      return Response.json(body, response);
    };
    expect((await sync({ fetch })).summary).toMatchObject({ items: 160, added: 160 });
    const next = await sync({ fetch });
    expect(next.summary).toMatchObject({ items: 160, added: 0, changed: 0, removed: 0 });
    expect((await sync({ offline: true })).summary.items).toBe(160);
    expect(emulated.warnings).toEqual([]);
  });

  test('is written once for a new model map without untyped references', async () => {
    await sync();
    const manifests = writesOf('manifest');
    const { page: _, ...fewer } = MODELS;
    await sync({ models: fewer });
    expect(manifests).toHaveLength(1);
    expect(await requestsOf({ models: fewer })).toBe(2);
    expect(manifests).toHaveLength(1);
  });

  test.each([
    ['an error', new Error('EROFS'), 'EROFS'],
    ['something else', 'EROFS', 'EROFS'],
  ])('that cannot be written is only a warning: %s', async (_, reason, shown) => {
    storage.setItemRaw = () => Promise.reject(reason);
    expect((await sync()).summary.items).toBe(160);
    expect(emulated.warnings).toEqual([
      `Cannot write the cache; the next build starts from the previous one: ${shown}`,
    ]);
  });

  test('that cannot be read is only a warning', async () => {
    await sync();
    storage.getKeys = () => Promise.reject(new Error('EACCES'));
    const replica = await sync();
    expect(replica.summary).toMatchObject({ items: 160, added: 160 });
    expect(emulated.warnings).toEqual(['Cannot read the cache; fetching everything: EACCES']);
  });
});

describe('a damaged segment', () => {
  beforeEach(async () => {
    await sync();
    await damage('segment');
  });

  test('is fetched again when a sync needs it', async () => {
    emulated.service.clock.advance(60_000);
    emulated.service.contents.edit(PAGE, { title: 'edited' });
    const urls: URL[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      urls.push(new URL(String(input)));
      return emulated.service.fetch(input as string, init);
    };
    const replica = await sync({ fetch });
    // What was lost cannot tell which items were read without it.
    const pages = urls.filter(isPage);
    expect(new Set(pages.map((url) => url.searchParams.get('model')))).toEqual(
      new Set([Object.keys(MODELS).join(',')]),
    );
    expect(pages.every(isPastCdn)).toBe(true);
    const warnings = emulated.warnings.length;
    expect(emulated.warnings[0]).toMatch(/^The cache of \w+ is damaged or incomplete; fetching it again$/);
    expect(await replica.items()).toEqual(await readFromService(emulated, MODELS));
    expect((await (await sync()).items()).get(PAGE)?.title).toBe('edited');
    expect(emulated.warnings).toHaveLength(warnings);
  });

  test('is fetched again when items are read', async () => {
    const replica = await sync();
    expect(replica.summary.requests).toBe(2);
    expect(emulated.warnings).toEqual([]);
    expect(await replica.items()).toEqual(await readFromService(emulated, MODELS));
    expect(new Set(emulated.warnings.map((line) => /of (\w+) is/.exec(line)?.[1]))).toEqual(
      new Set(Object.keys(MODELS)),
    );
    expect(emulated.warnings).toHaveLength(4);
    expect(await (await sync({ offline: true })).items()).toEqual(await readFromService(emulated, MODELS));
    expect(emulated.warnings).toHaveLength(4);
  });

  test('is fetched again and stored in another language too', async () => {
    await sync({ lang: 'en' });
    await damage('segment');
    const right = await readFromService(emulated, MODELS, 'published', 'en');
    expect(await (await sync({ lang: 'en' })).items()).toEqual(right);
    expect(await (await sync({ lang: 'en', offline: true })).items()).toEqual(right);
  });

  test('is an error if the service is unavailable too', async () => {
    const replica = await sync();
    fail(500);
    await expect(replica.items()).rejects.toMatchObject({ status: 500 });
  });
});

describe('a reference', () => {
  /** A page that refers to this by a field for any model, and an article that refers to an author. */
  function openLinked(page: number) {
    const article = { author: AUTHOR, cover: MEDIA };
    emulated = openEmulatedSpace(seedWith({ [PAGE]: { article: page }, [ARTICLE]: article }));
  }
  const shown = async (options?: Options) => {
    const replica = await sync(options);
    const both = [await replica.items(), await replica.readAll()];
    return both.map((items) => [items.get(PAGE)?.article, items.get(ARTICLE)?.author]);
  };

  test('to removed content is empty, but keeps its id in unresolved items', async () => {
    openLinked(AUTHOR);
    const before = [AUTHOR, AUTHOR];
    expect(await shown()).toEqual([before, before]);
    emulated.service.contents.archive(AUTHOR);
    expect(await shown()).toEqual([[null, null], before]);
    expect(await shown({ offline: true })).toEqual([[null, null], before]);
    expect((await (await sync()).items()).get(ARTICLE)?.cover).toMatchObject({ alt: 'A' });
    const empty = [null, null];
    expect(await shown({ forceFullSync: true })).toEqual([empty, empty]);
  });

  test('to removed content is kept in another language, where the main one decides', async () => {
    openLinked(AUTHOR);
    await sync({ lang: 'en' });
    emulated.service.clock.advance(60_000);
    emulated.service.contents.archive(AUTHOR);
    const [items, unresolved] = await shown({ lang: 'en' });
    expect(items).toEqual(unresolved);
    expect(items?.[1]).toBe(AUTHOR);
  });

  test('to content of an undeclared model is its id until the item is read again', async () => {
    const { event: _, ...models } = MODELS;
    openLinked(EVENT);
    const replica = await sync({ models });
    expect((await replica.items()).get(PAGE)?.article).toBe(EVENT);
    emulated.service.contents.archive(EVENT);
    const before = [EVENT, AUTHOR];
    expect(await shown({ models })).toEqual([before, before]);
    const after = [null, AUTHOR];
    expect(await shown({ models, forceFullSync: true })).toEqual([after, after]);
  });

  test('with a model is its id, even if that model is not declared', async () => {
    const { author: _, ...models } = MODELS;
    openLinked(EVENT);
    expect((await shown({ models }))[0]).toEqual([EVENT, AUTHOR]);
    emulated.service.clock.advance(60_000);
    emulated.service.contents.archive(EVENT + 4);
    expect((await shown({ models }))[0]).toEqual([EVENT, AUTHOR]);
  });

  test('is empty even if no model has an untyped reference', async () => {
    const { page: _, ...models } = MODELS;
    openLinked(EVENT);
    await sync({ models });
    emulated.service.contents.archive(AUTHOR);
    expect(await shown({ models })).toEqual([
      [undefined, null],
      [undefined, AUTHOR],
    ]);
  });

  test('that is dangling changes no other item', async () => {
    openLinked(AUTHOR);
    const replica = await sync();
    const [items, unresolved] = [await replica.items(), await replica.readAll()];
    expect([...items].every(([id, item]) => item === unresolved.get(id))).toBe(true);
  });
});

test('another language applies the changes of the main one', async () => {
  const main = await sync();
  await sync({ lang: 'en', main });
  emulated.service.clock.advance(60_000);
  emulated.service.contents.edit(ARTICLE, { title: 'edited' });
  const edited = await sync();
  expect(edited.manifest.history.steps.at(-1)?.changed).toEqual([ARTICLE]);
  const urls = await urlsOf({ lang: 'en', main: edited });
  expect(urls.some((url) => url.searchParams.get('_id[in]') === String(ARTICLE))).toBe(true);
});

describe('formats of flexible text', () => {
  const html = field.flexibleText();
  const markdown = field.flexibleText({ format: 'markdown' });

  test('are those of each model, even if two models differ', async () => {
    const models = { note: { title, body: html }, page: { title, body: markdown } };
    emulated = openEmulatedSpace(seedOf(120, models));
    for (const id of [1, 2]) emulated.service.contents.edit(id, { body: '<p><strong>bold</strong></p>' });
    const bodies = async (options?: Options) => {
      const items = await (await sync(options)).items();
      return [1, 2].map((id) => String(items.get(id)?.body).trim());
    };
    expect(await bodies()).toEqual(['<p><strong>bold</strong></p>', '**bold**']);
    emulated.service.clock.advance(60_000);
    for (const id of [1, 2]) emulated.service.contents.edit(id, { body: '<p><em>new</em></p>' });
    expect(await bodies()).toEqual(['<p><em>new</em></p>', expect.stringMatching(/^[*_]new[*_]$/)]);
    expect(await bodies({ forceFullSync: true })).toEqual([
      '<p><em>new</em></p>',
      expect.stringMatching(/^[*_]new[*_]$/),
    ]);
  });

  test('of a field that only some models have do not hide a removal', async () => {
    const plain = { title };
    const models = {
      a: { title, lead: markdown, body: markdown },
      ...{ b: plain, c: plain, d: plain, e: plain },
      ...{ f: { title, body: html }, g: { title, body: html }, h: { title, body: html } },
    };
    emulated = openEmulatedSpace(seedOf(80, models));
    await sync();
    emulated.service.clock.advance(60_000);
    emulated.service.contents.archive(5);
    expect((await sync()).summary).toMatchObject({ removed: 1, items: 79 });
  });
});

test('a cold read includes edits of the last 60 s, even if the CDN purges its pages late', async () => {
  emulated = openEmulatedSpace(seedOf(200), { assumptions: { purgeDelay: 45_000, purgeReach: 'some' } });
  const fetch: typeof globalThis.fetch = (input, init) => {
    const pop = isPage(new URL(String(input))) ? 'late' : 'a';
    return emulated.service.fetch(input as string, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), 'x-luid-pop': pop },
    });
  };
  await sync({ fetch, cache: false });
  emulated.service.clock.advance(600_000);
  for (let id = 1; id <= 150; id++) {
    emulated.service.clock.advance(200);
    emulated.service.contents.edit(id, { [id % 4 === 1 ? 'name' : 'title']: 'edited' });
  }
  emulated.service.clock.advance(1000);
  const items = await (await sync({ fetch, cache: false })).items();
  const isEdited = (id: number) => items.get(id)?._title === 'edited';
  expect(Array.from({ length: 150 }, (_, n) => n + 1).filter((id) => !isEdited(id))).toEqual([]);
});

test('what is stored is dated by the clock of the space', async () => {
  const now = emulated.service.clock.now();
  const written = writesOf('manifest');
  await sync();
  expect(written.length).toBeGreaterThan(0);
  expect(written.every((key) => key.includes(`-${now}-`))).toBe(true);
});
