import { beforeAll, describe, expect, test } from 'vitest';
import { inferModels } from '../../src/cli/infer/infer.ts';
import { type Survey, survey } from '../../src/cli/survey/survey.ts';
import { connection } from '../../src/client/connection.ts';
import { createEmulator, type Emulator, type Seed, startEmulator } from '../../src/emulator/index.ts';
import { field } from '../../src/index.ts';
import { createProject } from './project.ts';

const COUNT = 12_000;
/** Stands between two of the pages that are looked at, as the newest 100 and the next stretch are. */
const HIDDEN = COUNT - 150;

/** A large space with a model of a single item, which only the newest entries point to. */
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
  const found = connection(options);
  return survey(async () => found);
}

describe('a survey of a large space', () => {
  const service = createEmulator(LARGE, { rateLimit: false });
  let result: Survey;
  beforeAll(async () => {
    result = await surveyed(service);
  });

  test('looks at a part of it, spread from the newest to the oldest, and says how much', () => {
    expect(result.discovery.total).toBe(COUNT);
    expect(result.discovery.looked).toBe(5_000);
    const seen = [...result.discovery.modelOf.keys()];
    expect([Math.min(...seen), Math.max(...seen)]).toEqual([1, COUNT]);
    expect(service.log.length).toBeLessThan(100);
  });

  test('finds a model that it has not seen where something points to it', () => {
    expect(result.discovery.models).toEqual(['entry']);
    expect(result.models).toEqual([
      { name: 'entry', total: COUNT - 2, looked: 200 },
      { name: 'rare', total: 1, looked: 1 },
    ]);
    expect(inferModels(result.samples).models.entry?.about).toEqual({ type: 'reference', model: 'rare' });
  });

  test('looks ids up one by one where the service lists none by id', async () => {
    const { models } = await surveyed(service, (async (input, init) => {
      const request = new Request(input, init);
      if (!/_id%5Bin%5D/.test(request.url)) return service.fetch(request);
      return Response.json({ status: '400', code: 'BadRequest' }, { status: 400 });
    }) as typeof service.fetch);
    expect(models.map(({ name }) => name)).toEqual(['entry', 'rare']);
  });
});

test('luid init warns that models may be missing, and says what to do', async () => {
  const service = await startEmulator(LARGE, { rateLimit: false });
  const project = createProject();
  const args = ['init', '--yes', '--base-url', service.baseUrl, '--api-key', 'key'];
  const { code, stderr } = await project.luid(args);
  await service.close();
  project.remove();
  expect(code).toBe(0);
  expect(stderr).toContain('Models were looked for in 5000 of 12000 items');
  expect(stderr).toContain('--models a,b');
});
