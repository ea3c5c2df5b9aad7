import { afterEach, expect, test } from 'vitest';
import { nameCollections } from '../../../src/astro/live/collection-names.ts';
import { liveSources } from '../../../src/astro/live/live-sources.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { closeSources } from './from-replica/live-site.ts';

const SETTINGS = { baseUrl: 'http://cms.test', apiKey: 'key' };
const MODELS = { article: { title: field.text({ title: true }) } };
const EDITED = { article: { ...MODELS.article, slug: field.text() } };

afterEach(closeSources);

/** A collection of a space that is defined anew, as by an edited file. */
function collectionOf(models: object, settings: object = {}) {
  const space = defineSpace({ ...SETTINGS, ...settings, models } as never);
  return { loader: space.liveLoader('article' as never) };
}

/** The sources that checks and refreshes reach. */
const openSources = () => liveSources().all().length;

test('a source ends when the collections are defined again with another model map', () => {
  nameCollections({ articles: collectionOf(MODELS) });
  nameCollections({ articles: collectionOf(EDITED) });
  expect(openSources()).toBe(1);
});

test('two spaces of one service do not end each other, and go on while collections use them', () => {
  const [one, two] = [collectionOf(MODELS), collectionOf(EDITED)];
  nameCollections({ one, two });
  expect(openSources()).toBe(2);
  // Only the file of the first was changed.
  nameCollections({ one: collectionOf({ ...MODELS, page: MODELS.article }), two });
  expect(openSources()).toBe(2);
});

test('two spaces with equal models and different keys do not end each other', () => {
  nameCollections({ one: collectionOf(MODELS), two: collectionOf(MODELS, { apiKey: 'other' }) });
  expect(openSources()).toBe(2);
});

test('sources go on while the configuration cannot be loaded', () => {
  nameCollections({ articles: collectionOf(MODELS) });
  nameCollections(undefined);
  expect(openSources()).toBe(1);
});

test('a source goes on when its only collection is removed and added again', () => {
  const articles = collectionOf(MODELS);
  nameCollections({ articles });
  nameCollections({});
  expect(openSources()).toBe(0);
  nameCollections({ articles });
  expect(openSources()).toBe(1);
});
