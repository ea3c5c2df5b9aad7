import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { broken, empty, failure, type Script, scripted } from '../scripted-service.ts';

/** Every way to print a value. */
function printed(value: unknown): string {
  const error = value as { message?: string; stack?: string };
  return [
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value),
    String(value),
    error?.message,
    error?.stack,
  ].join('\n');
}

const KEY = 'secret-key-that-echoes';

describe('the key cannot be printed', () => {
  test.each<[string, Script]>([
    [
      'an error response that contains it',
      () => Response.json({ code: `bad ${KEY}`, message: KEY }, { status: 401, statusText: KEY }),
    ],
    ['an error response in plain text', () => new Response(KEY, { status: 500 })],
    [
      'an error of fetch that contains it',
      () => new TypeError(`fetch failed with ${KEY}`, { cause: new Error(KEY) }),
    ],
    [
      'an inner cause that contains it',
      () => new TypeError('fetch failed', { cause: new Error('x', { cause: new Error(KEY) }) }),
    ],
    ['a redirect that contains it', () => failure(302, { location: `https://evil.example/${KEY}` })],
    ['a response that is not JSON', () => new Response(`<p>${KEY}`)],
    ['a response with wrong properties', () => Response.json({ total: KEY })],
    ['a response that is cut off', () => broken('cut', KEY)],
    ['400', () => failure(400)],
    ['403', () => failure(403)],
    ['404', () => failure(404)],
    ['429', () => failure(429)],
  ])('after %s', async (_name, script) => {
    const { client, clock } = scripted(script, { apiKey: KEY, network: { retries: 1 } });
    const calls: (() => Promise<unknown>)[] = [
      () => client.contents.list('item', { where: { title: { eq: 'a' } } }),
      () => client.contents.get(1),
      () => client.contents.create('item', { fields: {} }),
      () => client.media.upload(new Blob(['x'])),
    ];
    for (const call of calls) {
      const error: unknown = await clock.run(call()).then(
        () => 'no error',
        (reason: unknown) => reason,
      );
      expect(printed(error)).not.toContain(KEY);
      expect(printed(error)).toContain('Luid');
    }
  });

  test.each(['key with spaces', 'key\nwith lines', 'ключ'])('when it cannot be sent: %j', (apiKey) => {
    expect.assertions(2);
    try {
      createClient({ baseUrl: 'https://cms.example/v1', apiKey });
    } catch (error) {
      expect(printed(error)).not.toContain(apiKey);
      expect(printed(error)).toContain('characters that are not allowed in a header');
    }
  });

  test.each([KEY, "a~key'with!marks"])('if it was passed as a value of a query: %s', async (apiKey) => {
    for (const [status, query] of [
      [400, { order: apiKey }],
      [400, { where: { [apiKey]: { eq: 'x' } } }],
      [403, { space: apiKey }],
    ] as const) {
      const { client, clock } = scripted(() => failure(status), { apiKey });
      const error = await clock.run(client.contents.list('item', query).catch((reason: unknown) => reason));
      expect(error).toMatchObject({ status, hint: expect.stringContaining('***') });
      expect(decodeURIComponent(printed(error))).not.toContain(apiKey);
    }
  });

  test('however an error of `fetch` writes it', async () => {
    const apiKey = '~a"key"+secret%';
    for (const written of [
      apiKey,
      JSON.stringify(apiKey),
      `https://proxy.example/?key=${encodeURIComponent(apiKey)}`,
      `https://proxy.example/?${new URLSearchParams({ key: apiKey })}`,
    ]) {
      const { client, clock } = scripted(() => new TypeError('fetch failed', { cause: new Error(written) }), {
        apiKey,
      });
      const error = await clock.run(client.contents.get(1).catch((reason: unknown) => reason));
      expect(printed(error)).toContain('***');
      expect(printed(error)).not.toContain('secret');
    }
  });

  test('of a client or a space', () => {
    const options = { baseUrl: 'https://cms.example/v1', apiKey: KEY };
    const space = defineSpace({ ...options, draftApiKey: KEY, models: { item: { a: field.text() } } });
    for (const value of [
      createClient(options),
      space,
      space.client(),
      space.loader('item'),
      space.liveLoader('item', { from: 'service' }),
    ]) {
      expect(printed(value)).not.toContain(KEY);
    }
  });

  test('nor can a password in the URL, which is rejected', () => {
    const baseUrl = 'https://user:password-1@cms.example/v1';
    let error: unknown;
    try {
      scripted(() => failure(400), { baseUrl });
    } catch (reason) {
      error = reason;
    }
    expect(error).toMatchObject({ name: 'LuidConfigError' });
    expect(printed(error)).not.toContain('password-1');
  });
});

test('every request has the key, in the configured header', async () => {
  const { client, clock, sent } = scripted(empty, { apiKey: KEY, apiKeyHeader: 'X-Other-Key' });
  await clock.run(client.contents.list('item'));
  expect(sent[0]?.headers.get('x-other-key')).toBe(KEY);
  expect(sent[0]?.url.href).not.toContain(KEY);
});
