import { createStorage, type Storage } from 'unstorage';
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { holdBefore } from './held-storage.ts';
import { type Collection, notes, openSite, published, responseOf, serve, shown } from './loader-site.ts';

const CONTENTS = [
  published('author', 1, { name: 'A' }, { en: { name: 'A' } }),
  published('article', 2, { title: 'a' }, { en: { title: 'b' } }),
  published('article', 3, { title: 'c' }, { en: { title: 'd' } }),
  ...notes(600),
];
const COLLECTIONS = { articles: { model: 'article', lang: 'en' } };
const NETWORK = { concurrency: 1 };

const snapshotOf = (key: string) => key.split(':')[1] ?? '';

/** Calls `write` for each manifest with the number of its language: 0 for the main one, which is loaded first. */
function watchManifests(storage: Storage, write: (language: number) => Promise<void>): Storage {
  const loaded: string[] = [];
  return {
    ...storage,
    async getKeys(base = '') {
      if (base.endsWith(':manifest') && !loaded.includes(snapshotOf(base))) loaded.push(snapshotOf(base));
      return storage.getKeys(base);
    },
    async setItemRaw(key, ...rest) {
      if (key.includes(':manifest:')) await write(loaded.indexOf(snapshotOf(key)));
      return storage.setItemRaw(key, ...rest);
    },
  };
}

const manifestsIn = async (storage: Storage) =>
  (await storage.getKeys()).filter((key) => key.includes(':manifest:'));

test('a language is never stored before the main one', async () => {
  const written: number[] = [];
  const isOtherWritten = Promise.withResolvers<void>();
  const turns = async (count: number) => {
    for (let n = 0; n < count; n++) await new Promise(setImmediate);
  };
  const storage = watchManifests(createStorage(), async (language) => {
    if (language === 0) await Promise.race([isOtherWritten.promise, turns(500)]);
    else isOtherWritten.resolve();
    written.push(language);
  });
  await openSite(serve(CONTENTS)).build(COLLECTIONS, { cache: { storage }, network: NETWORK });
  expect(written).toEqual([0, 1]);
});

test('a language is not stored if the main one could not be', async () => {
  const backing = createStorage();
  let isFull = true;
  const storage = watchManifests(backing, async (language) => {
    if (isFull && language === 0) throw new Error('ENOSPC');
  });
  const service = serve(CONTENTS);
  const site = openSite(service);
  const how = { cache: { storage }, network: NETWORK };
  const { articles } = await site.build(COLLECTIONS, how);
  expect(shown(articles)).toEqual(await response(service));
  expect(await manifestsIn(backing)).toEqual([]);
  isFull = false;
  await site.build(COLLECTIONS, how);
  expect(await manifestsIn(backing)).toHaveLength(2);
});

test.each<[string, Record<string, Collection>]>([
  ['both languages', COLLECTIONS],
  ['the main language only', { articles: { model: 'article' } }],
])(
  'two builds with other content, one of them of %s, store languages that fit together',
  async (_, others) => {
    const service = serve(CONTENTS);
    const storage = createStorage();
    const how = { cache: { storage }, network: NETWORK };
    const [first, second] = [openSite(service), openSite(service)];
    await first.buildTwice(COLLECTIONS, how);
    service.clock.advance(60_000);
    service.contents.edit(2, { title: 'read by both' });
    service.clock.advance(60_000);
    const held = holdBefore('write', storage);
    const older = first.build(COLLECTIONS, { ...how, cache: { storage: held.storage } });
    await held.reached;
    service.clock.advance(60_000);
    service.contents.edit(3, { title: 'read by one' });
    service.contents.edit(3, { title: 'read by one, in English' }, { lang: 'en' });
    await second.build(others, how);
    service.clearLog();
    held.release();
    await older;
    // Neither language is read in full, then and by the next build.
    expect(service.log.length).toBeLessThan(8);
    const [wanted, stored] = [await response(service), await buildOffline(service, how)];
    expect(shown(stored.articles)).toEqual(wanted);
    service.clearLog();
    const { articles } = await first.build(COLLECTIONS, how);
    expect(service.log.length).toBeLessThan(8);
    expect(shown(articles)).toEqual(wanted);
  },
);

const response = (service: Emulator) => responseOf(service, { model: 'article', lang: 'en' });

/** What a new site shows of the cache. */
async function buildOffline(service: Emulator, how: object) {
  process.env.LUID_OFFLINE = '1';
  try {
    service.clearLog();
    const built = await openSite(service).build(COLLECTIONS, how);
    expect(service.log).toHaveLength(0);
    return built;
  } finally {
    delete process.env.LUID_OFFLINE;
  }
}
