import { describe, expectTypeOf, test } from 'vitest';
import { collectionKey, defineSpace, type Entry, field } from '../../../src/index.ts';

const space = defineSpace({
  models: {
    author: { name: field.text(), home: field.reference('place') },
    place: { name: field.text() },
    article: {
      title: field.text(),
      date: field.datetime(),
      cover: field.media(),
      author: field.reference('author'),
      parts: field.repeat({ note: field.text() }),
    },
  },
});
declare const articles: { id: string; digest?: string | number; data: Entry<typeof space, 'article', 2> }[];
declare const mixed: (
  | { id: string; data: { title: string } }
  | { id: string; data: { name: string; tags: string[] } }
)[];

test('the key of a collection by its name is a promise', () => {
  expectTypeOf(collectionKey('articles', { fields: ['title'] })).resolves.toBeString();
});

describe('the fields of collectionKey', () => {
  test('are names of fields and system properties', () => {
    expectTypeOf(collectionKey(articles)).toBeString();
    collectionKey(articles, { fields: ['title', 'date', 'cover', '_published_at'] });
    // @ts-expect-error a misspelled field
    collectionKey(articles, { fields: ['titel'] });
    // @ts-expect-error a field of the entry, not of its data
    collectionKey(articles, { fields: ['digest'] });
  });

  test('are paths into objects, lists and referenced content', () => {
    collectionKey(articles, { fields: ['author.name', 'author.home.name', 'parts.note', 'cover.alt'] });
    // @ts-expect-error a misspelled field of referenced content
    collectionKey(articles, { fields: ['author.nme'] });
    // @ts-expect-error a string has no fields
    collectionKey(articles, { fields: ['title.length'] });
    // @ts-expect-error neither has a date
    collectionKey(articles, { fields: ['date.getTime'] });
    // @ts-expect-error nor a list
    collectionKey(articles, { fields: ['parts.length'] });
  });

  test('are those of any of several collections', () => {
    collectionKey(mixed, { fields: ['title', 'name', 'tags'] });
    // @ts-expect-error a field of neither
    collectionKey(mixed, { fields: ['slug'] });
  });

  test('are checked in calls without entries of our own', () => {
    collectionKey([{ id: 'a', data: { title: 'x' } }], { fields: ['title'] });
    // @ts-expect-error data is required
    collectionKey([{ id: 'a', digest: 1 }]);
  });
});
