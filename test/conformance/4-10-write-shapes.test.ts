import { describe, expect, it } from 'vitest';
import { startServer } from './http.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { readItem } = server;
const { create, patch, expectRejected, replace, send } = createWriter(server);

/** A value sent for the field of `every` that is named for its type, as it is read afterwards. */
async function written(luid: string, value: unknown, query = ''): Promise<unknown> {
  const id = await create('every', { fields: { [luid]: value } });
  return (await readItem(id, query, 'all'))[luid];
}

/** Values that cannot be sent for a field, whether an item is created, replaced or updated. */
async function expectAllRejected(model: string, luid: string, values: readonly unknown[]): Promise<void> {
  const id = await create(model, { fields: {} });
  for (const value of values) {
    const body = { fields: { [luid]: value } };
    const what = `${luid}: ${JSON.stringify(value)}`;
    await expectRejected(() => send('POST', `/contents?model=${model}`, body), 400, what);
    await expectRejected(() => send('PUT', `/contents/${id}?model=${model}`, body), 400, what);
    await expectRejected(() => send('PATCH', `/contents/${id}?model=${model}`, body), 400, what);
    await expectRejected(
      () => send('POST', `/contents?model=${model}`, { 'fields[en]': body.fields }),
      400,
      what,
    );
  }
}

describe('the value that is sent', () => {
  it('§4.10 single-line text is a string', async () => {
    expect(await written('text', 'a, b "c" é 青')).toBe('a, b "c" é 青');
    await expectAllRejected('every', 'text', [1, true, ['a'], { a: 1 }]);
  });

  it('§4.10 multi-line text is a string with line breaks', async () => {
    expect(await written('multiline', 'first\r\nsecond\nthird\n')).toBe('first\r\nsecond\nthird\n');
    await expectAllRejected('every', 'multiline', [1, false, ['a']]);
  });

  it('§4.10 boolean is a boolean', async () => {
    expect(await written('boolean', true)).toBe(true);
    expect(await written('boolean', false)).toBe(false);
    await expectAllRejected('every', 'boolean', ['true', 1, 0, {}, ['x']]);
  });

  it('§4.10 single select is the option value', async () => {
    expect(await written('select', 'two')).toBe('two');
    await expectAllRejected('every', 'select', ['three', 'One', 1, ['one'], true]);
  });

  it('§4.10 single select without declared options accepts any value', async () => {
    const id = await create('filler', { fields: { group: 'whatever' } });
    expect((await readItem(id, '', 'all')).group).toBe('whatever');
  });

  it('§4.10 multi select is not supported', async () => {
    await expectAllRejected('every', 'multi_select', [['one'], ['one', 'two'], 'one', [1], { 0: 'one' }]);
  });

  it('§4.10 multi select is not supported inside a group either', async () => {
    await expectRejected(() =>
      send('POST', '/contents?model=article', { fields: { seo: { choices: ['x'] } } }),
    );
    await expectRejected(() =>
      send('POST', '/contents?model=article', { fields: { related: [{ choices: ['x'] }] } }),
    );
  });

  it('§4.10 datetime is ISO 8601 extended, returned as UTC', async () => {
    expect(await written('datetime', '2026-05-01T09:00:00+09:00')).toBe('2026-05-01T00:00:00Z');
    expect(await written('datetime', '2026-05-01T00:00:00Z')).toBe('2026-05-01T00:00:00Z');
    expect(await written('datetime', '2026-04-30T19:00:00-05:00')).toBe('2026-05-01T00:00:00Z');
    await expectAllRejected('every', 'datetime', [
      'yesterday',
      '2026-05-01',
      '20260501T000000Z',
      '2026-02-30T00:00:00Z',
      '2026-05-01T25:00:00Z',
      1_777_593_600,
      true,
    ]);
  });

  it('§4.10 media is a media id', async () => {
    expect(await written('media', 900)).toMatchObject({ alt: '青い板' });
    await expectAllRejected('every', 'media', ['900', 900.5, -900, { id: 900 }, [900], true]);
  });

  it('§4.10 media must exist and not be archived', async () => {
    await expectAllRejected('every', 'media', [999999, 901, 101]);
  });

  it('§4.10 a content reference is a content id', async () => {
    expect(await written('reference', 201)).toMatchObject({ _id: 201, name: '花子' });
    expect(await written('reference', 201, 'depth=0')).toBe(201);
    await expectAllRejected('every', 'reference', ['201', 201.5, -201, { _id: 201 }, [201], true]);
  });

  it('§4.10 referenced content must exist and not be archived', async () => {
    await expectAllRejected('every', 'reference', [999999, 203, 900]);
  });

  it('§4.10 referenced content must be of a model that the field allows', async () => {
    await expectAllRejected('every', 'reference', [101, 301]);
    const id = await create('link', { fields: { to: 301 } });
    expect((await readItem(id, '', 'all')).to).toMatchObject({ _id: 301 });
  });

  it('§4.10 a reference may be to a draft, and to the item itself', async () => {
    expect(await written('reference', 204)).toMatchObject({ name: '下書き' });
    const id = await create('link', { fields: { label: 'me' } });
    await patch(id, 'link', { fields: { to: id } });
    expect((await readItem(id, '', 'all')).to).toMatchObject({ _id: id, to: id });
  });

  it('§4.10 a repeat is an array of objects', async () => {
    expect(await written('repeat', [{ text: 'a', number: true }, {}, { text: 'c' }])).toEqual([
      { text: 'a', number: true },
      { text: '', number: null },
      { text: 'c', number: null },
    ]);
    await expectAllRejected('every', 'repeat', [
      { text: 'a' },
      'a',
      ['a'],
      [null],
      [{ nope: 'a' }],
      [{ text: 'a' }, { text: 1 }],
    ]);
  });

  it('§4.10 a field set is an object', async () => {
    expect(await written('field_set', { text: 'inside' })).toEqual({ text: 'inside' });
    await expectAllRejected('every', 'field_set', [
      'inside',
      '',
      [],
      [{ text: 'a' }],
      { nope: 'a' },
      { text: 1 },
      5,
    ]);
  });

  it('§4.10 a combination is an array of luid and fields', async () => {
    const blocks = [
      { luid: 'block', fields: { text: 'first' } },
      { luid: 'block', fields: { text: 'second' } },
    ];
    expect(await written('combination', blocks)).toEqual(blocks);
    await expectAllRejected('every', 'combination', [
      { luid: 'block', fields: {} },
      [{ fields: { text: 'a' } }],
      [{ luid: 'nope', fields: {} }],
      [{ luid: 'block', fields: { nope: 'a' } }],
      [{ luid: 'block', fields: { text: 1 } }],
      [{ luid: 'block', fields: 'a' }],
      ['block'],
      [{ luid: 'constructor', fields: {} }],
    ]);
  });

  it('§4.10 links inside groups are ids, and are checked', async () => {
    const id = await create('article', {
      fields: {
        related: [{ article: 101, person: 201, picture: 900 }],
        sections: [{ luid: 'quote', fields: { text: 'said', speaker: 202 } }],
        seo: { person: 202, picture: 900 },
      },
    });
    expect(await readItem(id, '', 'all')).toMatchObject({
      related: [{ article: { _id: 101 }, person: { _id: 201 }, picture: { alt: '青い板' } }],
      sections: [{ luid: 'quote', fields: { text: 'said', speaker: { _id: 202 } } }],
      seo: { person: { _id: 202 }, picture: { alt: '青い板' } },
    });
    await expectAllRejected('article', 'related', [
      [{ article: 201 }],
      [{ picture: 901 }],
      [{ person: 999999 }],
    ]);
    await expectAllRejected('article', 'sections', [[{ luid: 'quote', fields: { speaker: 203 } }]]);
    await expectAllRejected('article', 'seo', [{ person: 101 }, { picture: 999999 }]);
  });

  it('§4.10 flexible text is a string', async () => {
    expect(await written('flexible_text', '<p>text</p>')).toBe('<p>text</p>');
    await expectAllRejected('every', 'flexible_text', [1, { html: 'x' }, ['<p>x</p>']]);
  });

  it('§4.3 writeFlexibleText: flexible text is accepted or rejected', async () => {
    const id = await create('every', { fields: {} });
    server.emulator.assumptions.writeFlexibleText = 'refuse';
    const body = { fields: { flexible_text: '<p>x</p>' } };
    await expectRejected(() => send('POST', '/contents?model=every', body));
    await expectRejected(() => send('PUT', `/contents/${id}?model=every`, body));
    server.emulator.assumptions = {};
    await replace(id, 'every', body);
    expect((await readItem(id, '', 'all')).flexible_text).toBe('<p>x</p>');
  });

  it('§4.10 null empties any field', async () => {
    const empty = Object.fromEntries(
      ['text', 'multiline', 'boolean', 'select', 'datetime', 'media', 'reference', 'repeat'].map((luid) => [
        luid,
        null,
      ]),
    );
    await patch(401, 'every', { fields: { ...empty, combination: null, field_set: null } }, 'published=true');
    expect(await readItem(401)).toMatchObject({
      text: '',
      multiline: '',
      boolean: null,
      select: null,
      datetime: null,
      media: null,
      reference: null,
      repeat: [],
      combination: [],
      multi_select: ['two', 'one'],
    });
  });

  it('§4.10 a field that the model does not have is rejected', async () => {
    for (const luid of ['nope', 'Text', '_title', '_id', 'title', '__proto__', 'constructor', '']) {
      const body = `{"fields": {${JSON.stringify(luid)}: "x"}}`;
      const init = { method: 'POST', key: 'all', body, headers: { 'content-type': 'application/json' } };
      await expectRejected(() => server.request('/contents?model=every', init), 400, luid);
    }
  });
});
