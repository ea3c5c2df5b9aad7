import { describe, expect, test } from 'vitest';
import { inferModels } from '../../../src/cli/infer/infer.ts';
import { survey } from '../../../src/cli/survey/survey.ts';
import { createConnection } from '../../../src/client/http/connection.ts';
import { createEmulator, type Seed, sampleSeed } from '../../../src/emulator/index.ts';
import { checkModels } from '../../../src/models/check.ts';
import { compareModels } from '../support/compare-models.ts';
import { randomSpace } from '../support/random-space.ts';

type Respond = (request: Request, fetch: (request: Request) => Promise<Response>) => Promise<Response>;

/** Infers the map of a seed from an emulator, with `respond` in front of it. */
async function inferFrom(seed: Seed, reads: 'published' | 'drafts' = 'drafts', respond?: Respond) {
  const service = createEmulator(seed, { rateLimit: false });
  const apiKey = seed.keys.find((key) => key.reads === reads)?.key ?? '';
  const fetchResponse = (async (input, init) => {
    const request = new Request(input, init);
    return respond ? respond(request, service.fetch) : service.fetch(request);
  }) as typeof fetch;
  const network = { requestsPerMinute: Number.POSITIVE_INFINITY };
  const found = createConnection({ baseUrl: service.baseUrl, apiKey, fetch: fetchResponse, network });
  const surveyed = await survey(async () => found);
  const inferred = inferModels(surveyed.samples);
  const compared = compareModels(seed.models, inferred.models, inferred.evidence);
  return { ...surveyed, ...inferred, compared };
}

function accuracyOf(compared: Awaited<ReturnType<typeof inferFrom>>['compared']) {
  const often = compared.filter(({ samples }) => samples >= 50);
  return {
    often: often.length,
    share: often.filter(({ same }) => same).length / often.length,
    silent: compared.filter(({ same, doubted }) => !same && !doubted),
  };
}

const isFilter = ({ url }: Request) => /%5B(contains|eq)%5D=/i.test(url);

/** What a service might do with a filter that §4.1 does not allow, instead of rejecting it. */
const OTHER_SERVICES: [string, Respond][] = [
  [
    'ignores filters that a field does not support',
    async (request, fetch) => {
      const response = await fetch(request.clone() as Request);
      if (response.status !== 400 || !isFilter(request)) return response;
      return fetch(new Request(request.url.replace(/&?[^?&]*%5B(contains|eq)%5D=[^&]*/i, ''), request));
    },
  ],
  [
    'compares every field as text',
    async (request, fetch) => {
      const response = await fetch(request);
      if (response.status !== 400 || !isFilter(request)) return response;
      return Response.json({ total: 0, offset: 0, limit: 1, data: [] });
    },
  ],
  [
    'rejects all filters',
    async (request, fetch) =>
      /%5B/i.test(request.url)
        ? Response.json({ status: '400', code: 'BadRequest' }, { status: 400 })
        : fetch(request),
  ],
];

describe.each([1, 2, 3, 4, 5])('a generated space with every field type (%i)', (start) => {
  const seed = randomSpace(start);

  test('is inferred correctly for at least 95 % of the fields with 50 values, and all others are uncertain', async () => {
    const { models, compared, languages } = await inferFrom(seed);
    const { often, share, silent } = accuracyOf(compared);
    expect(often).toBeGreaterThan(200);
    expect(share).toBeGreaterThanOrEqual(0.95);
    expect(silent).toEqual([]);
    expect(() => checkModels(models)).not.toThrow();
    expect(languages).toEqual(seed.languages);
  });

  test('also with a published-only key', async () => {
    const { share, silent } = accuracyOf((await inferFrom(seed, 'published')).compared);
    expect(share).toBeGreaterThanOrEqual(0.95);
    expect(silent).toEqual([]);
  });

  test.each(OTHER_SERVICES)('also from a service that %s', async (_, respond) => {
    const { share, silent } = accuracyOf((await inferFrom(seed, 'drafts', respond)).compared);
    expect(share).toBeGreaterThanOrEqual(0.95);
    expect(silent).toEqual([]);
  });
});

test('in spaces with few items, every wrong inference is marked as uncertain', async () => {
  for (let start = 100; start < 140; start++) {
    const seed = randomSpace(start, { least: 1, most: 12 });
    const { compared, models } = await inferFrom(seed);
    expect(accuracyOf(compared).silent, `space ${start}`).toEqual([]);
    expect(() => checkModels(models)).not.toThrow();
  }
});

test('the sample space is inferred correctly for at least 95 % of the fields with 50 values, and all others are uncertain', async () => {
  const { seed } = sampleSeed();
  for (const reads of ['published', 'drafts'] as const) {
    const { compared, evidence, languages, assetsUrl } = await inferFrom(seed as Seed, reads);
    const { share, silent } = accuracyOf(compared);
    expect(share).toBeGreaterThanOrEqual(0.95);
    expect(silent).toEqual([]);
    expect(evidence.get('article.title')?.doubt).toBeUndefined();
    expect(languages).toEqual({ main: 'ja', sub: ['en'] });
    expect(assetsUrl).toBe('http://luid.test/assets');
  }
});
