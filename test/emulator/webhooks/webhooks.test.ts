import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type Seed,
  type WebhookEvent,
} from '../../../src/emulator/index.ts';
import type { StudioWebhooks } from '../../../src/emulator/studio/studio-types.ts';
import { SPACE } from '../small-seed.ts';
import { openStudio } from '../studio/studio-client.ts';

const URL = 'https://site.test/_luid/refresh';

interface Received {
  readonly url: string;
  readonly headers: Headers;
  readonly body: { readonly event: WebhookEvent; readonly id: number; readonly model: string };
}

/** Receives webhooks. */
function receiver(respond: () => Response = () => new Response('ok')) {
  const received: Received[] = [];
  const fetch = async (url: string, { headers, body }: RequestInit) => {
    received.push({ url, headers: new Headers(headers), body: JSON.parse(String(body)) });
    return respond();
  };
  return { received, fetch: fetch as typeof globalThis.fetch };
}

/** The space with webhooks, and what they send. */
function open(webhooks: Seed['webhooks'] = [{ url: URL }], options: EmulatorOptions = {}) {
  const { received, fetch } = receiver();
  const emulator = createEmulator({ ...SPACE, webhooks }, { fetch, ...options });
  return { emulator, received, events: () => received.map(({ body }) => `${body.event} ${body.id}`) };
}

test.each<[string, (emulator: Emulator) => unknown, string[]]>([
  ['publishing', ({ contents }) => contents.publish(11), ['publish 11']],
  ['an edit of published data', ({ contents }) => contents.edit(10, { title: 'x' }), ['publish 10']],
  ['unpublishing', ({ contents }) => contents.unpublish(10), ['unpublish 10']],
  ['a draft', ({ contents }) => contents.saveDraft(10, { title: 'x' }), ['draft 10']],
  ['a new draft', ({ contents }) => contents.create({ model: 'author', draft: { ja: {} } }), ['draft 12']],
  [
    'new content with a draft',
    ({ contents }) => contents.create({ model: 'author', published: { ja: {} }, draft: { ja: {} } }),
    ['publish 12', 'draft 12'],
  ],
  ['a copy', ({ contents }) => contents.duplicate(10), ['draft 12']],
  ['archiving', ({ contents }) => contents.archive(10), ['archive 10']],
  [
    'restoring',
    ({ contents }) => {
      contents.archive(10);
      contents.restore(10);
    },
    ['archive 10', 'restore 10'],
  ],
  ['deletion', ({ contents }) => contents.remove(10), ['delete 10']],
])('%s sends an event', async (_, change, expected) => {
  const { emulator, events } = open();
  change(emulator);
  await emulator.webhooks.settled();
  expect(events()).toEqual(expected);
});

test('writes of the API send events, and refused ones do not', async () => {
  const { emulator, events } = open();
  const send = (path: string, method: string, body: string) =>
    emulator.fetch(`${emulator.baseUrl}${path}`, {
      method,
      headers: { 'X-SERVICE-API-KEY': 'all' },
      body,
    });
  await send('/contents?model=author&published=true', 'POST', '{"fields":{"name":"x"}}');
  await send('/contents/10?model=article', 'PATCH', '{"fields":{"title":"x"}}');
  await send('/contents/10?model=article', 'PATCH', '{"fields":{"title":1}}');
  await emulator.webhooks.settled();
  expect(events()).toEqual(['publish 12', 'draft 10']);
});

test('each webhook gets its events, headers and body', async () => {
  const { emulator, received } = open([
    { url: `${URL}?1`, headers: { 'x-secret': 'open' }, events: ['publish'] },
    { url: `${URL}?2`, events: ['draft'], body: { text: '{{status}} {{model}}', id: '{{id}}' } },
    { url: `${URL}?3`, events: [] },
  ]);
  emulator.contents.publish(11);
  emulator.contents.saveDraft(10, { title: 'x' });
  await emulator.webhooks.settled();
  expect(received.map(({ url, body }) => [url, body])).toEqual([
    [`${URL}?1`, { event: 'publish', id: 11, model: 'article' }],
    [`${URL}?2`, { text: 'published_draft article', id: 10 }],
  ]);
  expect(received[0]?.headers.get('x-secret')).toBe('open');
  expect(received[0]?.headers.get('content-type')).toBe('application/json');
});

test('the change is visible when its event arrives', async () => {
  const titles: unknown[] = [];
  const emulator: Emulator = createEmulator(
    { ...SPACE, webhooks: [{ url: URL }] },
    {
      fetch: async () => {
        titles.push(emulator.contents.get(10).published?.ja?.title);
        return new Response();
      },
    },
  );
  emulator.contents.edit(10, { title: 'New' });
  await emulator.webhooks.settled();
  expect(titles).toEqual(['New']);
});

test('deliveries have the response, or why there is none, and can be sent again', async () => {
  const responses = [
    () => new Response('no', { status: 401 }),
    () => {
      throw new TypeError('fetch failed', { cause: new Error('connection refused') });
    },
    () => new Response('x'.repeat(1000)),
  ];
  const { received, fetch } = receiver(() => responses.shift()?.() as Response);
  const emulator = createEmulator({ ...SPACE, webhooks: [{ url: URL, headers: { a: 'b' } }] }, { fetch });
  emulator.contents.publish(11);
  await emulator.webhooks.settled();
  emulator.webhooks.sendAgain(1);
  await emulator.webhooks.settled();
  emulator.webhooks.set([]);
  emulator.webhooks.sendAgain(2);
  await emulator.webhooks.settled();
  expect(emulator.webhooks.deliveries).toMatchObject([
    { id: 1, event: 'publish', content: 11, status: 401, response: 'no' },
    { id: 2, event: 'publish', content: 11, error: 'connection refused' },
    { id: 3, event: 'publish', content: 11, status: 200, response: 'x'.repeat(300) },
  ]);
  expect(received.map(({ headers, body }) => [headers.get('a'), body.id])).toEqual([
    ['b', 11],
    ['b', 11],
    ['b', 11],
  ]);
  expect(() => emulator.webhooks.sendAgain(4)).toThrow('there is no delivery 4');
});

test('the last 100 deliveries are kept', async () => {
  const { emulator } = open();
  for (let edit = 0; edit < 120; edit++) emulator.contents.edit(10, { title: `${edit}` });
  await emulator.webhooks.settled();
  expect(emulator.webhooks.deliveries.map(({ id }) => id)).toEqual(
    Array.from({ length: 100 }, (_, at) => at + 21),
  );
});

test('webhooks of the options are added to those of the seed, or replace one with their URL', () => {
  const { emulator } = open([{ url: URL }, { url: `${URL}?2` }], {
    webhooks: [{ url: URL, events: ['publish'] }],
  });
  expect(emulator.snapshot().webhooks).toEqual([{ url: `${URL}?2` }, { url: URL, events: ['publish'] }]);
});

test('invalid webhooks are refused with the path of the problem', () => {
  const { emulator } = open();
  const set = (webhook: object) => () => emulator.webhooks.set([webhook as never]);
  expect(set({ url: 'ftp://site.test' })).toThrow('webhooks[0].url must be an http(s) URL');
  expect(set({ url: URL, events: ['click'] })).toThrow('webhooks[0].events[0] must be one of publish,');
  expect(set({ url: URL, headers: { 'a b': 'c' } })).toThrow('webhooks[0].headers["a b"]');
  expect(set({ url: URL, secret: 'x' })).toThrow('webhooks[0]["secret"] is an unknown key');
  expect(emulator.webhooks.get()).toEqual([{ url: URL }]);
});

test('the data file keeps webhooks that were changed', async () => {
  const data = join(mkdtempSync(join(tmpdir(), 'astro-luid-webhooks-')), 'data.json');
  const first = createEmulator(SPACE, { data });
  first.webhooks.set([{ url: URL, events: ['delete'] }]);
  await first.close();
  const { fetch, received } = receiver();
  const second = createEmulator(SPACE, { data, fetch });
  second.contents.publish(11);
  second.contents.remove(11);
  await second.webhooks.settled();
  expect(received.map(({ body }) => body.event)).toEqual(['delete']);
  await second.close();
});

test('the studio changes webhooks, lists deliveries and sends them again', async () => {
  const { fetch, received } = receiver();
  const { emulator, get, post } = openStudio(SPACE, { fetch });
  const { state } = (await get<{ state: string }>('activity')).body;
  expect((await get<StudioWebhooks>('webhooks')).body).toMatchObject({ webhooks: [], deliveries: [] });
  const { status } = await post('webhooks', { webhooks: [{ url: URL }] });
  expect(status).toBe(200);
  emulator.contents.publish(11);
  emulator.contents.remove(11);
  await emulator.webhooks.settled();
  expect((await get<{ state: string }>('activity')).body.state).not.toBe(state);
  const { deliveries } = (await get<StudioWebhooks>('webhooks')).body;
  expect(deliveries.map(({ event, status: code }) => [event, code])).toEqual([
    ['delete', 200],
    ['publish', 200],
  ]);
  await post('deliveries/1/again');
  expect(received.map(({ body }) => body.event)).toEqual(['publish', 'delete', 'publish']);
  expect((await post('deliveries/9/again')).status).toBe(404);
  expect((await post('deliveries/1/other')).status).toBe(404);
  const refused = await post('webhooks', { webhooks: [{ url: 'no' }] });
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('webhooks[0].url')]);
  expect((await post('webhooks', {})).status).toBe(400);
});

test('typed headers and bodies of the studio become a webhook, or a message', async () => {
  const { parseTyped, formatHeaders } = await import(
    '../../../src/emulator/studio/page/webhooks/typed-webhook.ts'
  );
  const typed = {
    url: ` ${URL} `,
    headers: 'A: b: c\n\n x-y :z',
    events: ['draft'] as const,
    body: '{"a":1}',
  };
  expect(parseTyped(typed)).toEqual({
    url: URL,
    headers: { A: 'b: c', 'x-y': 'z' },
    events: ['draft'],
    body: { a: 1 },
  });
  expect(formatHeaders({ A: 'b: c', 'x-y': 'z' })).toBe('A: b: c\nx-y: z');
  expect(parseTyped({ ...typed, headers: 'secret' })).toBe('secret is not a header: write name: value.');
  expect(parseTyped({ ...typed, body: '{' })).toContain('The body is not valid JSON');
});
