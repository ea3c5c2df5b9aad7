import { expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite } from './test-site.ts';

const MODELS = {
  person: { name: field.text({ title: true }), mentor: field.reference('person') },
  article: {
    title: field.text({ title: true }),
    author: field.reference('person'),
    any: field.reference(),
    seo: field.fieldSet({ editor: field.reference('person') }),
  },
};

/** So many items that a sync reads only what changed, and article 11 keeps the id of what was removed. */
function openSite() {
  return openTestSite(MODELS, [
    { id: 1, model: 'person', name: 'Mori' },
    { id: 2, model: 'person', name: 'Berg', mentor: 1 },
    { id: 11, model: 'article', title: 'Tea', author: 1, any: 1, seo: { editor: 1 } },
    { id: 12, model: 'article', title: 'Train', author: 2, any: 2, seo: { editor: 2 } },
    ...Array.from({ length: 300 }, (_, n) => ({ id: 100 + n, model: 'person', name: `${n}` })),
  ]);
}

type Item = Record<string, unknown>;
const IDS = {
  field: { model: 'article', id: 'author' },
  function: { model: 'article', id: ({ _id, author }: Item) => `${_id}-by-${author}` },
  inside: {
    model: 'article',
    id: ({ _id, seo }: Item) => `${_id}-by-${(seo as Item | null)?.editor}`,
  },
};
const FILTERS = {
  equal: { model: 'article', depth: 0, where: { author: { eq: 1 } } },
  in: { model: 'article', depth: 0, where: { author: { in: [1, 2] } } },
  untyped: { model: 'article', depth: 0, where: { any: { in: [1, 2] } } },
  inside: { model: 'article', depth: 0, where: { 'seo.editor': { in: [1, 2] } } },
  through: { model: 'article', depth: 0, where: { 'author.mentor': { eq: 1 } } },
  people: { model: 'person', depth: 0, where: { mentor: { eq: 1 } } },
  referring: { model: 'article', depth: 0, references: { author: 'people' } },
  listing: {
    model: 'person',
    depth: 0,
    backlinks: { articles: { from: 'article', by: 'any', where: { author: { in: [1, 2] } } } },
  },
};

test('a reference to content that was removed matches no filter, as in a build without a cache', async () => {
  const site = openSite();
  await site.build(FILTERS);
  const idsOf = (name: string) => Object.keys(site.entries(name));
  expect(['equal', 'in', 'untyped', 'inside', 'through', 'people'].map(idsOf)).toEqual([
    ['11'],
    ['11', '12'],
    ['11', '12'],
    ['11', '12'],
    ['12'],
    ['2'],
  ]);
  site.service.clock.advance(3_600_000);
  site.service.contents.archive(1);
  await site.build(FILTERS);
  const anew = await site.buildAnew(FILTERS);
  for (const name of Object.keys(FILTERS)) expect(site.entries(name), name).toEqual(anew.entries(name));
  expect(['equal', 'in', 'untyped', 'inside', 'through', 'people'].map(idsOf)).toEqual([
    [],
    ['12'],
    ['12'],
    ['12'],
    [],
    [],
  ]);
});

test('a reference to content that was removed is empty in ids, as in a build without a cache', async () => {
  const site = openSite();
  const space = { onInvalid: 'skip' };
  await site.build(IDS, { space });
  const ids = () => Object.keys(IDS).map((name) => Object.keys(site.entries(name)).sort());
  expect(ids()).toEqual([
    ['1', '2'],
    ['11-by-1', '12-by-2'],
    ['11-by-1', '12-by-2'],
  ]);
  site.service.clock.advance(3_600_000);
  site.service.contents.archive(1);
  const lines = await site.build(IDS, { space });
  expect(lines.join('\n')).toContain('has no id: the field author is null');
  expect(ids()).toEqual([['2'], ['11-by-null', '12-by-2'], ['11-by-null', '12-by-2']]);
  const anew = await site.buildAnew(IDS, { space });
  for (const name of Object.keys(IDS)) expect(site.entries(name), name).toEqual(anew.entries(name));
});
