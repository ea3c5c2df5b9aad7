import { describe, expectTypeOf, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { defineSpace, type Entry, field, type Media } from '../../../src/index.ts';
import type { MediaWithPlaceholder } from '../../../src/models/field-types/media.ts';

const models = {
  author: { name: field.text({ required: true }), portrait: field.media(), best: field.reference('article') },
  article: {
    title: field.text({ required: true }),
    lead: field.multiline(),
    body: field.flexibleText(),
    featured: field.boolean(),
    category: field.select(['news', 'event']),
    tags: field.multiSelect(['sea', 'hill']),
    starts_at: field.datetime(),
    cover: field.media({ placeholder: true, required: true }),
    kind: field.select(['a', 'b'], { required: true }),
    author: field.reference('author', { required: true }),
    any: field.reference(),
    related: field.repeat({ article: field.reference('article'), note: field.text(), at: field.datetime() }),
    sections: field.combination({ quote: { text: field.multiline() } }),
    seo: field.fieldSet({ description: field.text(), at: field.datetime() }),
  },
} as const;
const client = createClient({ baseUrl: 'https://cms.example/v1', apiKey: 'k', models });
const { contents } = client;

describe('the result of a read', () => {
  test('is typed by the model, times as the service sends them', async () => {
    const { data, total } = await contents.list('article');
    const [item] = data as [(typeof data)[number]];
    expectTypeOf(total).toEqualTypeOf<number>();
    expectTypeOf(item.title).toEqualTypeOf<string>();
    expectTypeOf(item.starts_at).toEqualTypeOf<string | null>();
    expectTypeOf(item._created_at).toEqualTypeOf<string>();
    expectTypeOf(item.cover).toEqualTypeOf<Media | null>();
    expectTypeOf(item._model).toEqualTypeOf<'article'>();
  });
  test('may be null where a required field is empty, which nothing has checked', async () => {
    const { data } = await contents.list('article', { depth: 2 });
    type Item = (typeof data)[number];
    expectTypeOf<Extract<Item['author'], null>>().toEqualTypeOf<null>();
    expectTypeOf<
      Extract<NonNullable<NonNullable<Item['author']>['best']>['author'], null>
    >().toEqualTypeOf<null>();
    expectTypeOf<Item['kind']>().toEqualTypeOf<'a' | 'b' | null>();
    expectTypeOf<Item['title']>().toEqualTypeOf<string>();
  });
  test('has no placeholders, which a loader adds', async () => {
    const { cover } = await contents.get<'article'>(1);
    expectTypeOf(cover).toEqualTypeOf<Media | null>();
    type Loaded = Entry<{ models: typeof models }, 'article'>;
    expectTypeOf<Loaded['cover']>().toEqualTypeOf<MediaWithPlaceholder>();
    expectTypeOf<Loaded['author']['name']>().toEqualTypeOf<string>();
  });
  test('follows depth', async () => {
    const zero = await contents.get<'article', 0>(1, { depth: 0 });
    expectTypeOf(zero.author).toEqualTypeOf<number | null>();
    const { data } = await contents.list('article', { depth: 2 });
    type Author = NonNullable<(typeof data)[number]['author']>;
    expectTypeOf<NonNullable<Author['best']>['author']>().toEqualTypeOf<number | null>();
    const one = await contents.list('article');
    type AuthorOfOne = NonNullable<(typeof one)['data'][number]['author']>;
    expectTypeOf<AuthorOfOne['name']>().toEqualTypeOf<string>();
  });
  test('follows select, through references, repeats and field sets', async () => {
    const { data } = await contents.list('article', {
      select: ['title', 'author.name', 'related.note', 'seo.at'],
    });
    type Item = (typeof data)[number];
    expectTypeOf<keyof Item>().toEqualTypeOf<'title' | 'author' | 'related' | 'seo'>();
    expectTypeOf<Item['author']>().toEqualTypeOf<{ name: string } | null>();
    expectTypeOf<Item['related']>().toEqualTypeOf<{ note: string }[]>();
    expectTypeOf<Item['seo']>().toEqualTypeOf<{ at: string | null } | null>();
  });
  test('has the id of a reference where depth beats select', async () => {
    const { data } = await contents.list('article', { depth: 0, select: ['author.name' as never] });
    expectTypeOf<(typeof data)[number]>().not.toBeAny();
  });
  test('is a union discriminated by _model for several models', async () => {
    for await (const item of contents.iterate(['article', 'author'])) {
      expectTypeOf(item._model).toEqualTypeOf<'article' | 'author'>();
      if (item._model === 'author') expectTypeOf(item.name).toEqualTypeOf<string>();
    }
    const any = await contents.get(1);
    expectTypeOf(any._model).toEqualTypeOf<'article' | 'author'>();
  });
  test('has the properties of include', async () => {
    const item = await contents.get<'article', 1, never, '_prev' | '_langs'>(1, {
      include: ['_prev', '_langs'],
    });
    expectTypeOf(item._langs.available).toEqualTypeOf<string[]>();
    expectTypeOf<NonNullable<(typeof item)['_prev']>['title']>().toEqualTypeOf<string>();
  });
  test('has of include what is selected', async () => {
    const item = await contents.get<'article', 1, 'title' | '_prev._id', '_prev' | '_langs'>(1, {
      select: ['title', '_prev._id'],
      include: ['_prev', '_langs'],
    });
    expectTypeOf(item.title).toEqualTypeOf<string>();
    expectTypeOf(item._prev?._id).toEqualTypeOf<number | undefined>();
    // @ts-expect-error: it is not selected
    item._langs;
    // @ts-expect-error: it is not selected
    item._prev?.title;
  });
  test('is the same from a space', async () => {
    const space = defineSpace({ models });
    expectTypeOf(space.client()).toEqualTypeOf(client);
  });
  test('is a number for a count, a list for all', async () => {
    expectTypeOf(await contents.count('article')).toEqualTypeOf<number>();
    expectTypeOf((await contents.all('author', { select: ['name'] }))[0]).toEqualTypeOf<
      { name: string } | undefined
    >();
  });
});

describe('what a query takes', () => {
  test('are the operators of §4.1 for each type, also through paths', () => {
    contents.list('article', {
      where: {
        title: { eq: 'a', in: ['a', 'b'], contains: ['a', 'b'] },
        lead: { contains: 'a' },
        body: { contains: 'a' },
        featured: { eq: true },
        category: { eq: 'news', in: ['event'] },
        tags: { has: 'sea' },
        starts_at: { gte: new Date(), lt: '2026-01-01T00:00:00Z' },
        author: { eq: 5, in: [1, 2] },
        'author.name': { contains: 'x' },
        'seo.description': { in: ['a'] },
        'seo.at': { gt: new Date() },
        'related.note': { eq: 'a' },
        'related.article': { eq: 5 },
        'any.title': { eq: 'a' },
        'any.name': { eq: 'a' },
        _id: { in: [1] },
        _updated_at: { gte: new Date() },
        _status: { eq: 'draft' },
        _title: { contains: 'a' },
      },
      order: ['-starts_at', 'title', '-_created_at'],
      contains: ['a', 'b'],
      format: { body: 'markdown' },
      lang: 'en',
      fallback: true,
      space: 'shop',
      limit: 10,
      offset: 20,
    });
    contents.list(['article', 'author'], { where: { title: { eq: 'a' }, name: { eq: 'b' } } });
  });
  test('is nothing else', () => {
    // @ts-expect-error: no such model
    contents.list('artcle');
    // @ts-expect-error: no such field
    contents.list('article', { where: { titel: { eq: 'a' } } });
    // @ts-expect-error: flexible text has no eq
    contents.list('article', { where: { body: { eq: 'a' } } });
    // @ts-expect-error: text has no order
    contents.list('article', { where: { title: { gt: 'a' } } });
    // @ts-expect-error: a time has no eq
    contents.list('article', { where: { starts_at: { eq: new Date() } } });
    // @ts-expect-error: no such option
    contents.list('article', { where: { category: { eq: 'sport' } } });
    // @ts-expect-error: a multi select has `has`
    contents.list('article', { where: { tags: { eq: 'sea' } } });
    // @ts-expect-error: media cannot be filtered
    contents.list('article', { where: { cover: { eq: 1 } } });
    // @ts-expect-error: nor can combinations
    contents.list('article', { where: { sections: { has: 'quote' } } });
    // @ts-expect-error: a reference is filtered by its id
    contents.list('article', { where: { author: { eq: 'Mori' } } });
    // @ts-expect-error: no such field in the author
    contents.list('article', { where: { 'author.title': { eq: 'a' } } });
    // @ts-expect-error: in a repeat only eq
    contents.list('article', { where: { 'related.note': { contains: 'a' } } });
    // @ts-expect-error: a time has no eq, so there is nothing in a repeat
    contents.list('article', { where: { 'related.at': { eq: 'a' } } });
    // @ts-expect-error: not into a combination
    contents.list('article', { where: { 'sections.text': { eq: 'a' } } });
    // @ts-expect-error: system times have no eq either
    contents.list('article', { where: { _updated_at: { eq: new Date() } } });
    // @ts-expect-error: the service resolves to 3
    contents.list('article', { depth: 4 });
    // @ts-expect-error: no such field to order by
    contents.list('article', { order: 'titel' });
    // @ts-expect-error: no such property
    contents.list('article', { select: ['titel'] });
    // @ts-expect-error: no such format
    contents.list('article', { format: { body: 'rtf' } });
    // @ts-expect-error: no such parameter
    contents.list('article', { filter: {} });
    // @ts-expect-error: include is for one item
    contents.list('article', { include: ['_prev'] });
    // @ts-expect-error: no such thing to include
    contents.get(1, { include: ['_self'] });
    // @ts-expect-error: pages are its own business
    contents.iterate('article', { limit: 5 });
  });
});

describe('what a write takes', () => {
  test('are the shapes of §4.10, several languages at once', () => {
    contents.create('article', {
      fields: {
        title: 'a',
        body: '<p>a</p>',
        featured: true,
        category: 'news',
        starts_at: new Date(),
        cover: 900,
        author: 201,
        related: [{ article: 301, note: 'a' }],
        sections: [{ luid: 'quote', fields: { text: 'a' } }],
        seo: { description: 'a' },
      },
      languages: { en: { title: 'b' } },
      published: true,
      space: 'shop',
      textFormat: 'markdown',
    });
    contents.patch('article', 1, { fields: { title: 'a' } });
  });
  test('is nothing else', () => {
    // @ts-expect-error: multi select cannot be written
    contents.create('article', { fields: { tags: ['sea'] } });
    // @ts-expect-error: media by id
    contents.create('article', { fields: { cover: { url: 'a' } } });
    // @ts-expect-error: references by id
    contents.create('article', { fields: { author: { name: 'a' } } });
    // @ts-expect-error: no such field
    contents.replace('article', 1, { fields: { titel: 'a' } });
    // @ts-expect-error: no such set
    contents.create('article', { fields: { sections: [{ luid: 'hero', fields: {} }] } });
    // @ts-expect-error: flexible text cannot be patched
    contents.patch('article', 1, { fields: { body: '<p>a</p>' } });
    contents.patch('article', 1, { fields: { seo: { description: 'a' } } });
    const nested = {
      page: { seo: field.fieldSet({ text: field.flexibleText(), note: field.text() }) },
    } as const;
    const ofPages = createClient({ baseUrl: 'https://cms.example/v1', apiKey: 'k', models: nested }).contents;
    ofPages.patch('page', 1, { fields: { seo: { note: 'a' } } });
    // @ts-expect-error: flexible text cannot be patched, in a group neither
    ofPages.patch('page', 1, { fields: { seo: { text: '<p>a</p>' } } });
    // @ts-expect-error: the same in other languages
    contents.create('article', { languages: { en: { titel: 'a' } } });
  });
});

test('without a model map everything is possible', () => {
  const free = createClient({ baseUrl: 'https://cms.example/v1', apiKey: 'k' });
  free.contents.list('anything', {
    where: { any_field: { eq: 'a' } },
    order: '-any_field',
    select: ['any_field'],
  });
  free.contents.create('anything', { fields: { any_field: 'a' } });
});
