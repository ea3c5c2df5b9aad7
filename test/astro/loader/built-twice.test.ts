import { expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { AstroStore } from '../../histories/astro-store.ts';
import { openTestSite } from './test-site.ts';

// Builds that cannot be complete: something is skipped, unknown or has to be fetched again. With nothing changed, the
// next builds leave the same.

const SERVICE = {
  author: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    author: field.reference('author'),
    cover: field.media(),
    body: field.flexibleText(),
  },
};
const MODELS = {
  ...SERVICE,
  article: {
    ...SERVICE.article,
    author: field.reference('author', { required: true }),
    cover: field.media({ dimensions: true }),
  },
};
const ORDERED = { neighbours: { order: 'title' }, langs: ['ja', 'en'], fallback: true };
const COLLECTIONS = {
  articles: { model: 'article', ...ORDERED },
  titled: { model: 'article', id: 'title', fields: ['title', 'cover'], body: 'body' },
  authors: { model: 'author', backlinks: { articles: { from: 'article', by: 'author', limit: 2 } } },
};

function openSite() {
  const article = (id: number, values: object = {}) => ({
    id,
    model: 'article',
    title: `A${id}`,
    author: 1,
    cover: 900,
    body: '<p>text</p>',
    ...values,
  });
  return openTestSite(
    SERVICE,
    [{ id: 1, model: 'author', name: 'Mori' }, article(11), article(12), article(13), article(14)],
    [{ id: 900, file: 'cover.png' }],
  );
}

type Site = ReturnType<typeof openSite>;
const SPACE = { onInvalid: 'skip', models: MODELS };
const snapshot = (site: Site) => Object.keys(COLLECTIONS).map((name) => site.entries(name));

const STATES: readonly [string, (site: Site) => void, (site: Site) => void, Record<string, unknown>][] = [
  ['an entry is skipped', (site) => site.service.contents.edit(12, { author: null }), () => {}, SPACE],
  ['an entry has no id', (site) => site.service.contents.edit(12, { title: '' }), () => {}, SPACE],
  ['an entry is rejected by the schema of the site', () => {}, () => {}, SPACE],
  ['an image cannot be read', () => {}, () => {}, { ...SPACE, assetsUrl: 'http://unreachable.test/assets' }],
  ['a segment is damaged', () => {}, (site) => site.damageSegments(), SPACE],
  [
    'a segment is damaged and an entry is skipped',
    (site) => site.service.contents.edit(12, { author: null }),
    (site) => site.damageSegments(),
    SPACE,
  ],
];

test.each(STATES)(
  'if %s, builds with nothing changed leave the same',
  async (state, before, between, space) => {
    const site = openSite();
    before(site);
    const parseData = async ({ data }: { data: { _id: number } }) => {
      if (state.includes('schema') && data._id === 13) throw new Error('rejected');
      return data;
    };
    const build = () => site.build(COLLECTIONS, { space, context: { parseData } as never });
    await build();
    const first = structuredClone(snapshot(site));
    const anew = await site.buildAnew(COLLECTIONS, { space, context: { parseData } as never });
    expect(first).toEqual(Object.keys(COLLECTIONS).map((name) => anew.entries(name)));
    for (let count = 2; count <= 4; count++) {
      between(site);
      await build();
      expect(snapshot(site), `build ${count}`).toEqual(first);
    }
  },
);

test('an entry that the schema of the site rejected is stored when it accepts it, although no content changed', async () => {
  const site = openSite();
  let rejected = 13;
  const parseData = async ({ data }: { data: { _id: number } }) => {
    if (data._id === rejected) throw new Error('rejected');
    return data;
  };
  const build = () => site.build(COLLECTIONS, { space: SPACE, context: { parseData } as never });
  await build();
  await build();
  expect(Object.keys(site.entries('titled'))).toEqual(['A11', 'A12', 'A14']);
  rejected = 0;
  await build();
  const anew = await site.buildAnew(COLLECTIONS, { space: SPACE });
  expect(site.entries('titled')).toEqual(anew.entries('titled'));
});

test('an entry that something else removed from the store is made again with the next change', async () => {
  const site = openSite();
  const store = new AstroStore();
  await site.build(COLLECTIONS, { space: SPACE, store });
  store.context('titled', () => {}).store.delete('A12');
  site.service.clock.advance(60_000);
  site.service.contents.edit(14, { title: 'B14' });
  await site.build(COLLECTIONS, { space: SPACE, store });
  expect([...store.entries('titled').keys()].sort()).toEqual(['A11', 'A12', 'A13', 'B14']);
});
