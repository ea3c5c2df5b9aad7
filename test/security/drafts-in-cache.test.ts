import { createStorage, type Storage } from 'unstorage';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LazyLiveSource } from '../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../src/astro/live/live-sources.ts';
import { createEmulator, type Emulator } from '../../src/emulator/index.ts';
import { defineSpace, field } from '../../src/index.ts';
import { openSnapshotReader } from '../../src/replica/content/snapshot-reader.ts';
import { openReplica } from '../../src/replica/open-replica.ts';
import { openCipher } from '../../src/shared/encryption/content-cipher.ts';
import { replicaOptions } from '../../src/space/replica-options.ts';
import { SpaceRuntime } from '../../src/space/runtime.ts';
import type { AnyLiveLoader } from '../astro/live/from-replica/fleet/fleet-space.ts';
import { readStored } from '../replica/read-stored.ts';

const models = {
  author: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    body: field.flexibleText(),
    cover: field.media(),
    author: field.reference('author'),
  },
};

/** Parts of a draft that nothing else contains. */
const SECRET = {
  title: 'Unannounced merger',
  body: 'The board has agreed',
  alt: 'Two signatures',
  file: 'contract.jpg',
  model: 'article@',
  id: 987_654_321,
};
const PUBLIC = 'Opening hours';

let spaces = 0;

/** A space with published articles; and a draft, or an article with one. */
function openService(status: 'draft' | 'published_draft', authors = 1): Emulator {
  const draft = {
    title: SECRET.title,
    body: `<p>${SECRET.body}</p>`,
    cover: 9,
    author: 1000,
  };
  const created_at = '2026-01-01T00:00:00Z';
  const published = (id: number, fields: object) => ({ id, created_at, published: { ja: fields } });
  return createEmulator(
    {
      languages: { main: 'ja', sub: [] },
      keys: [
        { key: 'published', reads: 'published' },
        { key: 'drafts', reads: 'drafts' },
      ],
      models,
      media: [{ id: 9, file: SECRET.file, alt: { ja: SECRET.alt } }],
      contents: [
        { model: 'article', ...published(2, { title: PUBLIC, author: 1000 }) },
        ...Array.from({ length: authors }, (_, n) => ({
          model: 'author',
          ...published(1000 + n, { name: `Author ${n}` }),
        })),
        {
          model: 'article',
          id: SECRET.id,
          created_at,
          draft: { ja: draft },
          ...(status === 'published_draft' && { published: { ja: { title: 'Merger?' } } }),
        },
      ],
    } as never,
    { origin: `http://drafts-${++spaces}.test`, rateLimit: false },
  );
}

function openSpace(service: Emulator, storage: Storage, apiKey = 'published') {
  const { baseUrl, fetch } = service;
  const network = { concurrency: 1 };
  return defineSpace({ baseUrl, apiKey, draftApiKey: 'drafts', models, cache: { storage }, network, fetch });
}

type Space = ReturnType<typeof openSpace>;

/** Syncs as a build, `luid sync` and a server do. */
async function sync(space: Space, drafts: boolean) {
  const logger = { info() {}, warn() {} };
  const running = { ...space, runtime: new SpaceRuntime() } as never;
  const options = await replicaOptions(
    running,
    { drafts, lang: undefined },
    { cacheDir: '', main: undefined, logger },
  );
  return openReplica(options);
}

/** Everything that is stored, by key: as text, and what is base64 in it decoded. */
async function storedTexts(storage: Storage): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const key of await storage.getKeys()) {
    const raw: unknown = await storage.getItemRaw(key);
    const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
    const decoded = text
      .split(/[^0-9A-Za-z+/]+/)
      .map((part) => Buffer.from(part, 'base64').toString('latin1'));
    texts.set(key, [key, text, ...decoded].join('\n'));
  }
  return texts;
}

/** The names of the parts of the draft that someone without a key can read. */
async function readable(storage: Storage): Promise<string[]> {
  const texts = [...(await storedTexts(storage)).values()];
  const found = (part: string) => texts.some((text) => text.includes(part));
  const number = Buffer.from(new Float64Array([SECRET.id]).buffer).toString('latin1');
  return Object.entries(SECRET).flatMap(([name, part]) =>
    found(String(part)) || (typeof part === 'number' && found(number)) ? [name] : [],
  );
}

async function offline(work: () => Promise<void>): Promise<void> {
  process.env.LUID_OFFLINE = '1';
  try {
    await work();
  } finally {
    delete process.env.LUID_OFFLINE;
  }
}

const isSegment = (key: string) => key.includes(':segment:');

describe.each(['draft', 'published_draft'] as const)(
  'nothing of a %s can be read without the key',
  (status) => {
    test('in the cache of a collection with `drafts: true`, in which everything is encrypted', async () => {
      const [service, storage] = [openService(status), createStorage()];
      const items = await (await sync(openSpace(service, storage), true)).items();
      expect(items.get(SECRET.id)).toMatchObject({ title: SECRET.title });
      expect(await readable(storage)).toEqual([]);
      for (const [key, text] of await storedTexts(storage)) {
        expect(text.includes(PUBLIC), key).toBe(false);
        expect(text, key).toContain('encrypted:');
      }
    });

    test('in the cache of an apiKey that reads drafts', async () => {
      const [service, storage] = [openService(status), createStorage()];
      await sync(openSpace(service, storage, 'drafts'), false);
      expect(await readable(storage)).toEqual([]);
    });

    test('if it appears later, and after it has gone', async () => {
      const [service, storage] = [openService(status), createStorage()];
      const space = openSpace(service, storage, 'drafts');
      service.contents.archive(SECRET.id);
      await sync(space, false);
      expect(await readable(storage)).toEqual(['model']);
      for (const change of ['restore', 'archive'] as const) {
        service.clock.advance(60_000);
        service.contents[change](SECRET.id);
        await sync(space, false);
        service.clock.advance(60_000);
        await sync(space, false);
      }
      // What was stored before may stay for one more commit.
      service.contents.edit(2, { title: 'Edited' });
      await sync(space, false);
      service.contents.edit(2, { title: 'Edited again' });
      await sync(space, false);
      expect(await readable(storage)).toEqual([]);
    });

    test('in the storage of servers, with their leases', async () => {
      vi.spyOn(console, 'info').mockImplementation(() => {});
      const [service, storage] = [openService(status), createStorage()];
      const known = new Set(liveSources().all());
      const space = openSpace(service, storage);
      const loader = space.liveLoader('article', { drafts: true }) as AnyLiveLoader;
      const filter = { id: String(SECRET.id) };
      const entry = await loader.loadEntry({ filter, collection: 'articles' } as never);
      expect(entry).toMatchObject({ data: { title: SECRET.title } });
      for (const source of liveSources().all()) if (!known.has(source)) await source.refresh();
      expect((await storage.getKeys()).some((key) => key.startsWith('live:'))).toBe(true);
      expect(await readable(storage)).toEqual([]);
    });

    test('while published content is stored as it is', async () => {
      const [service, storage] = [openService('draft'), createStorage()];
      await sync(openSpace(service, storage), false);
      const texts = [...(await storedTexts(storage)).values()];
      expect(texts.some((text) => text.includes(PUBLIC))).toBe(true);
      expect(texts.some((text) => text.includes('encrypted:'))).toBe(false);
    });
  },
);

afterEach(() => {
  vi.restoreAllMocks();
  for (const source of liveSources().all()) (source as LazyLiveSource).close();
});

test('nothing of a draft of published content can be read without the key', async () => {
  // Too many to be read in full each time.
  const [service, storage] = [openService('draft', 250), createStorage()];
  const space = openSpace(service, storage, 'drafts');
  service.contents.archive(SECRET.id);
  await sync(space, false);
  const { id: _, model: __, ...parts } = SECRET;
  service.clock.advance(60_000);
  service.contents.saveDraft(2, { title: parts.title, body: `<p>${parts.body}</p>`, cover: 9 });
  await sync(space, false);
  const found = await readable(storage);
  expect(Object.keys(parts).filter((name) => found.includes(name))).toEqual([]);
});

describe('encrypted content', () => {
  test('is shown by builds without the service, and by servers on any runtime', async () => {
    const [service, storage] = [openService('draft'), createStorage()];
    const space = openSpace(service, storage);
    const items = Object.fromEntries(await (await sync(space, true)).items());
    const reader = await openSnapshotReader(storage, models, {
      baseUrl: service.baseUrl,
      apiKey: 'drafts',
      space: undefined,
      lang: undefined,
    });
    const manifest = await reader.load();
    const replica = manifest && (await readStored(models, reader, manifest, undefined));
    expect(Object.fromEntries([...(replica?.values() ?? [])].map((item) => [item._id, item]))).toEqual(items);
    service.faults.add({ kind: { status: 503 }, times: 1000 });
    await offline(async () => {
      expect(Object.fromEntries(await (await sync(space, true)).items())).toEqual(items);
    });
  });

  test('has the same names wherever it is stored, and only what changed is stored again', async () => {
    const [service, storage, other] = [openService('draft'), createStorage(), createStorage()];
    await sync(openSpace(service, storage), true);
    await sync(openSpace(service, other), true);
    const names = async (of: Storage) => (await of.getKeys()).filter(isSegment).sort();
    expect(await names(storage)).toEqual(await names(other));
    const before = await names(storage);
    service.clock.advance(60_000);
    service.contents.saveDraft(SECRET.id, { title: 'Changed' });
    await sync(openSpace(service, storage), true);
    // The articles, and the facts.
    expect((await names(storage)).filter((name) => !before.includes(name))).toHaveLength(2);
  });

  test('that was exchanged for older content is not shown, and is read again', async () => {
    const [service, storage] = [openService('draft'), createStorage()];
    const space = openSpace(service, storage);
    const bodies = new Map<string, string>();
    /** The segments of articles that were ever stored, the oldest first. */
    const articles = async () => {
      for (const key of (await storage.getKeys()).filter(isSegment)) {
        const body = String(await storage.getItemRaw(key));
        if (String(openCipher('drafts').decrypt(body)).includes(PUBLIC)) bodies.set(key, body);
      }
      return [...bodies.keys()];
    };
    await sync(space, true);
    const [older = ''] = await articles();
    service.clock.advance(60_000);
    service.contents.saveDraft(SECRET.id, { title: 'Changed' });
    const items = Object.fromEntries(await (await sync(space, true)).items());
    const [newer = ''] = (await articles()).filter((key) => key !== older);
    await storage.setItemRaw(newer, bodies.get(older));
    await offline(async () => {
      const replica = await sync(space, true);
      await expect(replica.items()).rejects.toThrow('damaged');
    });
    expect(Object.fromEntries(await (await sync(space, true)).items())).toEqual(items);
  });

  test('has an IV of its own for every other content', async () => {
    const [service, storage] = [openService('draft'), createStorage()];
    const texts = new Map<string, Set<string>>();
    for (let n = 0; n < 10; n++) {
      service.clock.advance(60_000);
      service.contents.saveDraft(SECRET.id, { title: `Draft ${n}` });
      await sync(openSpace(service, storage), true);
      for (const key of await storage.getKeys()) {
        const [, base64 = ''] = String(await storage.getItemRaw(key)).split('encrypted:');
        const iv = Buffer.from(base64, 'base64').subarray(0, 12).toString('hex');
        texts.set(iv, (texts.get(iv) ?? new Set()).add(base64));
      }
    }
    expect(texts.size).toBeGreaterThan(25);
    for (const [, encrypted] of texts) expect(encrypted.size).toBe(1);
  });
});
