import { describe, expect, test, vi } from 'vitest';
import { defineSpace, LuidConfigError, LuidContentError, LuidRequestError } from '../../../src/index.ts';
import { liveSpace, models } from './live-space.ts';

const collection = 'articles';
const { emulator, space } = liveSpace();

/** Requests for lists and items, without those that look references up. */
function readsOf(service: Pick<typeof emulator, 'log'>) {
  return service.log.filter(({ query }) => !new URLSearchParams(query).has('_id[in]'));
}

/** The error of an answer that must be one. */
function errorOf(answer: object | undefined): Error {
  if (answer && 'error' in answer && answer.error instanceof Error) return answer.error;
  throw new Error(`no error, but ${JSON.stringify(answer)}`);
}

describe('an entry by its content id', () => {
  const live = space.liveLoader('article', { from: 'service', depth: 2, body: 'body' });
  const load = (id: string) => live.loadEntry({ filter: { id }, collection });

  test('is parsed by the model, with references to the depth', async () => {
    expect(await load('101')).toMatchObject({
      id: '101',
      data: {
        title: 'Harbour',
        starts_at: new Date('2026-03-20T00:00:00Z'),
        author: { name: 'Mori', home: { name: 'Onomichi' } },
        related: [{ article: { title: 'Tea' } }],
      },
      rendered: {
        html: '<h2 id="boats">Boats</h2>',
        metadata: { headings: [{ depth: 2, slug: 'boats', text: 'Boats' }] },
      },
    });
  });

  test('has a cache hint with the item and everything that it embeds, and no time of the last change', async () => {
    expect(await load('101')).toHaveProperty('cacheHint', {
      tags: [
        ...[
          'luid:article',
          'luid:article:101',
          'luid:author',
          'luid:author:21',
          'luid:place',
          'luid:place:1',
        ],
        'luid:article:102',
      ],
    });
  });

  test.each(['999', '103', '21', '0', '-1', '1.5', '1e2', ' 101', 'harbour', '', '9'.repeat(30)])(
    'is not found for %j',
    async (id) => {
      expect(await load(id)).toBeUndefined();
    },
  );

  test('sends no request for an id that cannot exist', async () => {
    emulator.clearLog();
    await load('harbour');
    expect(emulator.log).toEqual([]);
  });

  test('§5 shows drafts with the key for drafts, and only then', async () => {
    const drafts = space.liveLoader('article', { from: 'service', drafts: true });
    expect(await drafts.loadEntry({ filter: { id: '102' }, collection })).toHaveProperty(
      'data.title',
      'Tea, again',
    );
    expect(await load('102')).toHaveProperty('data.title', 'Tea');
  });

  test('§4.1 is in the requested language, or with `fallback` in the main one', async () => {
    const english = space.liveLoader('article', { from: 'service', lang: 'en' });
    const either = space.liveLoader('article', { from: 'service', lang: 'en', fallback: true });
    expect(await english.loadEntry({ filter: { id: '101' }, collection })).toHaveProperty(
      'data.title',
      'Harbour (en)',
    );
    expect(await english.loadEntry({ filter: { id: '102' }, collection })).toBeUndefined();
    expect(await either.loadEntry({ filter: { id: '102' }, collection })).toHaveProperty('data.title', 'Tea');
  });
});

describe('an entry by the id field', () => {
  const live = space.liveLoader('article', { from: 'service', id: 'slug' });
  const load = (id: string) => live.loadEntry({ filter: { id }, collection });

  test('is found, and has this id', async () => {
    expect(await load('harbour')).toMatchObject({ id: 'harbour', data: { _id: 101 } });
  });

  test.each(['101', 'Harbour', 'harbour ', 'train', ''])('is not found for %j', async (id) => {
    expect(await load(id)).toBeUndefined();
  });

  test('may contain commas, percent signs, quotes and brackets', async () => {
    const { emulator: other, space: own } = liveSpace();
    const odd = 'a,b%20&c="d"[eq]';
    other.contents.edit(101, { slug: odd });
    const loader = own.liveLoader('article', { from: 'service', id: 'slug' });
    expect(await loader.loadEntry({ filter: { id: odd }, collection })).toHaveProperty('id', odd);
    expect(await loader.loadEntry({ filter: { id: 'a' }, collection })).toBeUndefined();
  });

  test('§8 is not found if the filter matched data that the key does not show', async () => {
    const { emulator: defective, space: own } = liveSpace({ assumptions: { defectStatusFilter: true } });
    const loader = own.liveLoader('article', { from: 'service', id: 'slug' });
    expect(await loader.loadEntry({ filter: { id: 'tea-again' }, collection })).toBeUndefined();
    const last = readsOf(defective).at(-1);
    expect(last?.bytes, 'the service did answer with the wrong item').toBeGreaterThan(200);
  });

  test('§8 is found among others that the filter should not have matched', async () => {
    const { emulator: defective, space: own } = liveSpace({ assumptions: { defectStatusFilter: true } });
    for (const id of [201, 202, 203]) {
      defective.contents.create({ id, model: 'article', published: { ja: { title: 'X', slug: `x${id}` } } });
      defective.contents.saveDraft(id, { slug: 'harbour' });
    }
    const loader = own.liveLoader('article', { from: 'service', id: 'slug' });
    expect(await loader.loadEntry({ filter: { id: 'harbour' }, collection })).toHaveProperty('data._id', 101);
  });

  test('is an error that names both entries if two have it', async () => {
    const { emulator: other, space: own } = liveSpace();
    other.contents.edit(102, { slug: 'harbour' });
    const error = errorOf(
      await own
        .liveLoader('article', { from: 'service', id: 'slug' })
        .loadEntry({ filter: { id: 'harbour' }, collection }),
    );
    expect(LuidContentError.is(error)).toBe(true);
    expect(error.message).toMatch(
      /article 10[12] "\w+" and article 10[12] "\w+" have the same id: slug is "harbour"/,
    );
  });
});

describe('an entry by a filter', () => {
  const live = space.liveLoader('article', { from: 'service', id: 'slug' });

  test('is the first match in the requested order', async () => {
    const first = await live.loadEntry({
      filter: { where: { author: { eq: 21 } }, order: '_id' },
      collection,
    });
    const last = await live.loadEntry({
      filter: { where: { author: { eq: 21 } }, order: '-_id' },
      collection,
    });
    expect(first).toHaveProperty('id', 'harbour');
    expect(last).toHaveProperty('id', 'tea');
  });

  test('is not found if nothing matches, or nothing can', async () => {
    expect(await live.loadEntry({ filter: { where: { title: { eq: 'No' } } }, collection })).toBeUndefined();
    expect(await live.loadEntry({ filter: { where: { title: { in: [] } } }, collection })).toBeUndefined();
  });
});

describe('an entry by an id and a filter', () => {
  const { space } = liveSpace();
  const live = space.liveLoader('article', { from: 'service', id: 'slug' });

  test('is the one with the id if `where` is undefined', async () => {
    const filter = { id: 'harbour', where: undefined } as never;
    expect(await live.loadEntry({ filter, collection })).toHaveProperty('id', 'harbour');
  });

  test('is an error if both are passed', async () => {
    const filter = { id: 'harbour', where: { title: { eq: 'Tea' } } } as never;
    expect(await live.loadEntry({ filter, collection })).toMatchObject({
      error: { message: expect.stringContaining('the filter has both id and where') },
    });
  });
});

describe('a collection', () => {
  const live = space.liveLoader('article', { from: 'service', id: 'slug' });

  async function ids(filter?: Parameters<typeof live.loadCollection>[0]['filter']) {
    const answer = await live.loadCollection(filter ? { filter, collection } : { collection });
    if ('error' in answer) throw answer.error;
    return answer.entries.map(({ id }) => id);
  }

  test('§4.1 is the newest first without a filter', async () => {
    expect(await ids()).toEqual(['tea', 'harbour']);
  });

  describe('of more than a page', () => {
    const { emulator: large, space: own } = liveSpace();
    for (let index = 0; index < 248; index += 1) {
      const published = { ja: { title: `Article ${index}`, slug: `a${index}` } };
      large.contents.create({ id: 1000 + index, model: 'article', published });
    }
    const all = own.liveLoader('article', { from: 'service', id: 'slug', depth: 0 });
    async function load(filter: { limit?: number; offset?: number } = {}) {
      large.clearLog();
      const answer = await all.loadCollection({ filter: { order: '_id', ...filter }, collection });
      if ('error' in answer) throw answer.error;
      return answer.entries.map(({ data }) => data._id);
    }
    const expected = [101, 102, ...Array.from({ length: 248 }, (_, index) => 1000 + index)];

    test('is whole without a limit', async () => {
      expect(await load()).toEqual(expected);
      expect(readsOf(large)).toHaveLength(3);
    });

    test.each([
      [1, 0, 1],
      [100, 0, 1],
      [101, 0, 2],
      [150, 60, 2],
      [1000, 200, 1],
      [10, 250, 1],
    ])('is at most %i from %i, in %i requests', async (limit, offset, requests) => {
      expect(await load({ limit, offset })).toEqual(expected.slice(offset, offset + limit));
      // The next page may be under way when the last entry is found.
      expect(readsOf(large).length).toBeLessThanOrEqual(requests + 1);
    });

    test('is whole from an offset', async () => {
      expect(await load({ offset: 120 })).toEqual(expected.slice(120));
    });

    test('has each entry once while others are removed', async () => {
      const { emulator: changing, space: moving } = liveSpace();
      for (let index = 0; index < 248; index += 1) {
        changing.contents.create({ id: 1000 + index, model: 'article', published: { ja: { title: 'X' } } });
      }
      const removed = [1005, 1006, 1007];
      let reads = 0;
      changing.beforeRequest = () => {
        reads += 1;
        if (reads === 2) for (const id of removed) changing.contents.archive(id);
      };
      const answer = await moving
        .liveLoader('article', { from: 'service', depth: 0 })
        .loadCollection({ filter: { order: '_id' }, collection });
      const found = 'entries' in answer ? answer.entries.map(({ data }) => data._id) : [];
      const stayed = (id: number) => !removed.includes(id);
      expect(found.filter(stayed)).toEqual(expected.filter(stayed));
    });
  });

  describe('§8 if filters match data that the key does not show', () => {
    const { emulator: defective, space: own } = liveSpace({ assumptions: { defectStatusFilter: true } });
    for (let index = 0; index < 20; index += 1) {
      const id = 200 + index;
      defective.contents.create({ id, model: 'article', published: { ja: { title: 'Old', author: 21 } } });
      defective.contents.saveDraft(id, { title: 'Harbour' });
    }
    const loader = (depth: 0 | 1) => own.liveLoader('article', { from: 'service', depth });

    test('has only entries whose visible data matches', async () => {
      const answer = await loader(1).loadCollection({
        filter: { where: { title: { eq: 'Harbour' } } },
        collection,
      });
      expect('entries' in answer && answer.entries.map(({ id }) => id)).toEqual(['101']);
      expect(readsOf(defective).at(-1)?.bytes, 'the service sent all').toBeGreaterThan(5000);
    });

    test('finds the entry behind others that do not match', async () => {
      const filter = { where: { title: { eq: 'Harbour' } }, order: '-_id' } as const;
      expect(await loader(1).loadEntry({ filter, collection })).toHaveProperty('id', '101');
    });

    test('has each entry on one page, and in its place', async () => {
      for (let index = 0; index < 20; index += 2) defective.contents.edit(200 + index, { title: 'Harbour' });
      const filter = { where: { title: { eq: 'Harbour' } }, order: '_id' } as const;
      const page = async (offset: number, limit = 1000) => {
        const found = await loader(1).loadCollection({ filter: { ...filter, offset, limit }, collection });
        return 'entries' in found && found.entries.map(({ id }) => Number(id));
      };
      expect(await page(0, 4)).toEqual([101, 200, 202, 204]);
      expect(await page(4, 4)).toEqual([206, 208, 210, 212]);
      expect(await page(8, 4)).toEqual([214, 216, 218]);
      expect(await page(8)).toEqual([214, 216, 218]);
    });

    test.each([0, 1] as const)('keeps what references match, at depth %i', async (depth) => {
      const answer = await loader(depth).loadCollection({
        filter: {
          where: { author: { eq: 21 }, 'author.name': { eq: 'Mori' }, 'related.article': { eq: 102 } },
        },
        collection,
      });
      expect('entries' in answer && answer.entries.map(({ id }) => id)).toEqual(['101']);
    });
  });

  test('§4.1 is filtered, ordered and paged', async () => {
    expect(await ids({ order: 'title' })).toEqual(['harbour', 'tea']);
    expect(await ids({ order: 'title', limit: 1, offset: 1 })).toEqual(['tea']);
    expect(await ids({ where: { 'author.name': { eq: 'Mori' }, title: { contains: 'arb' } } })).toEqual([
      'harbour',
    ]);
    expect(await ids({ where: { starts_at: { gte: new Date('2026-03-21') } } })).toEqual([]);
    expect(await ids({ contains: 'Tea' })).toEqual(['tea']);
    expect(await ids({ where: { _id: { in: [] } } })).toEqual([]);
  });

  test('has a cache hint, also when it is empty', async () => {
    expect(await live.loadCollection({ collection })).toHaveProperty('cacheHint', {
      tags: expect.arrayContaining([
        'luid:article',
        'luid:article:101',
        'luid:article:102',
        'luid:author:21',
      ]),
    });
    expect(await live.loadCollection({ filter: { where: { title: { eq: 'No' } } }, collection })).toEqual({
      entries: [],
      cacheHint: { tags: ['luid:article'] },
    });
  });

  test('with an invalid entry is an error, or skips it with `onInvalid: skip`', async () => {
    const strict = liveSpace();
    const lenient = liveSpace({ onInvalid: 'skip' });
    for (const { emulator: service } of [strict, lenient]) service.contents.edit(102, { title: '' });
    const error = errorOf(
      await strict.space.liveLoader('article', { from: 'service' }).loadCollection({ collection }),
    );
    expect(error.message).toContain('article.title: 1 item\n    article 102 "": required, but empty');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const rest = await lenient.space
      .liveLoader('article', { from: 'service', depth: 0 })
      .loadCollection({ collection });
    expect(warn.mock.calls.join()).toMatch(/skipped: [\s\S]*article 102/);
    warn.mockRestore();
    expect('entries' in rest && rest.entries.map(({ id }) => id)).toEqual(['101']);
  });

  test('without a value in the id field is an error that names the entry', async () => {
    const { emulator: service, space: own } = liveSpace();
    service.contents.edit(102, { slug: '' });
    const error = errorOf(
      await own.liveLoader('article', { from: 'service', id: 'slug' }).loadCollection({ collection }),
    );
    expect(error.message).toContain('article 102 "Tea" has no id: the field slug is ""');
  });
});

describe('failures are returned, never thrown', () => {
  test('§7 a wrong key', async () => {
    const live = liveSpace({ apiKey: 'no-such-key' }).space.liveLoader('article', {
      from: 'service',
      id: 'slug',
    });
    for (const answer of [
      await live.loadEntry({ filter: { id: 'harbour' }, collection }),
      await live.loadCollection({ collection }),
    ]) {
      const error = errorOf(answer);
      expect(LuidRequestError.is(error) && error.status).toBe(401);
      expect(error.message).not.toContain('no-such-key');
    }
  });

  test('a service that is down', async () => {
    const { emulator: down, space: own } = liveSpace();
    down.faults.add({ kind: 'reset', times: 9 });
    const live = own.liveLoader('article', { from: 'service' });
    expect(LuidRequestError.is(errorOf(await live.loadEntry({ filter: { id: '101' }, collection })))).toBe(
      true,
    );
    expect(LuidRequestError.is(errorOf(await live.loadCollection({ collection })))).toBe(true);
  });

  test.each<[object, RegExp]>([
    [{ limit: 0 }, /getLiveCollection: limit must be a whole number of at least 1, got 0/],
    [{ limit: '5' }, /limit must be .* got '5'/],
    [{ limt: 5 }, /unknown option 'limt'\n.*Did you mean 'limit'\?/],
    [{ order: '-titel' }, /order names 'titel', which is not a field of article\n.*Did you mean 'title'\?/],
    [
      { where: { slug: 'tea' } },
      /where: slug must be an object with an operator, got 'tea'\n.*Write \{ eq: 'tea' \}/,
    ],
    [{ where: { slgu: { eq: 'tea' } } }, /where names 'slgu', .*\n.*Did you mean 'slug'\?/],
  ])('a collection filter that cannot work: %j', async (filter, message) => {
    const live = liveSpace();
    const answer = await live.space
      .liveLoader('article', { from: 'service' })
      .loadCollection({ filter, collection });
    expect(errorOf(answer).message).toMatch(message);
    expect(live.emulator.log).toEqual([]);
  });

  test.each<[object, RegExp]>([
    [{ slug: 'tea' }, /getLiveEntry: unknown option 'slug'\n.*Valid options: id, where, order/],
    [{}, /getLiveEntry: the filter has neither id nor where/],
    [{ id: 101 }, /getLiveEntry: id must be a string, got 101/],
    [{ where: { slug: 'tea' } }, /Write \{ eq: 'tea' \}/],
  ])('an entry filter that cannot work: %j', async (filter, message) => {
    const answer = await space
      .liveLoader('article', { from: 'service' })
      .loadEntry({ filter: filter as never, collection });
    expect(errorOf(answer).message).toMatch(message);
  });

  test('a service that has no list at all, as under a wrong URL', async () => {
    const { emulator: service, space: own } = liveSpace();
    service.faults.add({ kind: { status: 404 }, times: 9 });
    const live = own.liveLoader('article', { from: 'service', id: 'slug' });
    expect(errorOf(await live.loadEntry({ filter: { id: 'harbour' }, collection })).message).toContain('404');
  });

  test('a key that the running server lacks, with a hint for servers', async () => {
    for (const name of ['LUID_BASE_URL', 'LUID_API_KEY', 'LUID_DRAFT_API_KEY']) vi.stubEnv(name, '');
    const own = defineSpace({ models });
    const load = async () =>
      errorOf(
        await own.liveLoader('article', { from: 'service' }).loadEntry({ filter: { id: '101' }, collection }),
      ).message;
    const { message } = errorOf(
      await own.liveLoader('article', { from: 'service', drafts: true }).loadCollection({ collection }),
    );
    vi.stubEnv('NODE_ENV', 'development');
    const inDevelopment = await load();
    vi.stubEnv('NODE_ENV', 'production');
    const inProduction = await load();
    vi.unstubAllEnvs();
    expect(message).toContain('The space has no baseUrl and no draftApiKey');
    expect(message).toContain('started without LUID_BASE_URL and LUID_DRAFT_API_KEY');
    expect(inProduction).toContain('`node --env-file=.env dist/server/entry.mjs`');
    expect(inDevelopment).toContain('Set LUID_BASE_URL and LUID_API_KEY in .env');
    expect(inDevelopment).not.toContain('entry.mjs');
  });

  test('content that does not fit its model', async () => {
    const { emulator: service, space: own } = liveSpace();
    service.contents.edit(21, { name: '' });
    const error = errorOf(
      await own.liveLoader('article', { from: 'service' }).loadEntry({ filter: { id: '101' }, collection }),
    );
    expect(LuidContentError.is(error) && [error.model, error.id, error.field]).toEqual([
      'author',
      21,
      'name',
    ]);
  });
});

describe('options that cannot work throw when the loader is defined', () => {
  test.each([
    [{ depth: 4 }, /depth must be a whole number from 0 to 3, got 4/],
    [{ depth: 1.5 }, /depth must be .* got 1.5/],
    [{ depth: '2' }, /depth must be .* got '2'/],
    [
      { id: 'lead' },
      /id names 'lead', which cannot be used there: it is of type multiline\n.*Use one of title, slug, _id/,
    ],
    [{ id: 'slgu' }, /id names 'slgu', which is not a field of article\n.*Did you mean 'slug'\?/],
    [{ id: 'constructor' }, /id names 'constructor', which is not a field of article/],
    [{ id: () => 'x' }, /id must be a string, got a function/],
    [
      { body: 'notes' },
      /body names 'notes', .* of type flexible_text with the format markdown\n.*Use one of body/,
    ],
    [{ body: 'title' }, /body names 'title', .* of type text/],
    [{ lang: 'fr' }, /the space has no language 'fr'\n.*Use one of ja, en/],
    [{ lang: 5 }, /lang must be a string, got 5/],
    [{ draft: true }, /unknown option 'draft'\n.*Did you mean 'drafts'\?/],
    [{ langs: ['ja'] }, /langs is not available from the service\n.*Use from: 'replica'/],
    [{ drafts: 'yes' }, /drafts must be true or false, got 'yes'/],
  ])('%j', (options, message) => {
    const make = () => space.liveLoader('article', { from: 'service', ...(options as object) });
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ name: LuidConfigError.name }));
  });

  test('a model that is not declared', () => {
    expect(() => space.liveLoader('articel' as never, { from: 'service' })).toThrow(
      /no such model is declared\n.*Did you mean 'article'\?/,
    );
  });
});
