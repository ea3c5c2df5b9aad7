import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';
import { filesIn } from '../support/folder-files.ts';

const { article, author, event, page } = MODELS;
const KEY = 'a-published-key-that-is-secret';
const DRAFTS_KEY = 'a-drafts-key-that-is-secret';

/** A space with drafts, a sub-space and texts in formats. */
function seed() {
  const { contents, ...rest } = seedOf(400);
  return {
    ...rest,
    spaces: ['_parent', 'shop'],
    keys: [
      { key: KEY, reads: 'published' },
      { key: `${KEY}-too`, reads: 'published' },
      { key: DRAFTS_KEY, reads: 'drafts' },
    ],
    contents: [
      ...contents.map((content) => ({
        ...content,
        ...(content.model === 'article' && {
          published: { ja: { title: `item ${content.id}`, body: '<p>a <b>text</b></p>' } },
        }),
        ...(content.id % 10 === 0 && { space: 'shop' }),
        ...(content.id % 7 === 0 && { draft: { ja: { title: 'hidden' } } }),
      })),
      { id: 5_001, model: 'event', created_at: '2026-01-02T00:00:00Z', draft: { ja: { title: 'hidden' } } },
    ].map((content) => (content.model === 'author' ? { ...content, draft: undefined } : content)),
  };
}

let emulated: EmulatedSpace;
beforeEach(() => {
  emulated = openEmulatedSpace(seed());
});

const sync = (options: Parameters<EmulatedSpace['sync']>[0] = {}) =>
  emulated.sync({ apiKey: KEY, models: MODELS, concurrency: 1, ...options });

describe('a snapshot is not used', () => {
  const others: [string, Parameters<EmulatedSpace['sync']>[0]][] = [
    ['with a published key', {}],
    ['with another published key', { apiKey: `${KEY}-too` }],
    ['in a sub-space', { apiKey: DRAFTS_KEY, space: 'shop' }],
    ['in the parent space alone', { apiKey: DRAFTS_KEY, space: '_parent' }],
    ['in the main language by its name', { apiKey: DRAFTS_KEY, lang: 'ja' }],
    ['in another language', { apiKey: DRAFTS_KEY, lang: 'en' }],
    [
      'with other formats',
      {
        apiKey: DRAFTS_KEY,
        models: { ...MODELS, article: { ...article, body: field.flexibleText({ format: 'text' }) } },
      },
    ],
  ];

  test.each(others)('if it was made with a drafts key, %s', async (_, options) => {
    await sync({ apiKey: DRAFTS_KEY });
    await expect(sync({ ...options, offline: true })).rejects.toThrow('does not contain all models');
  });

  test('at another URL', async () => {
    await sync();
    const other = openEmulatedSpace(seed());
    await expect(other.sync({ apiKey: KEY, cacheDir: emulated.dir, offline: true })).rejects.toThrow(
      'does not contain all models',
    );
    await expect(sync({ offline: true })).resolves.toBeDefined();
  });

  test('so a published build contains no draft, whatever was built before', async () => {
    const drafts = await (await sync({ apiKey: DRAFTS_KEY })).items();
    expect(JSON.stringify([...drafts.values()])).toContain('hidden');
    const published = await (await sync()).items();
    expect(JSON.stringify([...published.values()])).not.toContain('hidden');
    expect(Object.fromEntries(published)).toEqual(
      Object.fromEntries(await readFromService(emulated, MODELS, KEY)),
    );
    // And the other way round: the drafts are still there for those who may see them.
    const again = await (await sync({ apiKey: DRAFTS_KEY })).items();
    expect(Object.fromEntries(again)).toEqual(
      Object.fromEntries(await readFromService(emulated, MODELS, DRAFTS_KEY)),
    );
  });

  test('although all snapshots can be in one folder', async () => {
    const all = [...others.map(([, options]) => options), { apiKey: DRAFTS_KEY }];
    const online = [];
    for (const options of all.filter((one) => !one?.models)) {
      online.push([options, Object.fromEntries(await (await sync(options)).items())] as const);
    }
    for (const [options, items] of online) {
      expect(Object.fromEntries(await (await sync({ ...options, offline: true })).items())).toEqual(items);
    }
  });
});

test('the API key is in no file or file name of the cache, and in no line of the log', async () => {
  await sync();
  await sync({ apiKey: DRAFTS_KEY });
  const files = filesIn(emulated.dir);
  expect(files.length).toBeGreaterThan(4);
  for (const file of files) {
    for (const text of [file, readFileSync(file, 'utf8'), ...emulated.infos, ...emulated.warnings]) {
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(DRAFTS_KEY);
    }
  }
});

describe('a changed model map', () => {
  const text = { ...MODELS, article: { ...article, body: field.flexibleText({ format: 'text' }) } };

  /** The models of which pages were read, and how many requests there were in all. */
  async function read(models: ModelMap) {
    const { result, requests } = await emulated.counted(() => sync({ models }));
    const pages = emulated.service.log
      .map(({ query }) => new URLSearchParams(query))
      .filter((query) => query.has('offset'))
      .map((query) => query.get('model'));
    const items = [...(await result.items()).values()];
    expect(new Set(items.map(({ _model }) => _model))).toEqual(new Set(Object.keys(models)));
    return { models: [...new Set(pages)], requests };
  }

  test('with one more model reads only that model', async () => {
    await read({ author, article });
    expect(await read({ author, article, event })).toMatchObject({ models: ['event'] });
    expect(Object.fromEntries(await (await sync({ models: { author, article, event } })).items())).toEqual(
      Object.fromEntries(await readFromService(emulated, { author, article, event }, KEY)),
    );
  });

  test('with one model less reads what may refer to any model, which may be undeclared now', async () => {
    await read(MODELS);
    expect(await read({ author, article, page })).toMatchObject({ models: ['page'] });
  });

  test('with the original models reuses what was stored', async () => {
    await read(MODELS);
    await read({ author, article, page });
    expect(await read(MODELS)).toEqual({ models: [], requests: 2 });
  });

  test('with another format reads the models of that format, and what may refer to any model', async () => {
    await read(MODELS);
    expect(await read(text)).toMatchObject({ models: ['article,page'] });
    const bodies = [...(await (await sync({ models: text })).items()).values()].flatMap(
      ({ body }) => body ?? [],
    );
    expect(new Set(bodies)).toEqual(new Set(['a text']));
  });

  test('with a field that has no format reads only the heads', async () => {
    await read(MODELS);
    expect(await read({ ...MODELS, event: { ...event, place: field.text() } })).toEqual({
      models: [],
      requests: 2,
    });
  });
});
