import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSampleService } from '../sample-service.ts';
import { empty, scripted } from '../scripted-service.ts';

let sample: Awaited<ReturnType<typeof startSampleService>>;
let client: ReturnType<typeof sample.clientFor>;
let published: ReturnType<typeof sample.clientFor>;

beforeAll(async () => {
  sample = await startSampleService({ rateLimit: false });
  client = sample.clientFor('drafts');
  published = sample.clientFor('published');
});
afterAll(() => sample.service.close());

const png = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);

describe('content (beta)', () => {
  test('§4.3 is created, with values of every type, in several languages at once', async () => {
    const { id } = await client.contents.create('article', {
      fields: {
        title: '新しい記事',
        lead: 'one\ntwo',
        body: '<p>Hello</p>',
        featured: true,
        category: 'event',
        starts_at: new Date('2026-06-01T00:00:00Z'),
        cover: 900,
        author: 1,
        related: [{ article: 11, note: 'see' }],
        sections: [{ luid: 'quote', fields: { text: 'So' } }],
        seo: { description: 'New' },
      },
      languages: { en: { title: 'A new article' } },
      published: true,
    });
    expect(await published.contents.get(id)).toMatchObject({
      _status: 'published',
      title: '新しい記事',
      featured: true,
      category: 'event',
      starts_at: '2026-06-01T00:00:00Z',
      cover: { alt: '港' },
      author: { name: 'Mori' },
      related: [{ article: { title: 'Harbour' }, note: 'see' }],
      sections: [{ luid: 'quote', fields: { text: 'So' } }],
      seo: { description: 'New' },
    });
    expect(await published.contents.get(id, { lang: 'en' })).toMatchObject({ title: 'A new article' });
  });

  test('§4.3 is a draft unless published', async () => {
    const { id } = await client.contents.create('author', { fields: { name: 'Sato' } });
    expect(await client.contents.get(id)).toMatchObject({ _status: 'draft', name: 'Sato' });
    await expect(published.contents.get(id)).rejects.toMatchObject({ status: 404 });
  });

  test('§4.3 takes flexible text as Markdown', async () => {
    const input = { fields: { title: 'Marked', body: '## Heading' }, textFormat: 'markdown' } as const;
    const { id } = await client.contents.create('article', input);
    expect(await client.contents.get(id)).toMatchObject({
      body: expect.stringMatching(/<h2[^>]*>Heading<\/h2>/),
    });
  });

  test('§4.4 is replaced', async () => {
    const { id } = await client.contents.create('article', {
      fields: { title: 'Old', lead: 'kept?' },
      published: true,
    });
    expect(
      await client.contents.replace('article', id, { fields: { title: 'New' }, published: true }),
    ).toEqual({ id });
    expect(await published.contents.get(id)).toMatchObject({ title: 'New', lead: '' });
  });

  test('§4.5 is patched', async () => {
    const { id } = await client.contents.create('article', {
      fields: { title: 'Old', lead: 'kept' },
      published: true,
    });
    expect(await client.contents.patch('article', id, { fields: { title: 'New' }, published: true })).toEqual(
      { id },
    );
    expect(await published.contents.get(id)).toMatchObject({ title: 'New', lead: 'kept' });
  });

  test('§4.6 is duplicated, in its own space', async () => {
    const { id } = await client.contents.duplicate(11);
    expect(await client.contents.get(id)).toMatchObject({ _status: 'draft', title: 'Harbour' });
    const copy = await client.contents.duplicate(2, { space: 'shop' });
    expect(await client.contents.get(copy.id)).toMatchObject({ _space: 'shop', name: 'Tanaka' });
  });

  test('that the service rejects is an error with its status', async () => {
    const wrong = client.contents.create('article', { fields: { author: 99_999 } });
    await expect(wrong).rejects.toMatchObject({ status: 400, code: 'BadRequest' });
    await expect(client.contents.patch('article', 99_999, { fields: {} })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('media (beta)', () => {
  test('§4.7 is uploaded with its alternative texts, used, and §4.8 deleted', async () => {
    const file = new File([png], 'dot.png', { type: 'image/png' });
    const { id } = await client.media.upload(file, { alt: { ja: '点', en: 'A dot' } });
    const article = await client.contents.create('article', {
      fields: { title: 'Dot', cover: id },
      languages: { en: { title: 'Dot', cover: id } },
      published: true,
    });
    const shown = await published.contents.get<'article'>(article.id);
    expect(shown.cover).toMatchObject({ alt: '点' });
    expect((await published.contents.get<'article'>(article.id, { lang: 'en' })).cover).toMatchObject({
      alt: 'A dot',
    });
    const image = await fetch(shown.cover?.url ?? '');
    expect(new Uint8Array(await image.arrayBuffer())).toEqual(png);
    expect(await client.media.delete(id)).toEqual({ id });
    expect((await published.contents.get<'article'>(article.id)).cover).toBeNull();
  });

  test('§4.7 may be any Blob, with a name given', async () => {
    const { id } = await client.media.upload(new Blob(['text'], { type: 'text/plain' }), {
      name: 'note.txt',
      alt: 'A note',
    });
    expect(id).toBeGreaterThan(0);
  });
});

test('§4.5 a patch of another language leaves the main one alone', async () => {
  const { id } = await client.contents.create('article', { fields: { title: 'Main' }, published: true });
  await client.contents.patch('article', id, { languages: { en: { title: 'English' } }, published: true });
  expect(await client.contents.get(id)).toMatchObject({ _status: 'published', title: 'Main' });
  expect(await client.contents.get(id, { lang: 'en' })).toMatchObject({ title: 'English' });
});

test('a value that has a toJSON is written as it returns', async () => {
  const { client, clock, sent } = scripted(() => Response.json({ id: 1 }));
  const money = { amount: Number.NaN, self: {}, toJSON: () => '12 EUR' };
  money.self = money;
  await clock.run(client.contents.patch('item', 1, { fields: { price: money } }));
  expect(JSON.parse(String(sent[0]?.body))).toEqual({ fields: { price: '12 EUR' } });
});

describe('a value that JSON cannot represent is an error before anything is sent', () => {
  test.each<[string, object, string, string]>([
    ['an invalid date', { fields: { at: new Date('x') } }, 'fields.at is an invalid date', 'at'],
    ['NaN', { fields: { author: Number('x') } }, 'fields.author is NaN', 'author'],
    ['Infinity', { fields: { author: Number.POSITIVE_INFINITY } }, 'fields.author is Infinity', 'author'],
    [
      'one in a group',
      { fields: { sections: [{}, { luid: 'a', fields: { at: new Date(Number.NaN) } }] } },
      'fields.sections[1].fields.at is an invalid date',
      'sections[1].fields.at',
    ],
    ['one in another language', { languages: { en: { a: Number.NaN } } }, 'languages.en.a is NaN', 'a'],
  ])('%s', async (_name, input, message, field) => {
    const { client, sent } = scripted(empty);
    const { contents } = client;
    for (const [name, write] of [
      ['create', contents.create('item', input)],
      ['replace', contents.replace('item', 1, input)],
      ['patch', contents.patch('item', 1, input)],
    ] as const) {
      await expect(write).rejects.toMatchObject({
        name: 'LuidConfigError',
        message: expect.stringContaining(`${name}: ${message}, which would be written as null`),
        model: 'item',
        field,
      });
    }
    expect(sent).toEqual([]);
  });

  test('null, which empties a field, and valid dates are sent', async () => {
    const { client, clock, sent } = scripted(() => Response.json({ id: 1 }));
    await clock.run(client.contents.patch('item', 1, { fields: { at: new Date(0), a: null, b: -0.5 } }));
    expect(sent[0]?.body).toBe('{"fields":{"at":"1970-01-01T00:00:00.000Z","a":null,"b":-0.5}}');
  });
});

describe('a write refuses', () => {
  const { client, sent } = scripted(empty);
  const { contents, media } = client;
  const blob = new Blob(['x']);
  test.each<[string, () => Promise<unknown>, string]>([
    [
      'a language, which would overwrite the main one',
      () => contents.patch('item', 1, { fields: {}, lang: 'en' } as never),
      "patch: unknown option 'lang'\n  → Valid options: fields, languages, published, space",
    ],
    [
      'a misspelt option of create',
      () => contents.create('item', { fields: {}, publish: true } as never),
      "create: unknown option 'publish'\n  → Did you mean 'published'?",
    ],
    [
      'another model in the input',
      () => contents.replace('item', 1, { fields: {}, model: 'page' } as never),
      "replace: unknown option 'model'",
    ],
    [
      'a format in a patch, which cannot have flexible text',
      () => contents.patch('item', 1, { textFormat: 'markdown' } as never),
      "patch: unknown option 'textFormat'",
    ],
    [
      'options of the input beside it',
      () => contents.patch('item', 1, { fields: {} }, { published: true } as never),
      "patch: unknown option 'published'\n  → Valid options: signal",
    ],
    [
      'an option of a wrong type',
      () => contents.create('item', { published: 'yes' } as never),
      "create: published must be true or false, got 'yes'",
    ],
    [
      'a format that does not exist',
      () => contents.create('item', { textFormat: 'html' } as never),
      "create: textFormat must be 'portable_html' or 'markdown', got 'html'",
    ],
    [
      'languages without fields',
      () => contents.create('item', { languages: { en: 'x' } } as never),
      'create: languages must be an object of fields by language, got an object',
    ],
    ['no input', () => contents.create('item', undefined as never), 'create: the options must be an object'],
    [
      'a misspelt option of duplicate',
      () => contents.duplicate(1, { spce: 'shop' } as never),
      "Did you mean 'space'?",
    ],
    [
      'a misspelt option of upload',
      () => media.upload(blob, { alts: 'x' } as never),
      "upload: unknown option 'alts'\n  → Did you mean 'alt'?",
    ],
    [
      'an alternative text that is not a string',
      () => media.upload(blob, { alt: { en: 1 } } as never),
      'upload: alt must be a string or an object of strings by language, got an object',
    ],
    ['an option of delete', () => media.delete(1, { force: true } as never), "unknown option 'force'"],
  ])('%s', async (_name, write, message) => {
    await expect(write()).rejects.toMatchObject({
      name: 'LuidConfigError',
      message: expect.stringContaining(message),
    });
    expect(sent).toEqual([]);
  });
});

test('what is undefined is not written, as if it had not been passed', async () => {
  const { client: writer, sent } = scripted(() => Response.json({ id: 1 }));
  const input = { fields: undefined, languages: { en: { title: 'A' }, de: undefined } };
  await writer.contents.create('item', input as never);
  await writer.media.upload(new Blob(['x']), { alt: { en: 'A', de: undefined } as never });
  expect(JSON.parse(String(sent[0]?.body))).toEqual({ 'fields[en]': { title: 'A' } });
  expect(sent).toHaveLength(2);
});
