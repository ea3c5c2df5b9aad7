import { expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite } from './test-site.ts';

const MODELS = {
  author: { name: field.text({ title: true }) },
  news: { name: field.text({ title: true }) },
  article: { title: field.text({ title: true }), about: field.reference(['author', 'news']) },
};

function openSite() {
  return openTestSite(MODELS, [
    { id: 1, model: 'author', name: 'Mori' },
    { id: 2, model: 'news', name: 'Sale' },
    { id: 11, model: 'article', title: 'Tea', about: 1 },
    { id: 12, model: 'article', title: 'Train', about: 2 },
  ]);
}

test('a collection that changes to another model, with the same options, has the entries of that model', async () => {
  const site = openSite();
  await site.build({ posts: { model: 'author' } });
  expect(Object.keys(site.entries('posts'))).toEqual(['1']);
  await site.build({ posts: { model: 'news' } });
  expect(Object.keys(site.entries('posts'))).toEqual(['2']);
});

test('references into a collection that changes to another model lead to entries of that model', async () => {
  const site = openSite();
  const articles = { model: 'article', references: { about: 'things' } };
  const targets = () => Object.values(site.entries('articles')).map(({ data }) => data.about);
  await site.build({ articles, things: { model: 'author' } });
  expect(targets()).toEqual([{ collection: 'things', id: '1' }, null]);
  await site.build({ articles, things: { model: 'news' } });
  expect(targets()).toEqual([null, { collection: 'things', id: '2' }]);
});
