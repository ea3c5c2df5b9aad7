import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveSources } from '../../../src/astro/live/live-sources.ts';
import { draftFingerprint } from '../../../src/astro/preview/draft-fingerprint.ts';
import { DraftWatch } from '../../../src/astro/preview/draft-watch.ts';
import { createEmulator, type Emulator } from '../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { until } from '../../support/until.ts';

const article = { title: field.text() } as const;
const product = { name: field.text() } as const;
const KEYS = [
  { key: 'drafts', reads: 'drafts' },
  { key: 'more-drafts', reads: 'drafts' },
] as const;
const CREATED = '2026-03-01T00:00:00Z';

let service: Emulator;
beforeEach(() => {
  service = createEmulator({
    keys: KEYS,
    models: { article, product },
    contents: [
      { id: 1, model: 'article', created_at: CREATED, published: { ja: { title: 'Tea' } } },
      { id: 2, model: 'product', created_at: CREATED, published: { ja: { name: 'Pot' } } },
    ],
  });
  vi.stubEnv('LUID_BASE_URL', service.baseUrl);
  vi.stubEnv('LUID_DRAFT_API_KEY', 'drafts');
});
afterEach(() => void vi.unstubAllEnvs());

const connection = () => ({ fetch: service.fetch, network: { retries: 0 } });
const magazine = () => defineSpace({ models: { article }, ...connection() });
const shop = () => defineSpace({ models: { product }, ...connection() });

test('drafts of two spaces whose URL and key are in the environment are both watched', async () => {
  let check = () => {};
  const sleep = vi.fn(() => new Promise<void>((resolve) => (check = resolve)));
  const watch = new DraftWatch({ sources: new LiveSources(), interval: 1, clock: { sleep } });
  const show = async (space: ReturnType<typeof magazine> | ReturnType<typeof shop>) => {
    const { name, read } = await draftFingerprint(space as never, undefined);
    await watch.beforeShowing(name, read);
  };
  const listener = vi.fn();
  await show(magazine());
  watch.subscribe(listener);
  await show(shop());
  await until(() => sleep.mock.calls.length > 0);

  for (const [id, values] of [
    [1, { title: 'Green tea' }],
    [2, { name: 'Tea pot' }],
  ] as const) {
    listener.mockClear();
    service.contents.saveDraft(id, values);
    const checks = sleep.mock.calls.length;
    check();
    await until(() => sleep.mock.calls.length > checks);
    expect(listener).toHaveBeenCalledTimes(1);
  }
});

test('drafts have other names if their key, their language or their sub-space differs', async () => {
  const nameOf = async (options: object, lang?: string) =>
    (await draftFingerprint(defineSpace({ models: { article }, ...options }) as never, lang)).name;
  const names = await Promise.all([
    nameOf({}),
    nameOf({ draftApiKey: 'more-drafts' }),
    nameOf({ space: 'shop' }),
    nameOf({ baseUrl: 'https://other.test/v1' }),
    nameOf({}, 'en'),
  ]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.join()).not.toContain('drafts');
});

test('drafts keep their name when the file of their space is evaluated again', async () => {
  const [first, again] = [magazine(), magazine()];
  expect((await draftFingerprint(again as never, undefined)).name).toBe(
    (await draftFingerprint(first as never, undefined)).name,
  );
});
