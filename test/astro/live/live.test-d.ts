import type { LiveLoader } from 'astro/loaders';
import { describe, expectTypeOf, test } from 'vitest';
import { liveLoader } from '../../../src/astro/live/live.ts';
import type { Entry, LuidError } from '../../../src/index.ts';
import { liveSpace } from './live-space.ts';

const { space } = liveSpace();
const collection = 'articles';
const live = liveLoader(space, 'article', { depth: 2, id: 'slug', body: 'body' });

describe('the result of a live loader', () => {
  test('has the model’s type at the depth', async () => {
    const answer = await live.loadEntry({ filter: { id: 'harbour' }, collection });
    if (!answer || 'error' in answer) {
      if (answer) expectTypeOf(answer.error).toEqualTypeOf<LuidError>();
      return;
    }
    expectTypeOf(answer.data).toEqualTypeOf<Entry<typeof space, 'article', 2>>();
    expectTypeOf(answer.data.author?.home).toExtend<{ name: string } | null | undefined>();
    // @ts-expect-error: a misspelt field
    answer.data.titel;
  });

  test('has all four types of Astro’s LiveLoader, so that Astro can infer the filters', () => {
    type Filters<T> = T extends LiveLoader<infer _D, infer E, infer C, infer X> ? [E, C, X] : never;
    type Found = Filters<typeof live>;
    expectTypeOf<Found[2]>().toEqualTypeOf<LuidError>();
    expectTypeOf<{ id: string }>().toExtend<Found[0]>();
    expectTypeOf<{ where: { slug: { eq: string } } }>().toExtend<Found[0]>();
    expectTypeOf<{ limit: number; order: '-starts_at' }>().toExtend<Found[1]>();
    expectTypeOf<{ where: { starts_at: { eq: string } } }>().not.toExtend<Found[1]>();
  });
});

describe('filters are typed by the model', () => {
  test('of an entry', () => {
    live.loadEntry({
      filter: { where: { title: { eq: 'a' }, 'author.name': { contains: 'b' } } },
      collection,
    });
    // @ts-expect-error: ids are text
    live.loadEntry({ filter: { id: 101 }, collection });
    // @ts-expect-error: §4.1 flexible text has no `eq`
    live.loadEntry({ filter: { where: { body: { eq: 'a' } } }, collection });
    // @ts-expect-error: a misspelt field
    live.loadEntry({ filter: { where: { titel: { eq: 'a' } } }, collection });
  });

  test('of a collection', () => {
    live.loadCollection({
      filter: { where: { starts_at: { lt: new Date() } }, order: ['title', '-_id'] },
      collection,
    });
    // @ts-expect-error: §4.1 a datetime has no `contains`
    live.loadCollection({ filter: { where: { starts_at: { contains: 'a' } } }, collection });
    // @ts-expect-error: a misspelt field
    live.loadCollection({ filter: { order: 'titel' }, collection });
    // @ts-expect-error: the depth is the loader's
    live.loadCollection({ filter: { depth: 2 }, collection });
  });
});

describe('options are typed by the model', () => {
  test('as the loader by itself takes them', () => {
    liveLoader(space, 'article', { id: '_id', lang: 'en', fallback: true, drafts: true });
    // @ts-expect-error: no such model
    liveLoader(space, 'articel');
    // @ts-expect-error: the service goes to 3
    liveLoader(space, 'article', { depth: 4 });
    // @ts-expect-error: an id is asked of the service, which knows no functions
    liveLoader(space, 'article', { id: (item: { slug: string }) => item.slug });
    // @ts-expect-error: not a single-line text
    liveLoader(space, 'article', { id: 'lead' });
    // @ts-expect-error: no flexible text
    liveLoader(space, 'article', { body: 'title' });
    // @ts-expect-error: markdown is not rendered at request time
    liveLoader(space, 'article', { body: 'notes' });
  });

  test('as the space takes them', () => {
    space.liveLoader('article', { from: 'service', depth: 3, id: 'slug', body: 'body' });
    // @ts-expect-error: a function
    space.liveLoader('article', { from: 'service', id: () => 'a' });
    // @ts-expect-error: another model's field
    space.liveLoader('article', { from: 'service', id: 'name' });
  });
});
