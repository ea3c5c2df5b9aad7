import { expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import { ARTICLE, AUTHOR, TYPED, testBrieflyHidden } from './briefly-hidden.ts';
import { findWrongBuilds } from './hide-and-show.ts';
import { notes, published } from './loader-site.ts';

testBrieflyHidden('archived and restored', (id) => ({
  hide: ({ contents }) => contents.archive(id),
  show: ({ contents }) => contents.restore(id),
}));

test('an author with English only that is archived and restored while its referrers are read again is in the build', async () => {
  const found = await findWrongBuilds({
    contents: [
      { id: AUTHOR, model: 'author', published: { en: { name: 'Hana' } } },
      { id: 2, model: 'author', draft: { ja: { name: 'Aki' }, en: { name: 'Aki' } } },
      published('article', ARTICLE, { title: 'a' }, { en: { title: 'b', author: AUTHOR, second: 2 } }),
      ...notes(110),
    ],
    models: { ...TYPED, article: { ...TYPED.article, second: field.reference('author') } },
    collection: { model: 'article', lang: 'en' },
    before: ({ contents }) => contents.publish(2),
    hide: ({ contents }) => contents.archive(AUTHOR),
    show: ({ contents }) => contents.restore(AUTHOR),
    lengths: [1],
  });
  expect(found).toEqual([]);
});
