import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite } from './test-site.ts';

const MODELS = { article: { title: field.text({ title: true }), slug: field.text() } };
const ARTICLES = { articles: { model: 'article', id: 'slug' } };

function openSite() {
  return openTestSite(
    MODELS,
    [11, 12, 13].map((id) => ({ id, model: 'article', title: `A${id}`, slug: `a-${id}` })),
  );
}

describe('an edit that gives an entry an id that another has', () => {
  test.each(['fail', 'skip'])('is an error that names both items, with onInvalid: %s', async (onInvalid) => {
    const site = openSite();
    const space = { onInvalid };
    await site.build(ARTICLES, { space });
    const before = structuredClone(site.entries('articles'));
    site.service.clock.advance(60_000);
    site.service.contents.edit(13, { slug: 'a-11' });
    const error = (await site.build(ARTICLES, { space })).at(-1);
    expect(error).toContain(
      'articles: 1 id is used by several items:\n  "a-11": article 11 "A11", article 13 "A13"',
    );
    expect(site.entries('articles')).toEqual(before);
  });

  test('is none if the other changes its id too', async () => {
    const site = openSite();
    await site.build(ARTICLES);
    site.service.clock.advance(60_000);
    site.service.contents.edit(13, { slug: 'a-11' });
    site.service.contents.edit(11, { slug: 'a-13' });
    expect(await site.build(ARTICLES)).toContain('articles: 2 entries made again');
    expect(site.entries('articles')).toEqual((await site.buildAnew(ARTICLES)).entries('articles'));
  });
});
