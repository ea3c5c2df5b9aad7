import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import type { FaultRequest } from '../../src/emulator/http/faults.ts';
import { type Emulator, type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import {
  emulatedSpaceOf,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';

const ITEMS = 5_000;
const FIRST_REFUSED = 20;
/** What a cold read takes, and a little more. With what a failed one left in the queue it would be 80 or more. */
const COLD = 65;
const CONCURRENCY = 16;

const warnings: string[] = [];
const onWarning = ({ message }: Error) => void warnings.push(message);
beforeAll(() => void process.on('warning', onWarning));
afterAll(() => void process.off('warning', onWarning));
afterEach(() => expect(warnings.splice(0)).toEqual([]));

/** Refuses what matches, and counts all requests that reach the service. */
function refuse(
  service: Emulator,
  status: number,
  matches: (request: FaultRequest, number: number) => boolean,
): { requests: FaultRequest[]; end: () => void } {
  const requests: FaultRequest[] = [];
  const match = (request: FaultRequest) => matches(request, requests.push(request));
  const end = service.faults.add({ match, times: Number.POSITIVE_INFINITY, kind: { status } });
  return { requests, end };
}

const isPage = ({ query }: FaultRequest) => query.has('offset');
const isById = ({ query }: FaultRequest) => query.get('order')?.endsWith(',_id') ?? false;

const statuses = [401, 403, 404, 400];

describe('over HTTP', () => {
  let service: RunningEmulator;
  beforeAll(async () => {
    service = await startEmulator(seedOf(ITEMS), { rateLimit: false });
  });
  afterAll(() => service.close());

  test.each(statuses)(
    'after a %i at request 20 of a cold read, only requests in flight arrive, and the next load starts at once',
    async (status) => {
      const emulated = emulatedSpaceOf(service);
      const { requests, end } = refuse(service, status, (_, number) => number >= FIRST_REFUSED);
      await expect(emulated.sync({ fetch })).rejects.toMatchObject({ name: 'LuidRequestError', status });
      // What is left in the queue of the key would be sent before this.
      const { contents } = createClient({ baseUrl: service.baseUrl, apiKey: 'published' });
      await expect(contents.count('page')).rejects.toMatchObject({ status });
      expect(requests.length - 1).toBeGreaterThanOrEqual(FIRST_REFUSED);
      expect(requests.length - 1).toBeLessThanOrEqual(FIRST_REFUSED + CONCURRENCY);
      end();
      const { result, requests: next } = await emulated.counted(() => emulated.sync({ fetch }));
      expect(next).toBeLessThanOrEqual(COLD);
      expect(result.summary.items).toBe(ITEMS);
    },
  );
});

describe.each([1, 4, 16])('in process, with %i requests in parallel', (concurrency) => {
  const emulated = openEmulatedSpace(seedOf(ITEMS));

  test.each(statuses)(
    'a %i at request 20 of a cold read is followed only by requests in flight',
    async (status) => {
      const { requests, end } = refuse(emulated.service, status, (_, number) => number >= FIRST_REFUSED);
      const failed = emulated.sync({ concurrency, cache: false });
      await expect(failed).rejects.toMatchObject({ name: 'LuidRequestError', status });
      end();
      const { requests: next } = await emulated.counted(() => emulated.sync({ concurrency, cache: false }));
      expect(requests.length).toBeLessThanOrEqual(FIRST_REFUSED + concurrency);
      expect(next).toBeLessThanOrEqual(COLD);
    },
  );
});

describe('a 400 that may be caused by the order', () => {
  test('a service that cannot order by id is read anyway', async () => {
    const emulated = openEmulatedSpace(seedOf(ITEMS));
    const { requests } = refuse(emulated.service, 400, isById);
    const replica = await emulated.sync();
    expect(requests.filter(isById).length).toBeLessThanOrEqual(CONCURRENCY);
    expect(requests.length).toBeLessThanOrEqual(COLD + CONCURRENCY);
    expect(Object.fromEntries(await replica.items())).toEqual(
      Object.fromEntries(await readFromService(emulated, MODELS)),
    );
  });

  test('queued pages are not requested by id after one was rejected', async () => {
    const emulated = openEmulatedSpace(seedOf(ITEMS));
    await emulated.sync();
    const { requests } = refuse(emulated.service, 400, isById);
    const { summary } = await emulated.sync({ forceFullSync: true });
    expect(summary).toMatchObject({ items: ITEMS, changed: 0 });
    expect(requests.filter(isById).length).toBeLessThanOrEqual(CONCURRENCY);
  });

  test('a 400 for every page is followed only by requests in flight, however many pages are queued', async () => {
    const emulated = openEmulatedSpace(seedOf(ITEMS));
    await emulated.sync();
    const { requests } = refuse(emulated.service, 400, isPage);
    await expect(emulated.sync({ forceFullSync: true })).rejects.toMatchObject({ status: 400 });
    await expect(emulated.sync({ forceFullSync: true })).rejects.toMatchObject({ status: 400 });
    const pages = requests.filter(isPage);
    expect(pages.length).toBeLessThanOrEqual(2 * 2 * CONCURRENCY);
  });
});
