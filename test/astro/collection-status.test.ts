import { beforeEach, describe, expect, test } from 'vitest';
import {
  type CollectionStatus,
  clearCollectionStatuses,
  collectionStatuses,
  forgetRemovedCollections,
  recordLoad,
  refreshFailure,
  setCollectionStatus,
} from '../../src/astro/collection-status.ts';

const space = { models: { article: {} }, settings: {} };
const plan = { model: 'article', drafts: false };
const contextOf = (collection: string, ...ids: string[]) =>
  ({ collection, store: { keys: () => ids } }) as unknown as Parameters<typeof recordLoad>[2];
const status: CollectionStatus = {
  collection: 'news',
  model: 'article',
  drafts: false,
  entries: 1,
  loadedAt: 5,
  attemptedAt: 5,
};

beforeEach(clearCollectionStatuses);

describe('the status of a collection', () => {
  test('has the number of entries and the languages of the last load', () => {
    recordLoad(space, plan, contextOf('news', 'a', 'b'), { langs: [undefined, 'en'] });
    recordLoad(space, plan, contextOf('blog'), { langs: [undefined] });
    expect(collectionStatuses(space)).toMatchObject([
      { collection: 'blog', entries: 0, langs: [undefined] },
      { collection: 'news', entries: 2, langs: [undefined, 'en'], loadedAt: expect.any(Number) },
    ]);
  });

  test('keeps the time of the last successful load when a load fails', () => {
    setCollectionStatus(status);
    recordLoad(space, plan, contextOf('news', 'a'), { langs: [undefined], error: new Error('down') });
    expect(collectionStatuses(space)).toMatchObject([{ loadedAt: 5, error: 'down' }]);
    recordLoad(space, plan, contextOf('news', 'a'), { langs: [undefined] });
    expect(collectionStatuses(space)[0]?.error).toBeUndefined();
  });

  test('belongs to the space that declares its model and has the same sub-space', () => {
    setCollectionStatus(status);
    setCollectionStatus({ ...status, collection: 'shop', space: 'shop' });
    setCollectionStatus({ ...status, collection: 'other', model: 'other' });
    expect(collectionStatuses(space).map(({ collection }) => collection)).toEqual(['news']);
    const shop = { ...space, settings: { space: 'shop' } };
    expect(collectionStatuses(shop).map(({ collection }) => collection)).toEqual(['shop']);
  });

  test('belongs to the space of its service, of several that declare the same model', () => {
    const a = { ...space, settings: { baseUrl: 'https://a.test/v1' } };
    const b = { ...space, settings: { baseUrl: 'https://b.test/v1' } };
    const drafts = { model: 'article', drafts: true };
    recordLoad(a, plan, contextOf('news'), { langs: [undefined] });
    recordLoad(b, drafts, contextOf('drafts_of_b'), { langs: [undefined, 'en'] });
    expect(collectionStatuses(a).map(({ collection }) => collection)).toEqual(['news']);
    expect(collectionStatuses(b).map(({ collection }) => collection)).toEqual(['drafts_of_b']);
    const again = { ...space, settings: { baseUrl: 'https://a.test/v1' } };
    expect(collectionStatuses(again)).toEqual(collectionStatuses(a));
  });

  test('has the URL that the environment gives, if the definition has none', () => {
    const baseUrl = 'https://a.test/v1';
    recordLoad(space, plan, contextOf('news'), { langs: [undefined], baseUrl });
    expect(collectionStatuses({ ...space, settings: { baseUrl } })).toHaveLength(1);
    expect(collectionStatuses({ ...space, settings: { baseUrl: 'https://b.test/v1' } })).toEqual([]);
    expect(collectionStatuses(space)).toHaveLength(1);
  });
});

describe('a refresh', () => {
  test('has failed if a collection has an error', () => {
    expect(refreshFailure(0, [status, { ...status, error: 'down' }, { ...status, error: 'down' }])).toBe(
      'down',
    );
  });

  test('has failed if Astro ran no loader', () => {
    expect(refreshFailure(6, [status])).toMatch(/^Astro ran no loader/);
    expect(refreshFailure(5, [status])).toBeUndefined();
  });

  test('forgets a failed or stale collection that it did not load while it loaded others', () => {
    setCollectionStatus({ ...status, error: 'title is missing', isStale: true });
    setCollectionStatus({ ...status, collection: 'posts', loadedAt: 6, attemptedAt: 6 });
    forgetRemovedCollections(6);
    expect(collectionStatuses(space).map(({ collection }) => collection)).toEqual(['posts']);
    expect(refreshFailure(6, collectionStatuses(space))).toBeUndefined();
  });

  test('keeps a collection whose load failed in it', () => {
    setCollectionStatus({ ...status, error: 'down', attemptedAt: 6 });
    setCollectionStatus({ ...status, collection: 'posts', loadedAt: 6, attemptedAt: 6 });
    forgetRemovedCollections(6);
    expect(refreshFailure(6, collectionStatuses(space))).toBe('down');
  });

  test('forgets nothing if Astro ran no loader', () => {
    setCollectionStatus(status);
    setCollectionStatus({ ...status, collection: 'posts' });
    forgetRemovedCollections(6);
    expect(collectionStatuses(space)).toHaveLength(2);
    expect(refreshFailure(6, collectionStatuses(space))).toMatch(/^Astro ran no loader/);
  });

  test('of a site without collections has not failed', () => {
    expect(refreshFailure(6, [])).toBeUndefined();
  });
});
