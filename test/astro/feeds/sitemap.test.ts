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
      img: [{ url: 'https://assets.example/a.jpg' }, { url: 'https://assets.example/c.png' }],
    });
    expect(serialize({ url: 'https://site.example/about/' })).toEqual({ url: 'https://site.example/about/' });
  });

  test('a page in one language, or a fallback, has no translations', () => {
    const serialize = sitemapSerialize({ single: urlOf });
    const [japanese, english] = inLanguages(1);
    load('single', japanese ?? {}, { ...english, data: { ...english?.data, _fallback: true } });
    expect(serialize({ url: 'https://site.example/ja/1/' })).not.toHaveProperty('links');
    expect(serialize({ url: 'https://site.example/en/1/' })).not.toHaveProperty('links');
  });

  test('finds pages whose URLs are not ASCII', () => {
    const serialize = sitemapSerialize({ named: () => '/記事/港' });
    load('named', entryOf(itemData(1)));
    expect(serialize({ url: new URL('/記事/港/', 'https://site.example').href })).toHaveProperty('lastmod');
  });

  test('a collection that was not loaded is an error', () => {
    const serialize = sitemapSerialize({ unknown: urlOf });
    expect(() => serialize({ url: 'https://site.example/' })).toThrow(
      /the collection "unknown" was not loaded by astro-luid[\s\S]*content\.config/,
    );
  });
});
