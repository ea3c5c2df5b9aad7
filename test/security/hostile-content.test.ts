import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { defineSpace, field, LuidResponseError } from '../../src/index.ts';
import { contentOf, createLoaderContext } from './loader-context.ts';
import { type AnyContent, connectionTo, serveItems } from './stub-service.ts';

/** Valid LUIDs that are also names of properties of every object. */
const NAMES = ['__proto__', 'constructor', 'prototype', 'hasownproperty', 'valueof'];

describe.each([
  ['in a small space', 16],
  ['in a large space', 1],
])('content and models named like built-in properties, %s', (_how, concurrency) => {
  const models = Object.fromEntries(
    NAMES.map((name) => [
      name,
      Object.fromEntries([...NAMES.map((luid) => [luid, field.text()]), ['other', field.reference(NAMES)]]),
    ]),
  );
  const poison = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
  const items = NAMES.flatMap((name, index) =>
    [1, 2].map((n) => {
      const texts = Object.fromEntries(NAMES.map((luid) => [luid, `${luid} of ${name}`]));
      return contentOf(10 * index + n, name, { ...texts, other: 1, undeclared: poison });
    }),
  );

  test.each(NAMES)('are loaded and stored unchanged: %s', async (name) => {
    const connection = connectionTo(serveItems(items));
    const { context, entries, lines } = createLoaderContext();
    const load = () =>
      defineSpace({ ...connection, models, network: { ...connection.network, concurrency } })
        .loader(name, { depth: 2 })
        .load(context);
    await load();
    await load();
    expect(lines.filter((line) => line.includes('10 items'))).toEqual([
      expect.stringContaining('10 items, 10 added'),
      expect.stringContaining('10 items, none changed'),
    ]);
    expect(entries()).toHaveLength(2);
    expect(entries()[0]?.data).toMatchObject({
      _model: name,
      valueof: `valueof of ${name}`,
      constructor: `constructor of ${name}`,
      other: { _model: '__proto__', other: { _id: 1, other: 1 } },
    });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test('a field of 10 MB is loaded, stored and unchanged in the next sync', async () => {
  const text = '<p>abc</p>'.repeat(1_000_000);
  const items = [contentOf(1, 'thing', { text })];
  const models = { thing: { text: field.flexibleText() } };
  const connection = connectionTo(serveItems(items));
  const { context, entries, lines } = createLoaderContext();
  const load = () =>
    defineSpace({ ...connection, models })
      .loader('thing', { body: 'text' })
      .load(context);
  await load();
  await load();
  expect(entries().map(({ data, rendered }) => data.text === text && rendered?.html === text)).toEqual([
    true,
  ]);
  expect(lines.at(-1)).toContain('none changed');
});

describe('nesting', () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`);
  const models = { thing: { title: field.text() } };

  test('of a few hundred levels is accepted', async () => {
    const items = [contentOf(1, 'thing', { deep: nested(400) })];
    const { context, entries } = createLoaderContext();
    await defineSpace({ ...connectionTo(serveItems(items)), models })
      .loader('thing')
      .load(context);
    expect(entries()[0]?.data.deep).toEqual(nested(400));
  });

  test.each([
    ['{"a":', '}'],
    ['[', ']'],
    ['{"a":"\\"[","b":[', ']}'],
  ])('of 100,000 levels of %s%s is a clear error, in loaders and clients', async (open, close) => {
    const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    const item = `{"_id":1,"_model":"thing","_title":"","deep":${deep}}`;
    const body = `{"total":1,"offset":0,"limit":100,"data":[${item}]}`;
    const space = defineSpace({ ...connectionTo(async () => new Response(body)), models });
    const calls = [
      () => space.loader('thing').load(createLoaderContext().context),
      () => space.client().contents.list('thing'),
    ];
    for (const call of calls) {
      const error = await call().then(
        () => 'no error',
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ message: expect.stringContaining('nested deeper than 500 levels') });
      expect(LuidResponseError.is(error)).toBe(true);
    }
  });
});

describe('ids that look like paths', () => {
  const IDS = [
    '..',
    '../../x',
    '/etc/passwd',
    'C:\\x',
    'a\0b',
    'a'.repeat(100_000),
    '%2e%2e%2f',
    '__proto__',
    ':',
  ];
  const models = { thing: { slug: field.text() } };

  test('are invalid if they could escape the folder, and nothing is written outside the cache', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'astro-luid-paths-'));
    try {
      const items = IDS.map((slug, index) => contentOf(index + 1, 'thing', { slug }));
      const { context, entries } = createLoaderContext(join(folder, 'a/b/cache'));
      await defineSpace({ ...connectionTo(serveItems(items)), models, onInvalid: 'skip' })
        .loader('thing', { id: 'slug' })
        .load(context);
      expect(entries().map(({ id }) => id)).toEqual(['__proto__', ':']);
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
        one.isFile(),
      );
      expect(files.length).toBeGreaterThan(1);
      for (const { parentPath, name } of files) {
        expect(join(parentPath, name)).toMatch(/\/a\/b\/cache\/astro-luid\/v\d+\/[\da-f]{40}\/\w+\/[\w-]+$/);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.each(['../../x', '__proto__', '1.0', 1.5, -1, Number.MAX_VALUE, null, { a: 1 }, [1]])(
    'are rejected as _id: %j',
    async (id) => {
      const items = [{ ...contentOf(1, 'thing', { slug: 'a' }), _id: id } as unknown as AnyContent];
      const { context } = createLoaderContext();
      const loading = defineSpace({ ...connectionTo(serveItems(items)), models })
        .loader('thing')
        .load(context);
      await expect(loading).rejects.toThrow(/invalid _id|_id is/);
    },
  );

  test.each(['../x', 'a/b', '..', 'a:b', 'A', ''])('are rejected as names of models: %j', (model) => {
    expect(() => defineSpace({ models: { [model]: { a: field.text() } } })).toThrow('is not a LUID');
  });
});

describe('content with a wrong or missing model', () => {
  const models = { thing: { slug: field.text() }, other: { name: field.text() } };
  const load = (fetch: typeof globalThis.fetch) =>
    defineSpace({ ...connectionTo(fetch), models })
      .loader('thing')
      .load(createLoaderContext().context);
  /** Responds with these items to requests for the model thing. */
  const sending = (...data: unknown[]): typeof fetch => {
    return async (input) => {
      const { searchParams } = new URL(String(input));
      const limit = Number(searchParams.get('limit') ?? 100);
      const sent = searchParams.get('model')?.startsWith('thing') ? data : [];
      return Response.json({ total: sent.length, offset: 0, limit, data: sent });
    };
  };
  const thing = contentOf(1, 'thing', { slug: 'a' });

  test.each(['../../x', 'unknown', '__proto__', 7, null, ['thing'], { thing: 1 }])(
    'is rejected if the model was not requested: _model is %j',
    async (model) => {
      await expect(load(sending({ ...thing, _model: model }))).rejects.toThrow(
        `the list has content of ${JSON.stringify(model)}, which was not requested`,
      );
    },
  );

  test('is rejected if its id was not requested: what it replaces would seem to be deleted', async () => {
    const client = createClient({ ...connectionTo(sending(thing, contentOf(3, 'thing', {}))), models });
    const listing = (ids: number[]) => client.contents.list('thing', { where: { _id: { in: ids } } });
    await expect(listing([1, 2])).rejects.toThrow('the list has content 3, which was not requested');
    expect((await listing([3, 2, 1])).data).toHaveLength(2);
  });

  test('is rejected without a model', async () => {
    const { _model, ...item } = thing;
    await expect(load(sending(item))).rejects.toThrow('Content 1 in the response has no _model');
  });

  test.each([[{ toString: 1 }], [['a']], [7], [true]])(
    'is reported without its title if that is not a string: %j',
    async (title) => {
      const loading = load(serveItems([{ ...thing, _title: title } as unknown as AnyContent]));
      await expect(loading).rejects.toThrow(
        /^ {2}thing\._title: 1 item.*\n {4}thing 1: expected a string, found /m,
      );
    },
  );
});
