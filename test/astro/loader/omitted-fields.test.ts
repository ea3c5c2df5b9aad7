import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite } from './test-site.ts';

const by = { by: field.reference('author') };
const MODELS = {
  author: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    author: field.reference('author'),
    seo: field.fieldSet(by),
    credits: field.repeat(by),
    blocks: field.combination({ credit: by }),
    cover: field.media(),
  },
};

const REFERRER = {
  author: 1,
  seo: { by: 1 },
  credits: [{ by: 1 }, { by: 2 }],
  blocks: [{ luid: 'credit', fields: { by: 1 } }],
};

/** A response without its empty fields. */
async function withoutEmpty(response: Response): Promise<Response> {
  const isEmpty = (value: unknown) => value === null || value === '';
  const json = JSON.stringify(await response.json(), (_key, value) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([, inner]) => !isEmpty(inner)))
      : value,
  );
  return new Response(json, response);
}

describe.each(['omits', 'sends'])('a service that %s empty fields', (form) => {
  function openSite() {
    const site = openTestSite(
      MODELS,
      [
        { id: 1, model: 'author', name: 'Mori' },
        { id: 2, model: 'author', name: 'Berg' },
        { id: 11, model: 'article', title: 'Tea', ...REFERRER },
        { id: 12, model: 'article', title: 'Train', cover: 900 },
        { id: 13, model: 'article', title: 'Harbour', cover: 900 },
        // So that the space is not read in a single round.
        ...Array.from({ length: 120 }, (_, n) => ({ id: 101 + n, model: 'author', name: `${n}` })),
      ],
      [{ id: 900, file: 'a.jpg', alt: { ja: 'Tea' } }],
    );
    const { service } = site;
    const omit: typeof fetch = async (...request) => withoutEmpty(await service.fetch(...request));
    const collections = { articles: { model: 'article', depth: 1 } };
    const space = form === 'omits' ? { fetch: omit } : {};
    return {
      ...site,
      articles: () => site.entries('articles'),
      build: () => site.build(collections, { space }),
      buildInFull: () => site.build(collections, { space: { ...space, verify: 'always' } }),
    };
  }

  test('an entry with a deleted target keeps its digest at the next full read', async () => {
    const site = openSite();
    await site.build();
    const before = site.articles()['11'];
    site.service.clock.advance(60_000);
    site.service.contents.archive(1);
    await site.build();
    const incremental = site.articles();
    expect(incremental['11']?.data).toMatchObject({
      author: null,
      seo: { by: null },
      credits: [{ by: null }, { by: { name: 'Berg' } }],
      blocks: [{ luid: 'credit', fields: { by: null } }],
    });
    expect(incremental['11']?.digest).not.toBe(before?.digest);
    await site.buildInFull();
    expect(site.articles()).toEqual(incremental);
  });

  test('a media whose alternative text was removed shows none, in an item that is read again and after a full read', async () => {
    const site = openSite();
    await site.build();
    for (const alt of ['Station', '']) {
      site.service.clock.advance(60_000);
      site.service.media.setAlt(900, alt);
      site.service.contents.edit(12, { title: `Train (${alt})` });
      await site.build();
      expect(site.articles()[12]?.data.cover).toMatchObject({ alt });
    }
    await site.buildInFull();
    const { 12: train, 13: harbour } = site.articles();
    expect([train?.data.cover, harbour?.data.cover]).toMatchObject([{ alt: '' }, { alt: '' }]);
  });
});
