import { beforeAll, describe, expect, test } from 'vitest';
import { compareSpace } from '../../../src/cli/check/check-command.ts';
import { MismatchLog } from '../../../src/cli/check/mismatch-log.ts';
import { inferModels } from '../../../src/cli/infer/infer.ts';
import { type Survey, survey } from '../../../src/cli/survey/survey.ts';
import { createConnection } from '../../../src/client/http/connection.ts';
import { createEmulator, type Emulator, type Seed, startEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import { fetchStringIds } from '../../client/fetch-string-ids.ts';
import { simulatedClock } from '../../client/scripted-service.ts';
import { createProject } from '../support/cli-project.ts';
import { TINY_SPACE } from '../support/tiny-space.ts';

const COUNT = 12_000;
/** The position of an item that is on none of the inspected pages. */
const HIDDEN = COUNT - 150;

/** A large space with a model of a single item, which only the newest entries reference. */
const LARGE: Seed = {
  keys: [{ key: 'key', reads: 'published' }],
  models: {
    entry: { title: field.text({ title: true }), about: field.reference() },
    rare: { title: field.text({ title: true }), on: field.boolean() },
    lonely: { title: field.text({ title: true }) },
  },
  contents: Array.from({ length: COUNT }, (_, index) => ({
    id: index + 1,
    model: index + 1 === HIDDEN ? 'rare' : index + 1 === HIDDEN - 1 ? 'lonely' : 'entry',
    created_at: new Date(index * 1000).toISOString(),
    published: { ja: { title: `Nr ${index}`, ...(index > COUNT - 20 && { about: HIDDEN }) } },
  })),
};

async function surveyed(service: Emulator, answer = service.fetch) {
  service.clearLog();
  const network = { requestsPerMinute: Number.POSITIVE_INFINITY };
  const options = { baseUrl: service.baseUrl, apiKey: 'key', fetch: answer as typeof fetch, network };
  const found = createConnection(options);
  return survey(async () => found);
}

test('items of which 100 are more than the service sends at once are sampled in fewer', async () => {
  const contents = Array.from({ length: 150 }, (_, index) => ({
    id: index + 1,
    model: 'entry',
    created_at: new Date(index * 1000).toISOString(),
    published: { ja: { title: `Nr ${index}`, text: 'x'.repeat(8_000) } },
  }));
  const models = { entry: { title: field.text({ title: true }), text: field.text() } };
  const seed = { keys: [{ key: 'key', reads: 'published' }], models, contents };
  const { baseUrl, fetch } = createEmulator(seed, { rateLimit: false, maxResponse: 500_000 });
  const network = { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0 };
  const connection = createConnection({ baseUrl, apiKey: 'key', fetch, network });
  const { models: found } = await survey(async () => connection);
  expect(found).toEqual([expect.objectContaining({ name: 'entry', total: 150, inspected: 100 })]);
});

describe('a survey of a large space', () => {
  const service = createEmulator(LARGE, { rateLimit: false });
  let result: Survey;
  beforeAll(async () => {
    result = await surveyed(service);
  });

  test('inspects a part of it, from the newest to the oldest, and reports how much', () => {
    expect(result.discovery.total).toBe(COUNT);
    expect(result.discovery.inspected).toBe(5_000);
    const seen = [...result.discovery.modelOf.keys()];
    expect([Math.min(...seen), Math.max(...seen)]).toEqual([1, COUNT]);
    expect(service.log.length).toBeLessThan(100);
  });

  test('finds a missed model through references to it', () => {
    expect(result.discovery.models).toEqual(['entry']);
    expect(result.models).toEqual([
      { name: 'entry', total: COUNT - 2, inspected: 200, langs: [], slug: undefined },
      { name: 'rare', total: 1, inspected: 1, langs: [], slug: undefined },
    ]);
    expect(inferModels(result.samples).models.entry?.about).toEqual({ type: 'reference', model: 'rare' });
  });

  test('looks up ids one by one if the service cannot filter by id', async () => {
    const { models } = await surveyed(service, (async (input, init) => {
      const request = new Request(input, init);
      if (!/_id%5Bin%5D/.test(request.url)) return service.fetch(request);
      return Response.json({ status: '400', code: 'BadRequest' }, { status: 400 });
    }) as typeof service.fetch);
    expect(models.map(({ name }) => name)).toEqual(['entry', 'rare']);
  });
});

describe('a model with content in a sub-language only', () => {
  const text = { title: field.text({ title: true }) };
  const created_at = '2026-01-01T00:00:00Z';
  const service = createEmulator(
    {
      languages: { main: 'ja', sub: ['en', 'fr'] },
      keys: [{ key: 'key', reads: 'published' }],
      models: { page: text, news: text },
      contents: [
        {
          id: 1,
          model: 'page',
          created_at,
          published: { ja: { title: 'x' }, en: { title: 'y' }, fr: { title: 'z' } },
        },
        {
          id: 2,
          model: 'news',
          created_at,
          published: { en: { title: 'News' } },
          draft: { ja: { title: '下書き' } },
        },
      ],
    },
    { rateLimit: false },
  );
  const news = { name: 'news', total: 1, inspected: 1, langs: ['en'], slug: undefined };

  test('is found by one more request per language', async () => {
    const { models, discovery, samples } = await surveyed(service);
    expect(models).toMatchObject([news, { name: 'page', total: 1, langs: ['en', 'fr'] }]);
    expect(discovery.models).toEqual(['news', 'page']);
    expect(inferModels(samples).models.news).toEqual({ title: { type: 'text' } });
    const isListOfAll = (query: string) =>
      !/model=|_id%5Bin/.test(query) && /select=_id%2C_model/.test(query);
    expect(service.log.filter(({ query }) => isListOfAll(query))).toHaveLength(3);
  });

  test('is not an empty model', async () => {
    const connection = createConnection({
      baseUrl: service.baseUrl,
      apiKey: 'key',
      fetch: service.fetch as typeof fetch,
    });
    const { models, languages } = await survey(async () => connection, { models: ['news'] });
    expect(models).toEqual([news]);
    const log = new MismatchLog();
    compareSpace(log, undefined, { models, languages });
    expect(log.all).toEqual([]);
    const empty = survey(async () => connection, { models: ['news', 'other'] });
    await expect(empty).rejects.toThrow('No content of other visible to this key');
  });
});

test('reads a slug field that is not unique only once', async () => {
  const items = 400;
  const service = createEmulator(
    {
      keys: [{ key: 'key', reads: 'published' }],
      models: { entry: { title: field.text({ title: true }), slug: field.text() } },
      contents: Array.from({ length: items }, (_, index) => ({
        id: index + 1,
        model: 'entry',
        created_at: new Date(index * 1000).toISOString(),
        // Two are equal, between the newest 100 and the oldest 100.
        published: { ja: { title: `Nr ${index}`, slug: `nr-${index === 200 ? 201 : index}` } },
      })),
    },
    { rateLimit: false },
  );
  const found = createConnection({
    baseUrl: service.baseUrl,
    apiKey: 'key',
    fetch: service.fetch as typeof fetch,
  });
  const { models } = await survey(async () => found, { findSlugs: true });
  expect(models).toMatchObject([{ name: 'entry', slug: undefined }]);
  const reads = service.log.filter(({ query }) => new URLSearchParams(query).get('select') === '_id,slug');
  expect(reads).toHaveLength(items / 100);
});

describe('a survey of a misbehaving service', () => {
  const SMALL: Seed = {
    keys: [{ key: 'key', reads: 'published' }],
    models: { entry: { title: field.text({ title: true }), about: field.reference() } },
    contents: [
      { id: 1, model: 'entry', created_at: '2026-01-01T00:00:00Z', published: { ja: { title: 'One' } } },
    ],
  };

  /** Every answer, changed before it arrives. */
  const changing = (change: (item: Record<string, unknown>) => void) => {
    const service = createEmulator(SMALL, { rateLimit: false });
    return surveyed(service, (async (input, init) => {
      const answer = await (await service.fetch(new Request(input, init))).json();
      for (const item of answer.data ?? [answer]) change(item);
      return Response.json(answer);
    }) as typeof service.fetch);
  };

  test.each([
    ['_space', { toString: 1 }],
    ['_space', 'a/b'],
    ['_langs', { current: 'ja', available: true }],
    ['_langs', { current: {}, available: [] }],
    ['_langs', { current: 'ja', available: ['a&b'] }],
    ['_langs', 'ja'],
  ])('says which property of which item is odd: %s is %j', async (name, value) => {
    const looking = changing((item) => Object.assign(item, { [name]: value }));
    await expect(looking).rejects.toThrow(`Content 1: ${name} is ${JSON.stringify(value)}`);
  });

  test.each([
    ['a\nprocess.exit(9)//', String.raw`"a\nprocess.exit(9)//"`],
    ['a\u2028b', String.raw`"a\u2028b"`],
    ['Größe', '"Größe"'],
    ['a-b', '"a-b"'],
    ['', '""'],
  ])('refuses a field called %j by name, at any level', async (name, shown) => {
    const message = `Content 1 has a field ${shown}, which is not a LUID`;
    const values: Record<string, unknown>[] = [{ [name]: 1 }, { group: { list: [{ [name]: null }] } }];
    for (const value of values) {
      await expect(changing((item) => Object.assign(item, value))).rejects.toThrow(message);
    }
  });

  test.each(['_id', '_model'])('says that %s is missing', async (name) => {
    const looking = changing((item) => void delete item[name]);
    await expect(looking).rejects.toThrow(`: ${name} is missing`);
  });

  test.each([0, -1, 1.5, 1e21])('asks for no content by the id %d', async (about) => {
    const { samples } = await changing((item) => 'about' in item && Object.assign(item, { about }));
    expect(inferModels(samples).models.entry?.about).toEqual({ type: 'unknown' });
  });

  test('reports a long wait', async () => {
    const clock = simulatedClock();
    const item = { _id: 1, _model: 'entry', _title: 'One', _status: 'published', title: 'One' };
    let requests = 0;
    const busy = async (input: RequestInfo | URL) => {
      if (++requests === 1) return new Response('{}', { status: 429, headers: { 'retry-after': '30' } });
      const { pathname, searchParams } = new URL(String(input));
      if (pathname.endsWith('/1')) return Response.json(item);
      const limit = Number(searchParams.get('limit'));
      return Response.json({ total: 1, offset: 0, limit, data: [item] });
    };
    const found = createConnection({
      baseUrl: 'https://cms.example/v1',
      apiKey: 'key',
      fetch: busy as typeof fetch,
      clock,
    });
    const steps: string[] = [];
    await clock.run(survey(async () => found, { onStep: (step) => steps.push(step) }));
    expect(steps.slice(0, 3)).toEqual([
      'finding the models',
      'waiting before the next request (rate limit, or the service does not respond)',
      'inspecting entry',
    ]);
  });
});

describe('a survey of a service without end', () => {
  /** Each item is the only one of its model and refers to one of another model, in as many languages as given. */
  async function surveyEndless({ first = 1, langs = 0, models = undefined as string[] | undefined }) {
    const item = (id: number) => ({
      _id: id,
      _model: `m${id}`,
      _title: `Nr ${id}`,
      _status: 'published',
      about: id + 1,
    });
    const available = ['ja', ...Array.from({ length: langs }, (_, n) => `x${n}`)];
    let requests = 0;
    const respond = async (input: RequestInfo | URL) => {
      requests += 1;
      if (requests > 10_000) throw new Error('still running after 10,000 requests');
      const { pathname, searchParams } = new URL(String(input));
      const id = /\/(\d+)$/.exec(pathname)?.[1];
      if (id) return Response.json({ ...item(Number(id)), _langs: { current: 'ja', available } });
      const asked = searchParams.get('_id[in]') ?? searchParams.get('model')?.slice(1);
      const ids = asked?.split(',').map(Number) ?? Array.from({ length: first }, (_, n) => n + 1);
      const limit = Number(searchParams.get('limit') ?? 100);
      const offset = Number(searchParams.get('offset') ?? 0);
      const data = ids.slice(offset, offset + limit).map(item);
      return Response.json({ total: ids.length, offset, limit, data });
    };
    const found = createConnection({
      baseUrl: 'https://endless.example/v1',
      apiKey: 'key',
      fetch: respond as typeof fetch,
      network: { requestsPerMinute: Number.POSITIVE_INFINITY },
    });
    return survey(async () => found, { findSlugs: true, models });
  }

  test.each([
    ['that references reveal one by one', 1, '1 model'],
    ['that the listing contains', 600, '100 models'],
  ])('inspects 500 of the models %s, and reports the others', async (_, first, left) => {
    const { models, notInspected } = await surveyEndless({ first });
    expect(models).toHaveLength(500);
    expect(notInspected).toBe(`Not inspected: ${left} (limit: 500).`);
  });

  test('inspects 100 of its languages, and reports the others', async () => {
    const { languages, notInspected } = await surveyEndless({ langs: 103, models: ['m1'] });
    expect(languages?.sub).toHaveLength(100);
    expect(notInspected).toBe('Not inspected: 3 languages (limit: 100).');
  });
});

test('luid init warns that models may be missing, with a hint', async () => {
  const service = await startEmulator(LARGE, { rateLimit: false });
  const project = createProject();
  const args = ['init', '--yes', '--base-url', service.baseUrl, '--api-key', 'key'];
  const { code, stderr } = await project.luid(args);
  await service.close();
  project.remove();
  expect(code).toBe(0);
  expect(stderr).toContain('Only 5000 of 12000 items were searched for models');
  expect(stderr).toContain('--models a,b');
});

test('finds the same models if the service sends ids as strings, and reports that once', async () => {
  const service = await startEmulator(TINY_SPACE, { rateLimit: false });
  try {
    const steps: string[] = [];
    const found = (fetch: typeof globalThis.fetch) => {
      const made = createConnection({ baseUrl: service.baseUrl, apiKey: 'published-key', fetch });
      return survey(async () => made, { onStep: (step) => steps.push(step) });
    };
    const numbers = await found(fetch);
    expect(steps.join()).not.toContain('as strings');
    const strings = await found(fetchStringIds());
    expect(inferModels(strings.samples)).toEqual(inferModels(numbers.samples));
    expect(strings).toEqual(numbers);
    expect(steps.filter((step) => step.includes('ids as strings'))).toHaveLength(1);
  } finally {
    await service.close();
  }
});
