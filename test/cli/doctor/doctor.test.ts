import { expect, test } from 'vitest';
import { createReport } from '../../../src/cli/doctor/doctor-report.ts';
import { CHECKS, examine } from '../../../src/cli/doctor/examine.ts';
import type { Verdict } from '../../../src/cli/doctor/finding.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS, type Emulator } from '../../../src/emulator/index.ts';
import { connectionTo, SECRETS, serviceWithHistory } from './service-with-history.ts';

interface Keys {
  readonly api?: string;
  readonly drafts?: string | undefined;
}

async function diagnose(service: Emulator, { api = SECRETS.published, drafts }: Keys = SECRETS) {
  const diagnosis = await examine({
    api: connectionTo(service, api),
    drafts: drafts === undefined ? undefined : connectionTo(service, drafts),
  });
  return createReport(diagnosis);
}

const namesWith = (verdict: Verdict, { checks }: ReturnType<typeof createReport>) =>
  checks.filter((check) => check.verdict === verdict).map(({ name }) => name);

test('nothing differs on the emulator as it is by default, and most is seen', async () => {
  const report = await diagnose(serviceWithHistory({ fillers: 1_001 }));
  expect(namesWith('differs', report)).toEqual([]);
  expect(namesWith('cannot be seen', report)).toEqual([
    'age of CDN copies',
    'rate limit',
    'writes',
    'other changes',
  ]);
  expect(report.ok).toBe(true);
});

test('it takes about as many requests in a large space as in a small one', async () => {
  const small = await diagnose(serviceWithHistory());
  const large = await diagnose(serviceWithHistory({ fillers: 3_000 }));
  expect(large.requests).toBeLessThanOrEqual(small.requests + 6);
  expect(large.requests).toBeLessThan(60);
});

test('nothing differs on the bundled sample', async () => {
  const { createEmulator } = await import('../../../src/emulator/index.ts');
  const report = await diagnose(createEmulator(undefined), { api: 'published-key', drafts: 'draft-key' });
  expect(report.checks.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
});

/** Each assumption that reading can show, flipped: the check that finds it. */
const FLIPPED: readonly [check: string, assumptions: Partial<Assumptions>][] = [
  ['unknown model', { unknownModel: 'error' }],
  ['unknown field', { unknownField: 'ignore' }],
  ['order of ties', { tieOrder: 'reverse' }],
  ['order of ties', { tieOrder: 'shuffled' }],
  ['resolution of times', { timeResolution: 'ms' }],
  ['hidden targets', { unseenTarget: 'id' }],
  ['empty values', { emptyValues: 'null' }],
  ['empty values', { emptyValues: 'omitted' }],
  ['publishing', { publishTouchesUpdatedAt: false }],
  ['saving drafts', { draftTouchesUpdatedAt: false }],
  ['unpublishing', { unpublishTouchesUpdatedAt: false }],
  ['other changes', { discardUpdatedAt: 'now' }],
  ['other changes', { discardUpdatedAt: 'keep' }],
  ['other changes', { archiveTouchesUpdatedAt: true }],
  ['other changes', { restoreTouchesUpdatedAt: true }],
  ['other changes', { altTouchesUpdatedAt: true }],
  ['neighbours', { wrongNeighbours: true }],
  ['filters and drafts', { defectStatusFilter: true }],
  ['filters in other languages', { defectUntranslatedFilter: true }],
];

test.each(FLIPPED)('%s: finds %j, and nothing else', async (name, assumptions) => {
  // Neighbours are reliable in shorter lists.
  const fillers = assumptions.wrongNeighbours ? 1_001 : 0;
  const report = await diagnose(serviceWithHistory({ assumptions, fillers }));
  expect(namesWith('differs', report)).toEqual([name]);
  const { setting, effect } = report.checks.find((check) => check.name === name) ?? {};
  expect(setting).toContain(Object.keys(assumptions)[0]);
  expect(effect).toMatch(/^[A-Z].*\.$/);
  expect(report.ok).toBe(false);
});

test('every assumption of the emulator has a check', () => {
  const named = CHECKS.flatMap(({ switches = [] }) => switches);
  expect(named.toSorted()).toEqual(Object.keys(DEFAULT_ASSUMPTIONS).toSorted());
});

test('a CDN that is purged late is found while it still has an old copy', async () => {
  const service = serviceWithHistory({ assumptions: { purgeDelay: 3_600_000 } });
  await diagnose(service);
  const [id = 0] = (service.snapshot().contents ?? []).flatMap((item) => (item.published ? item.id : []));
  service.clock.advance(1000);
  service.contents.edit(id, { lead: 'changed' });
  const report = await diagnose(service);
  expect(namesWith('differs', report)).toContain('age of CDN copies');
});

test('a service without a CDN is found', async () => {
  const report = await diagnose(serviceWithHistory({ cdn: false }));
  expect(namesWith('differs', report)).toEqual(['CDN']);
  expect(report.checks.find(({ name }) => name === 'CDN')?.setting).toBe('emulator: cdn: false');
});

test('a key that is accepted in another known header is found', async () => {
  const report = await diagnose(serviceWithHistory({ header: 'X-NILTO-API-KEY' }));
  expect(namesWith('differs', report)).toEqual(['header']);
  expect(report.checks[0]?.setting).toBe('LUID_API_KEY_HEADER=X-NILTO-API-KEY');
});

test('exchanged keys are found', async () => {
  const report = await diagnose(serviceWithHistory(), { api: SECRETS.drafts, drafts: SECRETS.published });
  expect(namesWith('differs', report)).toEqual(['key for published content']);
  expect(namesWith('cannot be seen', report)).toContain('key for drafts');
});

test('without a key for drafts, what needs it cannot be seen', async () => {
  const report = await diagnose(serviceWithHistory(), {});
  expect(namesWith('differs', report)).toEqual([]);
  expect(namesWith('cannot be seen', report)).toEqual(
    expect.arrayContaining(['key for drafts', 'hidden targets', 'filters and drafts']),
  );
});

test('an empty space has nothing to see, and nothing that differs', async () => {
  const { createEmulator } = await import('../../../src/emulator/index.ts');
  const keys = [{ key: SECRETS.published, reads: 'published' }];
  const models = { article: { title: { type: 'text' } } };
  const report = await diagnose(
    createEmulator({ languages: { main: 'ja', sub: [] }, keys, models, media: [], contents: [] }),
    {},
  );
  expect(namesWith('differs', report)).toEqual([]);
});

type Json = Record<string, unknown>;

/** Services that differ in what the emulator has no switch for: how it changes a list, and which check finds it. */
const ODD_SERVICES: readonly (readonly [
  check: string,
  change: (query: URLSearchParams, list: Json, path: string) => Json | number,
])[] = [
  ['trailing slash', (_, list, path) => (path.endsWith('/') ? 404 : list)],
  [
    'unknown language',
    (query, list) => (query.has('lang', 'zq9xkv7jwq2') ? { ...list, total: 0, data: [] } : list),
  ],
  ['order by id', (query, list) => (query.get('order')?.endsWith(',_id') ? 400 : list)],
  [
    'order of empty values',
    (query, list) => (query.get('order') === SECRETS.fieldName ? { ...list, data: [{}] } : list),
  ],
  ['filter by id', (query, list) => (query.has('_id[in]') ? { ...list, data: [] } : list)],
  [
    'filter by update time',
    (query, list) =>
      query.has('_updated_at[gte]') && query.has('select', '_id') ? { ...list, total: 1 } : list,
  ],
  [
    'filter by creation time',
    (query, list) =>
      query.has('_created_at[gte]') && query.has('select', '_id') ? { ...list, total: 1 } : list,
  ],
  [
    'filter by publication time',
    (query, list) =>
      query.has('_last_published_at[gte]') && query.has('select', '_id') ? { ...list, total: 1 } : list,
  ],
  ['sub-spaces', (query, list) => (query.has('space') ? { ...list, total: Number(list.total) + 7 } : list)],
  [
    'ids',
    (_, list) => ({
      ...list,
      data: (list.data as Json[]).map((item) => ({
        ...item,
        ...('_id' in item && { _id: String(item._id) }),
      })),
    }),
  ],
];

test.each(ODD_SERVICES)('%s: finds a service that is different', async (name, change) => {
  const service = serviceWithHistory();
  const real = service.fetch;
  const fetch: typeof real = async (input, init) => {
    const url = new URL(String(input));
    const response = await real(input, init);
    const isUnknown = name === 'unknown language' && url.searchParams.has('lang', 'zq9xkv7jwq2');
    if (!response.ok && !isUnknown) return response;
    const isById = /\d$/.test(url.pathname);
    const list = response.ok ? ((await response.json()) as Json) : {};
    if (isById) return Response.json(list);
    const changed = change(url.searchParams, list, url.pathname);
    return typeof changed === 'number'
      ? new Response('{}', { status: changed })
      : Response.json(changed, response.ok ? response : undefined);
  };
  const report = createReport(
    await examine({
      api: connectionTo(service, SECRETS.published, fetch),
      drafts: connectionTo(service, SECRETS.drafts, fetch),
    }),
  );
  expect(namesWith('differs', report)).toEqual([name]);
});

test('the report has no content, keys, titles, names of models, fields, languages or spaces, ids or URLs', async () => {
  for (const assumptions of [{}, ...FLIPPED.map(([, flipped]) => flipped)]) {
    // With an item of a large id, all later ids are large.
    const service = serviceWithHistory({ assumptions, fillers: 1 });
    const text = JSON.stringify(await diagnose(service));
    const ids = (service.snapshot().contents ?? []).map(({ id }) => String(id));
    for (const secret of [...Object.values(SECRETS), ...ids, 'Hidden', service.baseUrl, 'http']) {
      expect(text).not.toContain(secret);
    }
  }
});

test('a service that cannot send 100 whole items is found', async () => {
  const service = serviceWithHistory();
  const isLarge = (query: URLSearchParams) => Number(query.get('limit')) > 30 && !query.has('select');
  service.faults.add({ kind: { status: 500 }, times: 99, match: ({ query }) => isLarge(query) });
  const report = await diagnose(service);
  expect(namesWith('differs', report)).toEqual(['size of responses']);
  expect(JSON.stringify(report)).toContain('pages of 100 items fail, those of 25 do not');
});

test('one request that fails ends only its own check', async () => {
  const service = serviceWithHistory();
  service.faults.add({ kind: { status: 403 }, times: 99, match: ({ query }) => query.has('limit', '101') });
  service.faults.add({ kind: { status: 403 }, times: 99, match: ({ query }) => query.has('space') });
  const report = await diagnose(service);
  expect(namesWith('differs', report)).toEqual(['page size']);
  expect(namesWith('cannot be seen', report)).toContain('sub-spaces');
});
