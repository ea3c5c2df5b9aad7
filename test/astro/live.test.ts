import { describe, expect, test, vi } from 'vitest';
import { LuidConfigError, LuidContentError, LuidRequestError } from '../../src/index.ts';
import { liveSpace } from './live-space.ts';

const collection = 'articles';
const { emulator, space } = liveSpace();

/** The error of an answer that must be one. */
function errorOf(answer: object | undefined): Error {
  if (answer && 'error' in answer && answer.error instanceof Error) return answer.error;
  throw new Error(`no error, but ${JSON.stringify(answer)}`);
}

describe('an entry by its content id', () => {
  const live = space.liveLoader('article', { depth: 2, body: 'body' });
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

  test('tells what it depends on: the item, all that it embeds, and the newest change', async () => {
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
      lastModified: new Date('2026-03-09T00:00:00Z'),
    });
  });

  test.each(['999', '103', '21', '0', '-1', '1.5', '1e2', ' 101', 'harbour', '', '9'.repeat(30)])(
    'is not found for %j',
    async (id) => {
      expect(await load(id)).toBeUndefined();
    },
  );

  test('asks for nothing where the id cannot be one', async () => {
    emulator.clearLog();
    await load('harbour');
    expect(emulator.log).toEqual([]);
  });

  test('§5 shows drafts with the key for drafts, and only then', async () => {
    const drafts = space.liveLoader('article', { drafts: true });
    expect(await drafts.loadEntry({ filter: { id: '102' }, collection })).toHaveProperty(
      'data.title',
      'Tea, again',
    );
    expect(await load('102')).toHaveProperty('data.title', 'Tea');
  });

  test('§4.1 is in the language asked for, or in the main one with a fallback', async () => {
    const english = space.liveLoader('article', { lang: 'en' });
    const either = space.liveLoader('article', { lang: 'en', fallback: true });
    expect(await english.loadEntry({ filter: { id: '101' }, collection })).toHaveProperty(
      'data.title',
      'Harbour (en)',
    );
    expect(await english.loadEntry({ filter: { id: '102' }, collection })).toBeUndefined();
    expect(await either.loadEntry({ filter: { id: '102' }, collection })).toHaveProperty('data.title', 'Tea');
  });
});

describe('an entry by the id field', () => {
  const live = space.liveLoader('article', { id: 'slug' });
  const load = (id: string) => live.loadEntry({ filter: { id }, collection });

  test('is found, and is called by it', async () => {
    expect(await load('harbour')).toMatchObject({ id: 'harbour', data: { _id: 101 } });
  });

  test.each(['101', 'Harbour', 'harbour ', 'train', ''])('is not found for %j', async (id) => {
    expect(await load(id)).toBeUndefined();
  });

  test('may hold commas, percents, quotes and brackets', async () => {
    const { emulator: other, space: own } = liveSpace();
    const odd = 'a,b%20&c="d"[eq]';
    other.contents.edit(101, { slug: odd });
    const loader = own.liveLoader('article', { id: 'slug' });
    expect(await loader.loadEntry({ filter: { id: odd }, collection })).toHaveProperty('id', odd);
    expect(await loader.loadEntry({ filter: { id: 'a' }, collection })).toBeUndefined();
  });

  test('§8 is not believed where the filter matched what the key does not show', async () => {
    const { emulator: defective, space: own } = liveSpace({ assumptions: { defectStatusFilter: true } });
    const loader = own.liveLoader('article', { id: 'slug' });
    expect(await loader.loadEntry({ filter: { id: 'tea-again' }, collection })).toBeUndefined();
    const last = defective.log.at(-1);
    expect(last?.bytes, 'the service did answer with the wrong item').toBeGreaterThan(200);
  });

  test('§8 is found among others that the filter matched wrongly', async () => {
    const { emulator: defective, space: own } = liveSpace({ assumptions: { defectStatusFilter: true } });
    for (const id of [201, 202, 203]) {
      defective.contents.create({ id, model: 'article', published: { ja: { title: 'X', slug: `x${id}` } } });
      defective.contents.saveDraft(id, { slug: 'harbour' });
    }
    const loader = own.liveLoader('article', { id: 'slug' });
    expect(await loader.loadEntry({ filter: { id: 'harbour' }, collection })).toHaveProperty('data._id', 101);
  });

  test('is an error that names both where two have it', async () => {
    const { emulator: other, space: own } = liveSpace();
    other.contents.edit(102, { slug: 'harbour' });
    const error = errorOf(
      await own.liveLoader('article', { id: 'slug' }).loadEntry({ filter: { id: 'harbour' }, collection }),
    );
    expect(LuidContentError.is(error)).toBe(true);
    expect(error.message).toMatch(
      /article 10[12] "\w+" and article 10[12] "\w+" have the same id: slug is "harbour"/,
    );
  });
});

describe('an entry by a filter', () => {
  const live = space.liveLoader('article', { id: 'slug' });

  test('is the first match in the order asked for', async () => {
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

  test('is not found where nothing matches, or nothing can', async () => {
    expect(await live.loadEntry({ filter: { where: { title: { eq: 'No' } } }, collection })).toBeUndefined();
    expect(await live.loadEntry({ filter: { where: { title: { in: [] } } }, collection })).toBeUndefined();
  });
});

describe('a collection', () => {
  const live = space.liveLoader('article', { id: 'slug' });

  async function ids(filter?: Parameters<typeof live.loadCollection>[0]['filter']) {
    const answer = await live.loadCollection(filter ? { filter, collection } : { collection });
    if ('error' in answer) throw answer.error;
    return answer.entries.map(({ id }) => id);
  }

  test('§4.1 is the newest 100 without a filter', async () => {
    expect(await ids()).toEqual(['tea', 'harbour']);
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

  test('tells what it depends on, also when it is empty', async () => {
    expect(await live.loadCollection({ collection })).toHaveProperty('cacheHint', {
      tags: expect.arrayContaining([
        'luid:article',
        'luid:article:101',
        'luid:article:102',
        'luid:author:21',
      ]),
      lastModified: new Date('2026-03-08T00:00:00Z'),
    });
    expect(await live.loadCollection({ filter: { where: { title: { eq: 'No' } } }, collection })).toEqual({
      entries: [],
      cacheHint: { tags: ['luid:article'] },
    });
  });

  test('with an entry that does not fit is an error, or leaves it out where the space says so', async () => {
    const strict = liveSpace();
    const lenient = liveSpace({ onInvalid: 'skip' });
    for (const { emulator: service } of [strict, lenient]) service.contents.edit(102, { title: '' });
    const error = errorOf(await strict.space.liveLoader('article').loadCollection({ collection }));
    expect(error.message).toContain('article.title: 1 item\n    article 102 "": required, but empty');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const rest = await lenient.space.liveLoader('article', { depth: 0 }).loadCollection({ collection });
    expect(warn.mock.calls.join()).toMatch(/left out: [\s\S]*article 102/);
    warn.mockRestore();
    expect('entries' in rest && rest.entries.map(({ id }) => id)).toEqual(['101']);
  });

  test('without a value in the id field is an error that names the entry', async () => {
    const { emulator: service, space: own } = liveSpace();
    service.contents.edit(102, { slug: '' });
    const error = errorOf(await own.liveLoader('article', { id: 'slug' }).loadCollection({ collection }));
    expect(error.message).toContain('article 102 "Tea" has no id: the field slug is ""');
  });
});

describe('what fails is answered, never thrown', () => {
  test('§7 a wrong key', async () => {
    const live = liveSpace({ apiKey: 'no-such-key' }).space.liveLoader('article', { id: 'slug' });
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
    const live = own.liveLoader('article');
    expect(LuidRequestError.is(errorOf(await live.loadEntry({ filter: { id: '101' }, collection })))).toBe(
      true,
    );
    expect(LuidRequestError.is(errorOf(await live.loadCollection({ collection })))).toBe(true);
  });

  test('§8 a limit past 100', async () => {
    const answer = await space.liveLoader('article').loadCollection({ filter: { limit: 101 }, collection });
    expect(errorOf(answer).message).toContain('limit is 101: it goes from 1 to 100');
  });

  test('content that does not fit its model', async () => {
    const { emulator: service, space: own } = liveSpace();
    service.contents.edit(21, { name: '' });
    const error = errorOf(await own.liveLoader('article').loadEntry({ filter: { id: '101' }, collection }));
    expect(LuidContentError.is(error) && [error.model, error.id, error.field]).toEqual([
      'author',
      21,
      'name',
    ]);
  });
});

describe('options that cannot work are refused at once', () => {
  test.each([
    [{ depth: 4 }, /depth is 4[\s\S]*0 to 3/],
    [{ depth: 1.5 }, /depth is 1.5/],
    [{ id: 'lead' }, /id is "lead"[\s\S]*Use 'title', 'slug', or '_id'/],
    [{ id: 'constructor' }, /id is "constructor"/],
    [{ id: () => 'x' }, /id is a function/],
    [{ body: 'notes' }, /body is "notes"[\s\S]*Use 'body', or/],
    [{ body: 'title' }, /body is "title"/],
  ])('%j', (options, message) => {
    const make = () => space.liveLoader('article', options as never);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ name: LuidConfigError.name }));
  });

  test('a model that is not declared', () => {
    expect(() => space.liveLoader('nothing' as never)).toThrow(/no such model is declared/);
  });
});
