import type { LiveLoader } from 'astro/loaders';
import { describe, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import { defineSpace, type Entry, field } from '../../../src/index.ts';

const space = defineSpace({
  languages: { main: 'ja', sub: ['en'] },
  models: {
    author: { name: field.text({ required: true }), mentor: field.reference('author') },
    category: { name: field.text(), parent: field.reference('category') },
    article: {
      title: field.text({ required: true }),
      featured: field.boolean(),
      cover: field.media(),
      author: field.reference('author'),
      category: field.reference('category'),
      about: field.reference(),
      either: field.reference(['author', 'category']),
      related: field.repeat({ article: field.reference('article'), by: field.reference('author') }),
      seo: field.fieldSet({ editor: field.reference('author') }),
      sections: field.combination({
        hero: { link: field.reference(['article', 'author']), text: field.text() },
        list: { rows: field.repeat({ to: field.reference('author') }) },
      }),
    },
  },
});

type DataOf<L extends { schema: unknown }> = z.output<L['schema'] & z.ZodType>;
type LiveData<L> = L extends LiveLoader<infer D, infer _E, infer _C, infer _X> ? D : never;
const articles = { from: 'article', by: 'author' } as const;

describe('a list of backlinks', () => {
  test('is an array of items, with references as ids or resolved to its depth', () => {
    const loader = space.loader('author', {
      backlinks: {
        articles: { from: 'article', by: 'author' },
        deep: { from: 'article', by: 'author', depth: 2 },
        students: { from: 'author', by: 'mentor', depth: 1 },
      },
    });
    type Data = DataOf<typeof loader>;
    expectTypeOf<Data['articles']>().toEqualTypeOf<Entry<typeof space, 'article', 0>[]>();
    expectTypeOf<Data['deep']>().toEqualTypeOf<Entry<typeof space, 'article', 2>[]>();
    expectTypeOf<Data['students']>().toEqualTypeOf<Entry<typeof space, 'author', 1>[]>();
    expectTypeOf<Data['articles'][number]['author']>().toEqualTypeOf<number | null>();
    expectTypeOf<Data['name']>().toEqualTypeOf<string>();
    expectTypeOf<Data>().not.toHaveProperty('others');
  });

  test('is beside what other options add, and kept with `fields`', () => {
    const loader = space.loader('author', {
      fields: ['name'],
      langs: ['ja', 'en'],
      neighbours: { order: 'name' },
      backlinks: { articles },
    });
    type Data = DataOf<typeof loader>;
    expectTypeOf<Data['articles'][number]['title']>().toEqualTypeOf<string>();
    expectTypeOf<Data['_lang']>().toEqualTypeOf<'ja' | 'en'>();
    expectTypeOf<NonNullable<Data['_prev']>['id']>().toEqualTypeOf<string>();
    expectTypeOf<Data>().not.toHaveProperty('mentor');
  });

  test('has the same type in a live collection, and in a preview', async () => {
    const live = space.liveLoader('author', { backlinks: { articles } });
    expectTypeOf<LiveData<typeof live>['articles']>().toEqualTypeOf<Entry<typeof space, 'article', 0>[]>();
    const preview = () =>
      space.getPreviewEntry({} as never, 'author', { from: 'replica', backlinks: { articles } });
    type Preview = NonNullable<Awaited<ReturnType<typeof preview>>>;
    expectTypeOf<Preview['data']['articles'][number]['title']>().toEqualTypeOf<string>();
  });

  test('adds nothing if there is none', () => {
    const [none, plain] = [space.loader('author', { backlinks: {} }), space.loader('author')];
    expectTypeOf<DataOf<typeof none>>().toEqualTypeOf<DataOf<typeof plain>>();
  });
});

describe('the options of a list', () => {
  test('are those that run time takes', () => {
    for (const by of [
      'author',
      'about',
      'either',
      'related.by',
      'related[].by',
      'seo.editor',
      'sections.hero.link',
      'sections.list.rows.to',
      'sections.list.rows[].to',
    ] as const) {
      space.loader('author', { backlinks: { list: { from: 'article', by } } });
    }
    space.loader('article', { backlinks: { list: { from: 'article', by: 'related.article' } } });
    space.loader('author', {
      backlinks: {
        list: {
          ...articles,
          where: { featured: { eq: true }, 'category.name': { contains: 'x' }, _title: { eq: 'x' } },
          order: ['-title', '_id'],
          limit: 3,
          depth: 1,
        },
      },
    });
  });

  test('are no others', () => {
    // @ts-expect-error: not a model
    space.loader('author', { backlinks: { list: { from: 'artcle', by: 'author' } } });
    // @ts-expect-error: not a field
    space.loader('author', { backlinks: { list: { from: 'article', by: 'auhtor' } } });
    // @ts-expect-error: not a reference
    space.loader('author', { backlinks: { list: { from: 'article', by: 'title' } } });
    // @ts-expect-error: refers to another model
    space.loader('author', { backlinks: { list: { from: 'article', by: 'category' } } });
    // @ts-expect-error: refers to another model, in a group
    space.loader('author', { backlinks: { list: { from: 'article', by: 'related.article' } } });
    // @ts-expect-error: a group
    space.loader('author', { backlinks: { list: { from: 'article', by: 'sections.hero' } } });
    // @ts-expect-error: brackets after a field set
    space.loader('author', { backlinks: { list: { from: 'article', by: 'seo[].editor' } } });
    // @ts-expect-error: a model that does not refer to it
    space.loader('author', { backlinks: { list: { from: 'category', by: 'parent' } } });
    // @ts-expect-error: no field
    space.loader('author', { backlinks: { list: { from: 'article' } } });
    // @ts-expect-error: no model
    space.loader('author', { backlinks: { list: { by: 'author' } } });
    // @ts-expect-error: a field of that name
    space.loader('author', { backlinks: { name: { from: 'article', by: 'author' } } });
    // @ts-expect-error: a system property
    space.loader('author', { backlinks: { _prev: { from: 'article', by: 'author' } } });
    // @ts-expect-error: one of two is wrong
    space.loader('author', { backlinks: { articles, more: { from: 'article', by: 'title' } } });
    // @ts-expect-error: unknown option
    space.loader('author', { backlinks: { list: { ...articles, sort: 'title' } } });
    // @ts-expect-error: a field of another model
    space.loader('author', { backlinks: { list: { ...articles, order: 'name' } } });
    // @ts-expect-error: has no order
    space.loader('author', { backlinks: { list: { ...articles, order: ['title', 'cover'] } } });
    // @ts-expect-error: a field of another model
    space.loader('author', { backlinks: { list: { ...articles, where: { name: { eq: 'x' } } } } });
    // @ts-expect-error: one of two conditions
    space.loader('author', { backlinks: { list: { ...articles, where: { title: {}, nmae: {} } } } });
    // @ts-expect-error: no operator
    space.loader('author', { backlinks: { list: { ...articles, where: { title: 'x' } } } });
    // @ts-expect-error: an operand of another type
    space.loader('author', { backlinks: { list: { ...articles, where: { title: { eq: 3 } } } } });
    // @ts-expect-error: an operator
    space.loader('author', { backlinks: { list: { ...articles, where: { featured: { contains: 'x' } } } } });
    // @ts-expect-error: a number
    space.loader('author', { backlinks: { list: { ...articles, limit: '3' } } });
    // @ts-expect-error: from 0 to 10
    space.loader('author', { backlinks: { list: { ...articles, depth: 11 } } });
    // @ts-expect-error: a list of options
    space.loader('author', { backlinks: { list: 'article' } });
    // @ts-expect-error: not from the service
    space.liveLoader('author', { from: 'service', backlinks: { articles } });
    // @ts-expect-error: not a field
    space.liveLoader('author', { backlinks: { list: { from: 'article', by: 'x' } } });
    // @ts-expect-error: not from the service, which is the default
    space.getPreviewEntry({} as never, 'author', { backlinks: { articles } });
  });
});
