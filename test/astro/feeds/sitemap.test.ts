import { describe, expect, test } from 'vitest';
import { recordEntries } from '../../../src/astro/feeds/loaded-entries.ts';
import { type SitemapEntry, sitemapSerialize } from '../../../src/astro/feeds/sitemap.ts';
import { day, entryOf, itemData } from './entries.ts';

const load = (collection: string, ...entries: object[]) =>
  recordEntries({ collection, store: { values: () => entries } as never });

const inLanguages = (id: number, more: object = {}) =>
  ['ja', 'en'].map((lang) => ({
    ...entryOf(itemData(id, { _lang: lang, _langs: { current: lang, available: ['ja', 'en'] }, ...more })),
    id: `${lang}/${id}`,
  }));
const urlOf = ({ data }: SitemapEntry) => `/${data._lang}/${data._id}/`;

describe('sitemapSerialize', () => {
  test('adds the newest time, translations and images to the page of an entry, and nothing to others', () => {
    const serialize = sitemapSerialize({ stories: urlOf });
    const image = (name: string) => ({ url: `https://assets.example/${name}?v=1`, alt: '' });
    const own = { cover: image('a.jpg'), file: image('b.pdf'), list: [{ picture: image('c.png') }] };
    const author = itemData(2, { _model: 'author', _updated_at: day(6), portrait: image('author.jpg') });
    load('stories', ...inLanguages(1, { ...own, author }));
    const links = [
      { url: 'https://site.example/ja/1/', lang: 'ja' },
      { url: 'https://site.example/en/1/', lang: 'en' },
      { url: 'https://site.example/ja/1/', lang: 'x-default' },
    ];
    expect(serialize({ url: 'https://site.example/en/1', changefreq: 'daily' })).toEqual({
      url: 'https://site.example/en/1',
      changefreq: 'daily',
      lastmod: day(6).toISOString(),
      links,
      img: [{ url: 'https://assets.example/a.jpg?v=1' }, { url: 'https://assets.example/c.png?v=1' }],
    });
    expect(serialize({ url: 'https://site.example/about/' })).toEqual({ url: 'https://site.example/about/' });
  });

  test('languages are written as language tags', () => {
    const serialize = sitemapSerialize({ tagged: urlOf });
    const _langs = { current: 'ja', available: ['zh_tw', 'ja'] };
    load('tagged', ...['ja', 'zh_tw'].map((_lang) => entryOf(itemData(1, { _lang, _langs }))));
    expect(serialize({ url: 'https://site.example/ja/1/' })?.links).toEqual([
      { url: 'https://site.example/zh_tw/1/', lang: 'zh-tw' },
      { url: 'https://site.example/ja/1/', lang: 'ja' },
      { url: 'https://site.example/zh_tw/1/', lang: 'x-default' },
    ]);
  });

  test('translations are in the order of the languages, whatever the order of the store is', () => {
    const orders = [inLanguages(1), inLanguages(1).reverse()];
    const links = orders.map((entries) => {
      const serialize = sitemapSerialize({ ordered: urlOf });
      load('ordered', ...entries);
      return serialize({ url: 'https://site.example/en/1/' })?.links?.map(({ lang }) => lang);
    });
    expect(links).toEqual([
      ['ja', 'en', 'x-default'],
      ['ja', 'en', 'x-default'],
    ]);
  });

  const [japanese, english] = inLanguages(1) as [ReturnType<typeof entryOf>, ReturnType<typeof entryOf>];
  const fallback = {
    ...english,
    data: { ...english.data, _fallback: true, _langs: { current: 'ja', available: ['ja'] } },
  };

  test('a page in one language has no translations', () => {
    const serialize = sitemapSerialize({ single: urlOf });
    load('single', japanese, fallback);
    expect(serialize({ url: 'https://site.example/ja/1/' })).not.toHaveProperty('links');
  });

  test('a fallback is left out if the language that it shows has a page', () => {
    const serialize = sitemapSerialize({ fallbacks: urlOf });
    load('fallbacks', japanese, fallback);
    expect(serialize({ url: 'https://site.example/en/1/' })).toBeUndefined();
    expect(serialize({ url: 'https://site.example/ja/1/' })).toHaveProperty('lastmod');
  });

  test('a fallback at the URL of the page that it shows leaves that page in', () => {
    const serialize = sitemapSerialize({ same: ({ data }) => `/${data._id}/` });
    load('same', japanese, fallback);
    expect(serialize({ url: 'https://site.example/1/' })).toHaveProperty('lastmod');
  });

  test('a fallback is the page of its entry if the language that it shows has none', () => {
    const serialize = sitemapSerialize({
      english: (entry) => (entry.data._lang === 'en' ? urlOf(entry) : undefined),
    });
    load('english', japanese, fallback);
    const item = serialize({ url: 'https://site.example/en/1/' });
    expect(item).toHaveProperty('lastmod');
    expect(item).not.toHaveProperty('links');
  });

  test.each([
    [{ stories: '/a/' }, /sitemapSerialize: stories must be a function, got '\/a\/'/],
    ['articles', /sitemapSerialize: the options must be an object, got 'articles'/],
  ])('what is not a function per collection is an error: %o', (urls, message) => {
    expect(() => sitemapSerialize(urls as unknown as Parameters<typeof sitemapSerialize>[0])).toThrow(
      message,
    );
  });

  test('a callback that returns something else than a URL is an error with the collection and the entry', () => {
    const serialize = sitemapSerialize({ wrong: (entry) => entry.data as unknown as string });
    load('wrong', entryOf(itemData(1)));
    expect(() => serialize({ url: 'https://site.example/' })).toThrow(
      /sitemapSerialize: wrong must return a string or a URL or undefined, got an object for the entry 'a'/,
    );
  });

  test('finds pages whose URLs are not ASCII', () => {
    const serialize = sitemapSerialize({ named: () => '/記事/港' });
    load('named', entryOf(itemData(1)));
    expect(serialize({ url: new URL('/記事/港/', 'https://site.example').href })).toHaveProperty('lastmod');
  });

  test.each(['a&b', 'c@d', '50% off', 'a/b', 'cafe\u0301'])(
    'finds the page of %j, however its URL is encoded',
    (id) => {
      const serialize = sitemapSerialize({ encoded: (entry) => `/tags/${encodeURIComponent(entry.id)}/` });
      load('encoded', { ...entryOf(itemData(1)), id });
      const encoded = encodeURIComponent(id);
      const urls = [
        encoded,
        encodeURIComponent(id.normalize('NFC')),
        encoded.replaceAll(/%(26|40)/g, decodeURIComponent),
      ];
      for (const path of urls)
        expect(serialize({ url: `https://site.example/tags/${path}/` })).toHaveProperty('lastmod');
      expect(serialize({ url: 'https://site.example/tags/a/b/' })).not.toHaveProperty('lastmod');
    },
  );

  test('an absolute URL is that of a page of its host only, and a path that of any host', () => {
    const serialize = sitemapSerialize({
      domains: ({ data }) => `https://${data._lang}.example/post/`,
      paths: () => new URL('https://site.example/other/').pathname,
    });
    load(
      'domains',
      ...['en', 'ja'].map((lang, index) =>
        entryOf(itemData(index, { _lang: lang, _updated_at: day(2 + index) })),
      ),
    );
    load('paths', entryOf(itemData(1, { _updated_at: day(9) })));
    expect(serialize({ url: 'https://en.example/post/' })).toMatchObject({ lastmod: day(2).toISOString() });
    expect(serialize({ url: 'https://ja.example/post/' })).toMatchObject({ lastmod: day(3).toISOString() });
    expect(serialize({ url: 'https://fr.example/post/' })).not.toHaveProperty('lastmod');
    expect(serialize({ url: 'https://fr.example/other/' })).toMatchObject({ lastmod: day(9).toISOString() });
  });

  test('an entry that a reference leads to counts, also if its collection has no pages', () => {
    const serialize = sitemapSerialize({ referring: () => '/a/' });
    load('referring', entryOf(itemData(1, { author: { collection: 'referred', id: 'a' } })));
    load('referred', entryOf(itemData(2, { _updated_at: day(7) })));
    expect(serialize({ url: 'https://site.example/a/' })).toMatchObject({ lastmod: day(7).toISOString() });
  });

  test('images lose the parameters of the CDN, so that each is listed once, and keep all others', () => {
    const serialize = sitemapSerialize({ signed: () => '/a/' });
    const cover = { url: 'https://assets.example/a.jpg?sig=abc&width=300', alt: '' };
    load(
      'signed',
      entryOf(itemData(1, { cover }), '<img src="https://assets.example/a.jpg?sig=abc&amp;width=900#x">'),
    );
    expect(serialize({ url: 'https://site.example/a/' })).toMatchObject({
      img: [{ url: 'https://assets.example/a.jpg?sig=abc' }],
    });
  });

  test('a collection that was not loaded is an error', () => {
    const serialize = sitemapSerialize({ unknown: urlOf });
    expect(() => serialize({ url: 'https://site.example/' })).toThrow(
      /the collection "unknown" was not loaded by astro-luid[\s\S]*content\.config/,
    );
  });
});
