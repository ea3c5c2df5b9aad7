import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { defineSpace, field } from '../../src/index.ts';
import { findHarm, HOSTILE, HOSTILE_STRINGS } from './hostile-strings.ts';
import { contentOf, createLoaderContext } from './loader-context.ts';
import { type AnyContent, connectionTo, serveItems } from './stub-service.ts';

const models = {
  thing: {
    title: field.text({ required: true }),
    slug: field.text(),
    kind: field.select(['a', 'b']),
    when: field.datetime(),
    other: field.reference('other'),
    any: field.reference(),
  },
  other: { title: field.text() },
};

/** The log lines and the error of a load. */
async function loadAndPrint(items: readonly AnyContent[], options: object = {}, settings: object = {}) {
  const space = defineSpace({ ...connectionTo(serveItems(items)), models, ...settings });
  const store = createLoaderContext();
  const error: Error | undefined = await space
    .loader('thing', options as never)
    .load(store.context)
    .then(
      () => undefined,
      (reason: Error) => reason,
    );
  return [...store.lines, ...(error ? [error.message, String(error.cause ?? '')] : [])];
}

describe('strings from the service are printed as one line of plain text', () => {
  const item = (id: number, fields: object) =>
    ({ ...contentOf(id, 'thing', { title: 'a', slug: `s${id}`, ...fields }), _title: HOSTILE }) as AnyContent;

  test.each<[string, AnyContent[], object?, object?]>([
    ['the title of an invalid entry', [item(1, { title: '' })]],
    ['an option', [item(1, { kind: HOSTILE })]],
    ['a time', [item(1, { when: HOSTILE })]],
    ['an undeclared field', [item(1, { [HOSTILE]: 1 })]],
    ['an undeclared field, removed by `strict`', [item(1, { [HOSTILE]: 1 })], {}, { strict: true }],
    ['duplicate ids', [item(1, { slug: HOSTILE }), item(2, { slug: HOSTILE })], { id: 'slug' }],
    ['an invalid id', [item(1, { slug: `../${HOSTILE}` })], { id: 'slug' }],
    ['a skipped id', [item(1, { slug: HOSTILE })], { id: 'slug' }, { onInvalid: 'skip' }],
    ['an empty id', [item(1, { slug: '' })], { id: 'slug' }],
    ['a skipped entry', [item(1, { kind: HOSTILE })], {}, { onInvalid: 'skip' }],
    [
      'a reference to an undeclared model',
      [item(1, { other: 9, any: 9 }), { ...item(9, {}), _model: HOSTILE }],
    ],
    ['a model', [{ ...item(1, {}), _model: HOSTILE }]],
    ['a status', [{ ...item(1, {}), _status: HOSTILE }]],
    ['a system time', [{ ...item(1, {}), _updated_at: HOSTILE }]],
    ['an `_id`', [{ ...item(1, {}), _id: HOSTILE as never }]],
    ['a space', [{ ...item(1, {}), _space: HOSTILE }]],
  ])('%s', async (_, items, options, settings) => {
    const printed = await loadAndPrint(items, options, settings);
    expect(printed.flatMap(findHarm)).toEqual([]);
  });

  test('the printed line still contains the visible characters, so that the value can be found', async () => {
    const printed = (await loadAndPrint([item(1, { kind: HOSTILE })])).join('\n');
    expect(printed).toContain('\\u001b[2J');
  });
});

describe('the message of an error response is printed as one line of plain text', () => {
  test.each<[string, () => Response]>([
    [
      'code and message',
      () => Response.json({ status: HOSTILE, code: HOSTILE, message: HOSTILE }, { status: 400 }),
    ],
    ['of a 429', () => Response.json({ status: '429', code: HOSTILE, message: HOSTILE }, { status: 403 })],
    [
      'a redirect',
      () => new Response('', { status: 302, headers: { location: 'https://x.example/\u009b31m' } }),
    ],
    ['text that is not JSON', () => new Response(HOSTILE)],
    ['an unexpected shape', () => Response.json({ total: HOSTILE, data: HOSTILE })],
    [
      'items of an unexpected shape',
      () => Response.json({ total: 1, offset: 0, limit: 100, data: [HOSTILE] }),
    ],
    [
      'a model that was not requested',
      () => Response.json({ total: 1, offset: 0, limit: 100, data: [{ _id: 1, _model: HOSTILE }] }),
    ],
  ])('%s', async (_, respond) => {
    const { baseUrl, apiKey, network } = connectionTo(fetch);
    const client = createClient({ baseUrl, apiKey, network, fetch: async () => respond() });
    const error: Error = await client.contents.list('thing').then(
      () => new Error('no error'),
      (reason: Error) => reason,
    );
    expect(error.message).not.toBe('no error');
    const { code } = error as { code?: string };
    // Node prints the stack of an error and of its causes.
    const printed = [error.message, String(code), inspect(error)];
    expect(printed.flatMap(findHarm)).toEqual([]);
  });
});

describe('a value of a request is printed as one line of plain text', () => {
  const { baseUrl, apiKey, network } = connectionTo(fetch);
  const clientFor = (status: number) =>
    createClient({
      baseUrl,
      apiKey,
      network,
      fetch: async () => Response.json({ status: String(status), code: 'Code' }, { status }),
    }).contents;
  const bad = clientFor(400);
  const message = (call: Promise<unknown>) =>
    call.then(
      () => 'no error',
      (reason: Error) => reason.message,
    );

  test.each<[string, (value: string) => Promise<unknown>]>([
    ['an order', (order) => bad.list('thing', { order })],
    ['a language', (lang) => bad.list('thing', { lang })],
    ['a space', (space) => bad.list('thing', { space })],
    ['a space without access', (space) => clientFor(403).list('thing', { space })],
    ['a model', (model) => bad.list(model)],
    ['a filter', (path) => bad.list('thing', { where: { [path]: { eq: 'x' } } })],
    ['a filter without an operator', (path) => bad.list('thing', { where: { [path]: 'x' } as never })],
    [
      'a filter with an invalid date',
      (path) => bad.list('thing', { where: { [path]: { gt: new Date('x') } } }),
    ],
    ['a value with a comma', (value) => bad.list('thing', { where: { title: { in: [`${value},`] } } })],
    ['an id', (id) => bad.get(id as never)],
    ['a field to write', (luid) => bad.patch('thing', 1, { fields: { [luid]: Number.NaN } })],
    ['a language to write', (lang) => bad.patch('thing', 1, { languages: { [lang]: { a: Number.NaN } } })],
    ['an unknown option', (name) => bad.patch('thing', 1, { [name]: 1 } as never)],
  ])('%s', async (_, call) => {
    for (const hostile of HOSTILE_STRINGS) {
      const printed = await message(call(hostile));
      expect(printed).not.toBe('no error');
      expect(findHarm(printed)).toEqual([]);
    }
  });

  test('an operator of a live filter', async () => {
    const loader = defineSpace({ ...connectionTo(serveItems([])), models }).liveLoader('thing', {
      from: 'service',
    });
    const filter = { where: { title: { [HOSTILE]: 'x' } } };
    const result = await loader.loadCollection({ filter, collection: 'things' } as never);
    const { error } = result as { error: Error };
    expect(error.message).toContain('is not an operator');
    expect(findHarm(error.message)).toEqual([]);
  });
});

test('a key in place of the URL is not printed', () => {
  const swapped = () => createClient({ baseUrl: 'sk_live_1234', apiKey: 'https://cms.example/v1' });
  expect(swapped).toThrow('baseUrl must be an http(s) URL, got a string without ://');
  expect(swapped).not.toThrow(/sk_live/);
});

describe('a password in a configured URL is rejected and never printed', () => {
  test.each(['baseUrl', 'assetsUrl'] as const)('in %s', async (option) => {
    const settings = { [option]: 'https://user:pa55word@cms.example/v1' };
    const space = defineSpace({
      ...connectionTo(serveItems([])),
      assetsUrl: 'https://assets.example',
      models: { thing: { cover: field.media({ dimensions: true }) } },
      ...settings,
    });
    const store = createLoaderContext();
    const error: Error = await space
      .loader('thing')
      .load(store.context)
      .then(
        () => new Error('no error'),
        (reason: Error) => reason,
      );
    expect(error.message).toContain(`${option} must not contain a user name or password`);
    for (const text of [error.message, error.stack ?? '', String(error.cause), ...store.lines])
      expect(text).not.toContain('pa55word');
  });

  test.each([
    ['https//user:pa55word@cms.example/v1', 'a string without ://'],
    ['ftp://user:pa55word@cms.example', "'…@cms.example'"],
    ['ftp://user:pa55@word@cms.example', "'…@cms.example'"],
  ])('also if the URL %j is invalid in other ways', (baseUrl, shown) => {
    expect(() => createClient({ baseUrl, apiKey: 'k' })).toThrow(
      `baseUrl must be an http(s) URL, got ${shown}\n`,
    );
  });

  test('a line break in a URL is removed, as in a browser', async () => {
    const urls: string[] = [];
    const client = createClient({
      baseUrl: 'https://cms.exam\nple/v1/',
      apiKey: 'k',
      fetch: async (input) => {
        urls.push(String(input));
        return Response.json({ total: 0, offset: 0, limit: 100, data: [] });
      },
    });
    await client.contents.list('thing');
    expect(urls[0]).toMatch(/^https:\/\/cms\.example\/v1\/contents\?/);
  });
});
