import { describe, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import { liveLoader } from '../../../src/astro/live/live.ts';
import { defineSpace, type Entry, field } from '../../../src/index.ts';
import { ARTICLE_MODELS as models } from '../../space/article-models.ts';

const space = defineSpace({ models, languages: { main: 'ja', sub: ['en', 'de'] } });
const single = defineSpace({ models });

type DataOf<L extends { schema: unknown }> = z.output<L['schema'] & z.ZodType>;

describe('languages', () => {
  test('are those that the space declares', () => {
    space.loader('article', { lang: 'ja' });
    space.loader('article', { lang: 'de', fallback: true });
    space.loader('article', { langs: ['ja', 'en'] });
    space.liveLoader('article', { lang: 'en' });
    liveLoader(space, 'article', { lang: 'en' });
    // @ts-expect-error: not declared
    space.loader('article', { lang: 'fr' });
    // @ts-expect-error: one of them is not declared
    space.loader('article', { langs: ['ja', 'fr'] });
    // @ts-expect-error: one or several
    space.loader('article', { lang: 'ja', langs: ['en'] });
    // @ts-expect-error: not declared
    space.liveLoader('article', { lang: 'fr' });
    // @ts-expect-error: not declared
    liveLoader(space, 'article', { lang: 'fr' });
  });

  test('are none where the space declares none', () => {
    single.loader('article');
    // @ts-expect-error: no languages
    single.loader('article', { lang: 'ja' });
    // @ts-expect-error: no languages
    single.loader('article', { langs: ['ja'] });
    // @ts-expect-error: no languages
    single.liveLoader('article', { lang: 'ja' });
    // @ts-expect-error: no languages
    liveLoader(single, 'article', { lang: 'ja' });
  });

  test('are any where the space’s own are not known to the compiler', () => {
    const keys: string[] = ['en'];
    const wide = defineSpace({ models, languages: { main: 'ja' as string, sub: keys } });
    wide.loader('article', { lang: 'fr' });
    const loader = wide.loader('article', { langs: keys });
    expectTypeOf<DataOf<typeof loader>['_lang']>().toEqualTypeOf<string>();
  });

  test('are declared with their own keys', () => {
    // @ts-expect-error: a list has no main language
    defineSpace({ models, languages: ['ja', 'en'] });
    // @ts-expect-error: misspelt
    defineSpace({ models, languages: { main: 'ja', subs: ['en'] } });
  });

  test('add _lang, _langs and _fallback to data, with `lang` as with `langs`', () => {
    const one = space.loader('article', { lang: 'en' });
    expectTypeOf<DataOf<typeof one>['_lang']>().toEqualTypeOf<'en'>();
    expectTypeOf<DataOf<typeof one>['_fallback']>().toEqualTypeOf<boolean>();
    expectTypeOf<DataOf<typeof one>['_langs']>().toEqualTypeOf<{ current: string; available: string[] }>();
    expectTypeOf<DataOf<typeof one>['title']>().toEqualTypeOf<string>();

    const several = space.loader('article', { langs: ['ja', 'en'] });
    expectTypeOf<DataOf<typeof several>['_lang']>().toEqualTypeOf<'ja' | 'en'>();
    expectTypeOf<DataOf<typeof several>['_fallback']>().toEqualTypeOf<boolean>();

    const none = space.loader('article');
    expectTypeOf<DataOf<typeof none>>().not.toHaveProperty('_lang');
    expectTypeOf<DataOf<typeof none>>().not.toHaveProperty('_fallback');
  });
});

describe('options that name fields', () => {
  test('take those that run time takes', () => {
    for (const id of ['title', 'lead', 'place', 'starts_at', 'author', 'other', '_id'] as const) {
      space.loader('article', { id });
    }
    space.loader('article', { id: ({ title, _id }) => `${title}-${_id}` });
    space.loader('article', { body: 'body', references: { author: 'authors' } });
    space.loader('article', { neighbours: { order: ['-starts_at', 'title', '_id'] } });
    const linked = space.loader('article', { references: { author: 'authors' } });
    expectTypeOf<DataOf<typeof linked>['author']>().toEqualTypeOf<{
      collection: 'authors';
      id: string;
    } | null>();
  });

  test('take no function that returns a field which may be empty: nothing has checked it yet', () => {
    const kinds = defineSpace({ models: { event: { kind: field.select(['a'], { required: true }) } } });
    // @ts-expect-error: it may be null
    kinds.loader('event', { id: ({ kind }) => kind });
    kinds.loader('event', { id: ({ kind, _id }) => kind ?? _id });
  });

  test('take no others', () => {
    // @ts-expect-error: media
    space.loader('article', { id: 'cover' });
    // @ts-expect-error: long text
    space.loader('article', { id: 'body' });
    // @ts-expect-error: a list
    space.loader('article', { id: 'tags' });
    // @ts-expect-error: only two values
    space.loader('article', { id: 'featured' });
    // @ts-expect-error: a group
    space.loader('article', { id: 'seo' });
    // @ts-expect-error: a list of groups
    space.loader('article', { id: 'list' });
    // @ts-expect-error: not a field
    space.loader('article', { id: '_title' });
    // @ts-expect-error: cannot be rendered
    space.loader('article', { body: 'plain' });
    // @ts-expect-error: not flexible text
    space.loader('article', { body: 'title' });
    // @ts-expect-error: not a reference
    space.loader('article', { references: { title: 'authors' } });
    // @ts-expect-error: one of them is not a reference
    space.loader('article', { references: { author: 'authors', title: 'authors' } });
    // @ts-expect-error: the name of a collection
    space.loader('article', { references: { author: true } });
    // @ts-expect-error: has no order
    space.loader('article', { neighbours: { order: 'cover' } });
    // @ts-expect-error: no such field
    space.loader('article', { neighbours: { order: '-titel' } });
    // @ts-expect-error: an order
    space.loader('article', { neighbours: {} });
  });

  test('are called by their names', () => {
    // @ts-expect-error: neighbours
    space.loader('article', { neighbors: { order: 'title' } });
    // @ts-expect-error: apiKey
    defineSpace({ models, apikey: 'k' });
    // @ts-expect-error: true or false
    space.loader('article', { drafts: 'yes' });
    // @ts-expect-error: a number
    space.loader('article', { depth: '2' });
    // @ts-expect-error: fail, stale or { stale }
    defineSpace({ models, onError: 'ignore' });
    // @ts-expect-error: an operator
    space.loader('article', { where: { place: 'hill' } });
  });
});

describe('options that are undefined', () => {
  const data = space.loader('article');
  type Data = DataOf<typeof data>;

  test('add nothing to the type of data, as they add nothing to data', () => {
    const neighbours = space.loader('article', { neighbours: undefined });
    expectTypeOf<DataOf<typeof neighbours>>().toEqualTypeOf<Data>();
    const lang = space.loader('article', { lang: undefined });
    expectTypeOf<DataOf<typeof lang>>().toEqualTypeOf<Data>();
    const langs = space.loader('article', { langs: undefined });
    expectTypeOf<DataOf<typeof langs>>().toEqualTypeOf<Data>();
    const references = space.loader('article', { references: undefined });
    expectTypeOf<DataOf<typeof references>>().toEqualTypeOf<Data>();
    const fields = space.loader('article', { fields: undefined });
    expectTypeOf<DataOf<typeof fields>>().toEqualTypeOf<Data>();
    const backlinks = space.loader('article', { backlinks: undefined });
    expectTypeOf<DataOf<typeof backlinks>>().toEqualTypeOf<Data>();
  });

  test('leave what others add', () => {
    const one = space.loader('article', { lang: undefined, backlinks: undefined, fields: ['title'] });
    expectTypeOf<keyof DataOf<typeof one>>().toEqualTypeOf<(keyof Data & `_${string}`) | 'title'>();
    const two = space.loader('article', { neighbours: undefined, lang: 'en' });
    expectTypeOf<DataOf<typeof two>['_lang']>().toEqualTypeOf<'en'>();
    expectTypeOf<DataOf<typeof two>['_next']>().toEqualTypeOf<Data['_next']>();
  });
});

describe('fields', () => {
  type System = keyof Entry<typeof space, 'author'> & `_${string}`;

  test('leave the others out of the type of data', () => {
    const some = space.loader('article', { fields: ['title', 'cover', 'author'] });
    expectTypeOf<keyof DataOf<typeof some>>().toEqualTypeOf<System | 'title' | 'cover' | 'author'>();
    expectTypeOf<DataOf<typeof some>['title']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<DataOf<typeof some>['author']>['name']>().toEqualTypeOf<string>();

    const none = space.loader('article', { fields: [] });
    expectTypeOf<keyof DataOf<typeof none>>().toEqualTypeOf<System>();

    const all = space.loader('article', { depth: 1 });
    expectTypeOf<DataOf<typeof all>>().toHaveProperty('lead');
  });

  test('keep what other options add, which may use any field', () => {
    const loader = space.loader('article', {
      fields: ['title'],
      id: 'slug',
      body: 'body',
      where: { place: { eq: 'hill' } },
      neighbours: { order: '-starts_at' },
      references: { author: 'authors' },
      langs: ['ja', 'en'],
    });
    type Data = DataOf<typeof loader>;
    expectTypeOf<keyof Data>().toEqualTypeOf<System | 'title' | 'author' | '_lang' | '_fallback'>();
    expectTypeOf<Data['author']>().toEqualTypeOf<{ collection: 'authors'; id: string } | null>();
    expectTypeOf<Data['_lang']>().toEqualTypeOf<'ja' | 'en'>();
    expectTypeOf<NonNullable<Data['_prev']>['id']>().toEqualTypeOf<string>();
  });

  test('may be a list that is declared elsewhere', () => {
    const list = ['title', 'slug'] as const;
    const loader = space.loader('article', { fields: list });
    expectTypeOf<keyof DataOf<typeof loader>>().toEqualTypeOf<System | 'title' | 'slug'>();
  });

  test('are fields of the model', () => {
    // @ts-expect-error: no such field
    space.loader('article', { fields: ['title', 'titel'] });
    // @ts-expect-error: system properties are always there
    space.loader('article', { fields: ['_title'] });
    // @ts-expect-error: a field of another model
    space.loader('article', { fields: ['name'] });
    // @ts-expect-error: a list
    space.loader('article', { fields: 'title' });
    // @ts-expect-error: from the service, live entries are whole
    space.liveLoader('article', { from: 'service', fields: ['title'] });
  });
});
