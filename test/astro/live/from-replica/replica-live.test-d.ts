import type { LiveLoader, Loader } from 'astro/loaders';
import { describe, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type { EntryNotFoundError } from '../../../../src/astro/live/serve/entry-not-found-error.ts';
import { defineSpace, type Entry, field, type LuidError } from '../../../../src/index.ts';

const space = defineSpace({
  languages: { main: 'ja', sub: ['en'] },
  models: {
    author: { name: field.text({ required: true }), home: field.reference('place') },
    place: { name: field.text() },
    article: {
      title: field.text({ required: true }),
      slug: field.text(),
      body: field.flexibleText(),
      starts_at: field.datetime(),
      author: field.reference('author'),
    },
  },
});
const collection = 'articles';

/** What `entry.data` is. */
type LiveData<L> = L extends LiveLoader<infer D, infer _E, infer _C, infer _X> ? D : never;
type BuiltData<L extends Pick<Loader, 'name'> & { schema: z.ZodType }> = z.output<L['schema']>;
type Filters<L> = L extends LiveLoader<infer _D, infer E, infer C, infer X> ? [E, C, X] : never;

describe('the data of a live entry is that of a built one', () => {
  test('without options, and at a depth', () => {
    const live = space.liveLoader('article');
    const plain = space.loader('article');
    expectTypeOf<LiveData<typeof live>>().toEqualTypeOf<BuiltData<typeof plain>>();
    expectTypeOf<LiveData<typeof live>>().toExtend<Entry<typeof space, 'article'>>();
    const deep = space.liveLoader('article', { depth: 2 });
    const built = space.loader('article', { depth: 2 });
    expectTypeOf<LiveData<typeof deep>>().toEqualTypeOf<BuiltData<typeof built>>();
    expectTypeOf<LiveData<typeof deep>>().toExtend<{ author: { home: { name: string } | null } | null }>();
  });

  test('with references', () => {
    const live = space.liveLoader('article', { references: { author: 'authors' } });
    const built = space.loader('article', { references: { author: 'authors' } });
    expectTypeOf<LiveData<typeof live>>().toEqualTypeOf<BuiltData<typeof built>>();
    expectTypeOf<LiveData<typeof live>['author']>().toEqualTypeOf<{
      collection: 'authors';
      id: string;
    } | null>();
  });

  test('with langs and neighbours', () => {
    const live = space.liveLoader('article', {
      langs: ['ja', 'en'],
      neighbours: { order: '-starts_at' },
    });
    const built = space.loader('article', { langs: ['ja', 'en'], neighbours: { order: '-starts_at' } });
    expectTypeOf<LiveData<typeof live>>().toEqualTypeOf<BuiltData<typeof built>>();
    expectTypeOf<LiveData<typeof live>['_lang']>().toEqualTypeOf<'ja' | 'en'>();
    expectTypeOf<LiveData<typeof live>['_prev']>().toExtend<{ id: string; _title: string } | null>();
  });

  test('with fields', () => {
    const live = space.liveLoader('article', { fields: ['title'] });
    const built = space.loader('article', { fields: ['title'] });
    expectTypeOf<LiveData<typeof live>>().toEqualTypeOf<BuiltData<typeof built>>();
    expectTypeOf<LiveData<typeof live>['title']>().toEqualTypeOf<string>();
    expectTypeOf<BuiltData<typeof built>>().not.toHaveProperty('slug');
  });
});

describe('filters are typed by the model', () => {
  const live = space.liveLoader('article', { langs: ['ja', 'en'] });
  const inOneLanguage = space.liveLoader('article');

  test('and errors are those of the package', () => {
    expectTypeOf<Filters<typeof live>[2]>().toEqualTypeOf<LuidError | EntryNotFoundError>();
  });

  test('of an entry', () => {
    live.loadEntry({ filter: { id: 'ja/harbour' }, collection });
    live.loadEntry({
      filter: { where: { 'author.name': { eq: 'a' } }, order: '-_id', lang: 'en' },
      collection,
    });
    // @ts-expect-error: not one of `langs`
    live.loadEntry({ filter: { where: { slug: { eq: 'a' } }, lang: 'fr' }, collection });
    // @ts-expect-error: a misspelt field
    live.loadEntry({ filter: { where: { titel: { eq: 'a' } } }, collection });
    // @ts-expect-error: §4.1 flexible text has no `eq`
    live.loadEntry({ filter: { where: { body: { eq: 'a' } } }, collection });
    // @ts-expect-error: without `langs`, entries have one language
    inOneLanguage.loadEntry({ filter: { where: { slug: { eq: 'a' } }, lang: 'en' }, collection });
  });

  test('of a collection', () => {
    const filter = {
      where: { starts_at: { lt: new Date() } },
      order: ['title', '-_id'],
      lang: 'ja',
    } as const;
    live.loadCollection({ filter: { ...filter, contains: 'a', limit: 2, offset: 1 }, collection });
    // @ts-expect-error: not one of `langs`
    live.loadCollection({ filter: { lang: 'fr' }, collection });
    // @ts-expect-error: a misspelt field
    live.loadCollection({ filter: { order: 'titel' }, collection });
    // @ts-expect-error: the depth is the loader's
    live.loadCollection({ filter: { depth: 2 }, collection });
    // @ts-expect-error: without `langs`, entries have one language
    inOneLanguage.loadCollection({ filter: { lang: 'ja' }, collection });
  });
});

describe('options are typed by the model', () => {
  test('every option of a loader, and refresh', () => {
    space.liveLoader('article', {
      refresh: '2s',
      depth: 10,
      drafts: true,
      body: 'body',
      fallback: true,
    });
    space.liveLoader('article', {
      refresh: 5000,
      id: ({ slug }) => slug,
      where: { slug: { eq: 'a' } },
    });
    space.liveLoader('article', { lang: 'en' });
    // @ts-expect-error: no such model
    space.liveLoader('articel');
    space.liveLoader('article', { from: 'replica' });
    // @ts-expect-error: another source
    space.liveLoader('article', { from: 'store' });
    // @ts-expect-error: a misspelt field
    space.liveLoader('article', { id: 'slgu' });
    // @ts-expect-error: a misspelt option
    space.liveLoader('article', { refesh: '2s' });
    // @ts-expect-error: not a duration
    space.liveLoader('article', { refresh: 'often' });
    // @ts-expect-error: not a language of the space
    space.liveLoader('article', { langs: ['fr'] });
    // @ts-expect-error: not a field
    space.liveLoader('article', { fields: ['titel'] });
    // @ts-expect-error: not a reference
    space.liveLoader('article', { references: { title: 'authors' } });
  });

  test('from the service, those that it has', () => {
    const live = space.liveLoader('article', { from: 'service', depth: 3, id: 'slug', body: 'body' });
    expectTypeOf<LiveData<typeof live>>().toEqualTypeOf<Entry<typeof space, 'article', 3>>();
    // @ts-expect-error: only from the replica
    space.liveLoader('article', { from: 'service', refresh: '2s' });
    // @ts-expect-error: only from the replica
    space.liveLoader('article', { from: 'service', langs: ['ja', 'en'] });
    // @ts-expect-error: the service goes to 3
    space.liveLoader('article', { from: 'service', depth: 4 });
    // @ts-expect-error: only from the replica
    live.loadCollection({ filter: { lang: 'ja' }, collection });
  });
});
