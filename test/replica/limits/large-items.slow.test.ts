import { rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../../support/emulated-space.ts';

// Ten thousand items of 80 kB through a limit of 5 MB have the same ratio; a tenth of the bytes takes a tenth of the time.
const COUNT = Number(process.env.LUID_LARGE_ITEMS ?? 10_000);
const BYTES = Number(process.env.LUID_LARGE_BYTES ?? 8_000);
const LIMIT = BYTES * 62.5;

let emulated: EmulatedSpace | undefined;
afterEach(() => {
  if (emulated) rmSync(emulated.dir, { recursive: true, force: true });
});

test('ten thousand large items are read exactly through a limit of 62 per response, under edits', async () => {
  const { contents: seeded, ...seed } = seedOf(COUNT);
  const body = `<p>${'x'.repeat(BYTES)}</p>`;
  const contents = seeded.map((item) => ({
    ...item,
    model: 'article',
    published: { ja: { title: `item ${item.id}`, body } },
  }));
  emulated = openEmulatedSpace({ ...seed, contents }, { maxResponse: LIMIT, cdn: false });
  const { service } = emulated;
  let requests = 0;
  service.beforeRequest = () => {
    requests += 1;
    if (requests % 5 > 0) return;
    service.clock.advance(1_000);
    const id = ((requests * 7_919) % COUNT) + 1;
    // 64 pages are read at once, each in several requests: what appears or disappears between these is read again.
    if (requests % 400 > 0) service.contents.edit(id, { title: `edited before request ${requests}` });
    else if (service.contents.get(id)?.archived) service.contents.restore(id);
    else service.contents.archive(id);
  };
  const first = await emulated.counted(() => (emulated as EmulatedSpace).sync());
  service.beforeRequest = undefined;
  const second = await emulated.counted(() => (emulated as EmulatedSpace).sync());
  const full = await emulated.counted(() => (emulated as EmulatedSpace).sync({ forceFullSync: true }));
  const failed = service.log.filter(({ status }) => status === 500).length;
  console.info(
    `first read ${first.requests} requests, then ${second.requests}, full read ${full.requests}, of which ${failed} failed`,
  );
  expect(failed).toBe(0);
  // 204 pages of 50 items that overlap by one, and one more request for each hundred.
  expect(full.requests).toBeLessThan(4 * (COUNT / 100) + 20);
  service.maxResponse = Number.POSITIVE_INFINITY;
  const expected = await readFromService(emulated, MODELS);
  const shown = await full.result.items();
  expect(shown.size).toBe(expected.size);
  const differing = [...expected].filter(
    ([id, item]) => JSON.stringify(shown.get(id)) !== JSON.stringify(item),
  );
  expect(differing.map(([id]) => id)).toEqual([]);
});
