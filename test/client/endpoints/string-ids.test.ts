import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convertStringIds } from '../../../src/client/endpoints/string-ids.ts';
import { createClient } from '../../../src/client/index.ts';
import { field } from '../../../src/index.ts';
import { fetchStringIds } from '../fetch-string-ids.ts';
import { models, startSampleService } from '../sample-service.ts';
import { scripted } from '../scripted-service.ts';

const MAP = {
  note: {
    text: field.text(),
    about: field.reference(),
    list: field.repeat({ to: field.reference('note'), _id: field.text() }),
    blocks: field.combination({ link: { to: field.reference() } }),
    set: field.fieldSet({ to: field.reference(), set: field.fieldSet({ to: field.reference() }) }),
  },
};

/** The JSON after its ids were made numbers. */
function numbered(json: unknown, map: Parameters<typeof convertStringIds>[1] = MAP) {
  const copy = structuredClone(json);
  return { json: copy, ...convertStringIds(copy, map) };
}

describe('ids in JSON', () => {
  test.each([
    ['_id', { _id: '12' }, { _id: 12 }],
    ['_id of embedded content and neighbours', { _prev: { _id: '1' }, a: [{ b: { _id: '2' } }] }, undefined],
    ['a reference', { _model: 'note', about: '7' }, { _model: 'note', about: 7 }],
    ['a reference of embedded content', { x: { _id: '1', _model: 'note', about: '7' } }, undefined],
    ['a reference in a repeat', { _model: 'note', list: [{ to: '1' }, { to: '2' }] }, undefined],
    [
      'a reference in a block',
      { _model: 'note', blocks: [{ luid: 'link', fields: { to: '1' } }] },
      undefined,
    ],
    ['a reference in field sets', { _model: 'note', set: { to: '1', set: { to: '2' } } }, undefined],
  ])('%s becomes a number', (_, json, result) => {
    const byHand = JSON.parse(JSON.stringify(json).replaceAll(/"(\d+)"/g, '$1'));
    expect(numbered(json)).toEqual({ json: result ?? byHand, found: true });
  });

  test.each([
    ['text', { _model: 'note', text: '7' }],
    ['a field of a model that is not declared', { _model: 'other', about: '7' }],
    [
      'a field of a block that is not declared',
      { _model: 'note', blocks: [{ luid: 'x', fields: { to: '1' } }] },
    ],
    ['a field of a group that is called _id', { _model: 'note', list: [{ _id: '7' }] }],
    ['numbers', { _id: 7, _model: 'note', about: 8, list: [{ to: 9 }] }],
    ['a string with other characters', { _id: '7a', _model: 'note', about: ' 7' }],
    ['leading zeros, a sign or a fraction', { a: { _id: '007' }, b: { _id: '-7' }, c: { _id: '7.0' } }],
    ['nothing', { _model: 'note', about: null, blocks: [null, 'x', { luid: 'link' }], list: 'x' }],
    ['names that every object has', { _model: 'constructor', toString: '7', blocks: [{ luid: 'valueOf' }] }],
  ])('%s is left alone', (_, json) => {
    expect(numbered(json)).toEqual({ json, found: false });
  });

  test('a reference whose LUID is __proto__ becomes a number too', () => {
    const map = { note: JSON.parse('{ "__proto__": { "type": "reference" } }') };
    const { json } = numbered(JSON.parse('{ "_model": "note", "__proto__": "7" }'), map);
    expect(JSON.stringify(json)).toBe('{"_model":"note","__proto__":7}');
  });

  test.each(['9007199254740993', '9007199254740992', '9'.repeat(400)])('%s is too large', (id) => {
    expect(numbered({ data: [{ _id: id }] }).tooLarge).toMatch(
      `_id is ${id.slice(0, 80)}, which is too large`,
    );
    expect(numbered({ _model: 'note', about: id }).tooLarge).toMatch(
      `about is ${id.slice(0, 80)}, which is too large`,
    );
  });

  test('the largest number that JavaScript holds exactly is an id', () => {
    expect(numbered({ _id: '9007199254740991' })).toMatchObject({
      json: { _id: 9007199254740991 },
      found: true,
    });
  });

  test('a number that JSON.parse rounded is too large', () => {
    expect(numbered(JSON.parse('{ "a": { "_id": 9007199254740993 } }')).tooLarge).toMatch(
      '_id is 9007199254740992',
    );
  });
});

describe('a client of a service that sends ids as strings', () => {
  let sample: Awaited<ReturnType<typeof startSampleService>>;
  beforeAll(async () => {
    sample = await startSampleService({ rateLimit: false });
  });
  afterAll(() => sample.service.close());
  const clients = () => {
    const options = { baseUrl: sample.service.baseUrl, apiKey: 'drafts', models };
    return [createClient(options), createClient({ ...options, fetch: fetchStringIds() })] as const;
  };

  test('lists the same as from one that sends numbers, at every depth', async () => {
    const [numbers, strings] = clients();
    for (const depth of [0, 1, 2] as const) {
      const query = { depth, order: '_id' } as const;
      expect(await strings.contents.all('article', query)).toEqual(
        await numbers.contents.all('article', query),
      );
    }
  });

  test('gets an item, with its neighbours', async () => {
    const [numbers, strings] = clients();
    const query = { include: ['_prev', '_next'], neighbours: { model: 'article', order: '_id' } } as const;
    const item = await strings.contents.get(12, query as never);
    expect(item).toEqual(await numbers.contents.get(12, query as never));
    expect(item).toMatchObject({ _id: 12, _prev: { _id: 11 }, _next: { _id: 13 } });
  });

  test('gets ids of what it writes', async () => {
    const [numbers, strings] = clients();
    const { id } = await strings.contents.create('author', { fields: { name: 'Sato' } });
    expect(await numbers.contents.get(id)).toMatchObject({ _id: id, name: 'Sato' });
  });
});

test('an id above 2^53 is refused by name, with a hint that is about ids', async () => {
  const item = { _id: '9007199254740993', _model: 'note' };
  const { client, clock } = scripted(() => Response.json({ total: 1, offset: 0, limit: 100, data: [item] }));
  const listed = clock.run(client.contents.list('note'));
  await expect(listed).rejects.toMatchObject({
    name: 'LuidResponseError',
    message: expect.stringMatching(
      /_id is 9007199254740993, which is too large .*\n {2}→ JavaScript numbers are exact up to/,
    ),
  });
});
