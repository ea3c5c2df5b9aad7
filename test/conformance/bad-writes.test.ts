import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorBody, startServer, type TestResponse } from './http.ts';
import { models } from './seed/models.ts';
import { createWriter, JSON_ENDPOINTS } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { request } = server;
const { create, expectRejected, send } = createWriter(server);

server.expectResponseAfterEach();

/** Sends a body as it is to every endpoint with a JSON body, and expects each to reject it. */
async function expectRejectedEverywhere(body: string | Uint8Array, headers: Record<string, string> = {}) {
  for (const [method, path] of JSON_ENDPOINTS) {
    const write = () =>
      request(path, {
        method,
        key: 'all',
        body: body as BodyInit,
        headers: { 'content-type': 'application/json', ...headers },
      });
    await expectRejected(write, 400, `${method} ${String(body).slice(0, 60)}`);
  }
}

describe('invalid bodies', () => {
  it('bad input: malformed JSON is rejected', async () => {
    for (const body of [
      '',
      ' ',
      '{',
      '{"fields": {"title": "x"}',
      '{"fields": {title: 1}}',
      "{'fields': {}}",
      '{"fields": {}} x',
      '{"fields": {},}',
      'undefined',
      'NaN',
      '\u0000',
      '<xml/>',
      'fields=x',
    ]) {
      await expectRejectedEverywhere(body);
    }
  });

  it('bad input: JSON that is not an object with fields is rejected', async () => {
    for (const body of ['null', '5', '"x"', '[]', 'true', '{}', '[{"fields": {}}]']) {
      await expectRejectedEverywhere(body);
    }
    for (const fields of ['null', '5', '"x"', '[]', 'true', '[{"title": "x"}]']) {
      await expectRejectedEverywhere(`{"fields": ${fields}}`);
      await expectRejectedEverywhere(`{"fields[en]": ${fields}}`);
    }
  });

  it('bad input: keys other than fields are rejected', async () => {
    for (const key of [
      'field',
      'Fields',
      'title',
      'published',
      'fields.en',
      'fields[',
      'fields[en',
      '__proto__',
    ]) {
      await expectRejectedEverywhere(`{"fields": {}, ${JSON.stringify(key)}: {}}`);
    }
  });

  it('bad input: languages that the space does not have are rejected', async () => {
    for (const lang of ['de', 'EN', '', ' en', 'en,fr', '__proto__', 'constructor', 'en][fr']) {
      await expectRejectedEverywhere(
        `{"fields": {"title": "x"}, ${JSON.stringify(`fields[${lang}]`)}: {"title": "x"}}`,
      );
    }
  });

  it('bad input: bytes that are not UTF-8 are rejected', async () => {
    await expectRejectedEverywhere(
      Buffer.concat([
        Buffer.from('{"fields": {"title": "'),
        Buffer.from([0xff, 0xfe, 0x80]),
        Buffer.from('"}}'),
      ]),
    );
  });

  it('bad input: a compressed body is rejected', async () => {
    await expectRejectedEverywhere(gzipSync('{"fields": {"title": "x"}}'), { 'content-encoding': 'gzip' });
  });

  it('bad input: deeply nested JSON is rejected', async () => {
    const deep = (open: string, close: string) => open.repeat(15_000) + close.repeat(15_000);
    await expectRejectedEverywhere(`{"fields": {"title": ${deep('[', ']')}}}`);
    await expectRejectedEverywhere(deep('[', ']'));
    for (const nested of [deep('[', ']'), `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`]) {
      const body = `{"fields": {"unknown": ${nested}}}`;
      const headers = { 'content-type': 'application/json' };
      await expectRejected(() =>
        request('/contents?model=every', { method: 'POST', key: 'all', body, headers }),
      );
    }
  });

  it('bad input: the last value of a repeated field counts', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = '{"fields": {"title": "a", "title": "b"}}';
    const response = await request('/contents?model=filler', { method: 'POST', key: 'all', body, headers });
    expect(response.status).toBe(200);
  });

  it('bad input: no field of Object.prototype is ever changed', async () => {
    const body = '{"fields": {"label": "x", "tostring": {"__proto__": "p", "constructor": "c"}}}';
    const headers = { 'content-type': 'application/json' };
    await request('/contents?model=constructor', { method: 'POST', key: 'all', body, headers });
    await expectRejectedEverywhere('{"fields": {"__proto__": {"polluted": true}}}');
    await expectRejectedEverywhere('{"__proto__": {"fields": {"title": "x"}}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('values', () => {
  it('bad input: a value of the wrong type for each field is rejected', async () => {
    const wrong: Record<string, unknown> = {
      flexible_text: 5,
      text: {},
      multiline: [['x']],
      boolean: 'true',
      select: 'neither',
      multi_select: ['one'],
      datetime: 'soon',
      media: 'a.png',
      reference: { _id: 201 },
      repeat: {},
      combination: [{}],
      field_set: [1],
    };
    for (const [luid, value] of Object.entries(wrong)) {
      await expectRejected(
        () => send('POST', '/contents?model=every', { fields: { [luid]: value } }),
        400,
        luid,
      );
    }
  });

  it('bad input: unknown LUIDs are rejected', async () => {
    await expectRejected(() => send('POST', '/contents?model=nope', { fields: {} }));
    await expectRejected(() => send('POST', '/contents?model=every', { fields: { nope: null } }));
    await expectRejected(() =>
      send('POST', '/contents?model=every', { fields: { field_set: { nope: null } } }),
    );
    const block = { luid: 'nope', fields: {} };
    await expectRejected(() => send('POST', '/contents?model=every', { fields: { combination: [block] } }));
  });

  it('bad input: invalid ids are rejected', async () => {
    for (const id of [0, -1, 0.5, 1e300, 2 ** 53, '201', {}, [201]]) {
      for (const field of ['media', 'reference']) {
        await expectRejected(
          () => send('POST', '/contents?model=every', { fields: { [field]: id } }),
          400,
          `${field} ${JSON.stringify(id)}`,
        );
      }
    }
  });

  it('bad input: paths with invalid ids are errors in the format of §7', async () => {
    const responses: [string, TestResponse][] = [];
    for (const id of [
      '0',
      '-1',
      '1.5',
      'x',
      '1e3',
      '9'.repeat(300),
      '%00',
      '%2e%2e',
      '１',
      ' 1001',
      '1001 ',
    ]) {
      for (const [method, path] of [
        ['PUT', `/contents/${id}?model=filler`],
        ['PATCH', `/contents/${id}?model=filler`],
        ['POST', `/contents/${id}/duplicate`],
        ['DELETE', `/media/${id}`],
      ] as const) {
        const before = JSON.stringify(server.emulator.snapshot());
        responses.push([`${method} ${path}`, await send(method, path, { fields: { title: 'x' } })]);
        expect(JSON.stringify(server.emulator.snapshot()) === before, path).toBe(true);
      }
    }
    for (const [path, { status, body }] of responses) {
      expect([400, 404], path).toContain(status);
      expect(body, path).toEqual(errorBody(status));
    }
  });

  it('bad input: long texts, many fields and special characters are stored unchanged', async () => {
    const odd = `\u0000\u0007\u2028\ud83d\ude00${'x'.repeat(100_000)}`;
    const id = await create('filler', { fields: { title: odd } });
    expect((await server.readItem(id, '', 'all')).title).toBe(odd);
  });
});

describe('random bodies', () => {
  const luids = Object.keys(models.every ?? {});
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(201, 900, 'one', '2026-05-01T00:00:00Z', [{ text: 'x' }]),
  );
  const fields = fc.dictionary(fc.oneof(fc.constantFrom(...luids), fc.string()), value, { maxKeys: 3 });
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom('fields', 'fields[en]', 'fields[xx]'), fc.oneof(fields, value)),
    fc.jsonValue(),
  );

  it('bad input: random bodies get a response, and rejected ones change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom('POST', 'PUT', 'PATCH'), async (body, method) => {
        const path = method === 'POST' ? '/contents?model=every' : '/contents/401?model=every';
        const before = JSON.stringify(server.emulator.snapshot());
        const response = await send(method, path, body);
        if (response.status === 200) {
          expect(response.body).toEqual({ id: expect.any(Number) });
          return;
        }
        expect(response.body).toEqual(errorBody(400));
        expect(JSON.stringify(server.emulator.snapshot()) === before).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
