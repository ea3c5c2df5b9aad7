import { describe, expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/index.ts';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';

const KB = 1000;
const DAY = 24 * 60 * 60 * 1000;

/** A space whose items together are about 8 kB each: 62 of them fit in 500 kB, as 62 of 80 kB fit in 5 MB. */
function openLargeSpace(count: number, options: EmulatorOptions = {}) {
  const { contents, ...seed } = seedOf(count);
  const withText = contents.map((item) => ({
    ...item,
    model: 'article',
    published: { ja: { title: `item ${item.id}`, body: `<p>${'x'.repeat(8 * KB)}</p>` } },
  }));
  return openEmulatedSpace({ ...seed, contents: withText }, { maxResponse: 500 * KB, ...options });
}

/** The requests of a sync for items, and how many of these failed. */
async function pagesOf(emulated: EmulatedSpace, sync: () => Promise<unknown>) {
  emulated.service.clearLog();
  await sync();
  const pages = emulated.service.log.filter(({ query }) => !new URLSearchParams(query).has('select'));
  return { requests: pages.length, failed: pages.filter(({ status }) => status === 500).length };
}

async function expectExact(emulated: EmulatedSpace): Promise<void> {
  emulated.service.beforeRequest = undefined;
  const replica = await emulated.sync();
  const limit = emulated.service.maxResponse;
  emulated.service.maxResponse = Number.POSITIVE_INFINITY;
  const expected = Object.fromEntries(await readFromService(emulated, MODELS));
  expect(Object.fromEntries(await replica.items())).toEqual(expected);
  emulated.service.maxResponse = limit;
}

describe('items of which a page is larger than a response may be', () => {
  test('are read completely, and the size that worked is remembered', async () => {
    const emulated = openLargeSpace(1_000);
    const first = await pagesOf(emulated, () => emulated.sync());
    expect(first.failed).toBeGreaterThan(0);
    const again = await pagesOf(emulated, () => emulated.sync({ forceFullSync: true }));
    expect(again.failed).toBe(0);
    expect(again.requests).toBeLessThan(first.requests);
    await expectExact(emulated);
  });

  test('are served by the CDN if nothing has changed', async () => {
    const emulated = openLargeSpace(1_000);
    await emulated.sync();
    await emulated.sync();
    expect(await emulated.counted(() => emulated.sync())).toMatchObject({ counted: 0 });
  });

  test('are tried in larger pages a day later, and stay so if these work', async () => {
    const emulated = openLargeSpace(400);
    await emulated.sync();
    emulated.service.clock.advance(DAY + 1);
    const same = await pagesOf(emulated, () => emulated.sync({ forceFullSync: true }));
    expect(same.failed).toBeGreaterThan(0);
    emulated.service.maxResponse = 5_000 * KB;
    emulated.service.clock.advance(DAY + 1);
    const larger = await pagesOf(emulated, () => emulated.sync({ forceFullSync: true }));
    expect(larger.failed).toBe(0);
    expect(larger.requests).toBeLessThan(same.requests / 2);
  });

  test.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
    'are exact under edits: history %i',
    async (seed) => {
      const emulated = openLargeSpace(500, seed % 3 === 0 ? { assumptions: { tieOrder: 'shuffled' } } : {});
      const { contents, clock } = emulated.service;
      let [random, requests, created] = [seed, 0, 5_000];
      const next = (below: number) => {
        random = (random * 48_271) % 2_147_483_647;
        return random % below;
      };
      emulated.service.beforeRequest = () => {
        if (requests++ > 60 || next(3) > 0) return;
        clock.advance(1_000);
        const id = next(500) + 1;
        const archived = () => contents.get(id)?.archived === true;
        switch (next(4)) {
          case 0:
            contents.create({ id: ++created, model: 'article', published: { ja: { title: 'new' } } });
            break;
          case 1:
            if (archived()) contents.restore(id);
            else contents.archive(id);
            break;
          default:
            if (!archived()) contents.edit(id, { title: `edited ${requests}` });
        }
      };
      await emulated.sync();
      await expectExact(emulated);
    },
  );
});

test('one item that is larger than a response may be is an error that names it', async () => {
  const emulated = openLargeSpace(150);
  emulated.service.contents.edit(70, { title: 'The long one', body: `<p>${'x'.repeat(600 * KB)}</p>` });
  await expect(emulated.sync()).rejects.toMatchObject({
    name: 'LuidContentError',
    id: 70,
    message: expect.stringMatching(
      /^article 70 "The long one" cannot be read, even alone: .*500 Internal Server Error\n {2}→ /,
    ),
  });
  emulated.service.contents.edit(70, { body: '<p>short</p>' });
  await expectExact(emulated);
});

test('a service that is down gets no smaller requests', async () => {
  const emulated = openLargeSpace(1_000);
  await emulated.sync();
  emulated.service.faults.add({ kind: { status: 500 }, times: Number.POSITIVE_INFINITY });
  const { requests } = await emulated.counted(() => emulated.sync({ forceFullSync: true }).catch(() => {}));
  const limits = emulated.service.log.map(({ query }) => new URLSearchParams(query).get('limit'));
  expect([...new Set(limits)].sort()).toEqual(['1', '100']);
  // All pages at once, and one request to check the service.
  expect(requests).toBeLessThanOrEqual(12);
});
