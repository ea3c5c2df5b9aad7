import { beforeEach, describe, expect, test } from 'vitest';
import { clearCollectionStatuses, setCollectionStatus } from '../../../src/astro/collection-status.ts';
import { editLink, serveToolbar } from '../../../src/astro/dev/toolbar.ts';
import { MESSAGES } from '../../../src/astro/dev/toolbar-messages.ts';

beforeEach(clearCollectionStatuses);

describe('the toolbar', () => {
  test('links to the entry that the page names', () => {
    expect(editLink('article:101', 'https://cms.test/{model}/{id}?x={id}')).toEqual({
      entry: 'article:101',
      url: 'https://cms.test/article/101?x=101',
    });
    expect(editLink('article:101', ({ model, id }) => `https://cms.test/${model}-${id + 1}`)?.url).toBe(
      'https://cms.test/article-102',
    );
  });

  test.each(['', 'article', 'article:', 'article:0', 'article:x', '../a:1', 'article:1:2', undefined, {}])(
    'has no link for %j',
    (entry) => {
      expect(editLink(entry, 'https://cms.test/{model}/{id}')).toBeUndefined();
    },
  );

  test('links only to http(s) URLs', () => {
    expect(editLink('article:1', 'javascript:alert({id})')).toBeUndefined();
    expect(editLink('article:1', undefined)).toBeUndefined();
  });

  test('shows what is loaded, and the progress of a refresh', () => {
    const sent: [string, unknown][] = [];
    const heard = new Map<string, (data: unknown) => void>();
    let refreshes = 0;
    const show = serveToolbar({
      toolbar: {
        send: (event, payload) => void sent.push([event, payload]),
        on: (event, callback) => void heard.set(event, callback as (data: unknown) => void),
      },
      space: { models: { article: {} }, settings: {} },
      editUrl: 'https://cms.test/{id}',
      findings: async () => [],
      refresh: async () => {
        refreshes += 1;
      },
    });
    setCollectionStatus({
      collection: 'news',
      model: 'article',
      drafts: false,
      entries: 3,
      loadedAt: 5,
      attemptedAt: 5,
    });
    heard.get(MESSAGES.request)?.({ entry: 'article:101' });
    const collections = [{ name: 'news', model: 'article', entries: 3 }];
    expect(sent).toEqual([
      [MESSAGES.status, { collections, reads: 'published', lastSync: 5, refreshing: false }],
      [MESSAGES.edit, { entry: 'article:101', url: 'https://cms.test/101' }],
    ]);
    heard.get(MESSAGES.refresh)?.({});
    expect(refreshes).toBe(1);
    setCollectionStatus({
      collection: 'preview',
      model: 'article',
      drafts: true,
      entries: 4,
      loadedAt: 6,
      attemptedAt: 6,
    });
    show('running');
    expect(sent.at(-1)).toMatchObject([MESSAGES.status, { refreshing: true, reads: 'published and drafts' }]);
    show(new Error('down'));
    expect(sent.at(-1)).toMatchObject([MESSAGES.status, { refreshing: false, error: 'down' }]);
    show('done');
    expect(sent.at(-1)?.[1]).not.toHaveProperty('error');
  });
});
