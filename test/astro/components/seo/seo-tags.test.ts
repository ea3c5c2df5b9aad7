import { describe, expect, test } from 'vitest';
import { type SeoOptions, seoTags } from '../../../../src/astro/components/seo/seo-tags.ts';
import { day, entryOf, itemData } from '../../feeds/entries.ts';

const context = {
  site: new URL('https://site.example'),
  pathname: '/articles/a/',
  assetsUrl: 'https://assets.example',
};
const tagsOf = (options: SeoOptions) => seoTags(options, context);
/** The contents of a tag by name. */
const contentOf = (options: SeoOptions, name: string) =>
  tagsOf(options)
    .meta.filter((tag) => tag.name === name || tag.property === name)
    .map(({ content }) => content);
const jsonOf = (options: SeoOptions) => JSON.parse(tagsOf(options).jsonLd ?? 'null');

const image = { url: 'https://assets.example/1/a.jpg', alt: 'A harbour' };

describe('seoTags', () => {
  test('an entry has a title, description, image, canonical URL and JSON-LD', () => {
    const author = { ...itemData(2), _model: 'author', _title: 'Mori' };
    const data = itemData(1, {
      lead: 'A lead',
      cover: image,
      author,
      _last_published_at: day(2),
      _lang: 'ja',
    });
    const options = { entry: entryOf(data), siteName: 'Site' };
    const url = 'https://assets.example/1/a.jpg?width=1200&height=630&format=jpg&fit=crop';
    expect(tagsOf(options).title).toBe('Title 1 | Site');
    expect(contentOf(options, 'description')).toEqual(['A lead']);
    expect(contentOf(options, 'og:image')).toEqual([url]);
    expect(contentOf(options, 'twitter:image')).toEqual([url]);
    expect(contentOf(options, 'og:image:alt')).toEqual(['A harbour']);
    expect([contentOf(options, 'og:image:width'), contentOf(options, 'og:image:height')]).toEqual([
      ['1200'],
      ['630'],
    ]);
    expect(tagsOf(options).links).toEqual([{ rel: 'canonical', href: 'https://site.example/articles/a/' }]);
    expect(jsonOf(options)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: 'Title 1',
      description: 'A lead',
      image: [url],
      datePublished: day(1).toISOString(),
      dateModified: day(2).toISOString(),
      inLanguage: 'ja',
      mainEntityOfPage: 'https://site.example/articles/a/',
      author: { '@type': 'Person', name: 'Mori' },
      publisher: { '@type': 'Organization', name: 'Site' },
    });
  });

  test('each value can be replaced', () => {
    const options: SeoOptions = {
      entry: entryOf(itemData(1, { cover: image, lead: 'lead' })),
      title: 'T',
      documentTitle: 'D',
      description: 'E',
      image: '/own.png',
      canonical: '/other/',
      type: 'website',
      locale: 'en_GB',
      author: null,
      jsonLd: { '@type': 'NewsArticle' },
    };
    expect(tagsOf(options).title).toBe('D');
    expect(contentOf(options, 'og:title')).toEqual(['T']);
    expect(contentOf(options, 'description')).toEqual(['E']);
    expect(contentOf(options, 'og:image')).toEqual(['https://site.example/own.png']);
    expect(contentOf(options, 'og:url')).toEqual(['https://site.example/other/']);
    expect(contentOf(options, 'og:type')).toEqual(['website']);
    expect(contentOf(options, 'og:locale')).toEqual(['en_GB']);
    expect(jsonOf(options)).toMatchObject({ '@type': 'NewsArticle', headline: 'T' });
    expect(jsonOf({ ...options, jsonLd: false })).toBeNull();
    expect(contentOf({ ...options, image: null }, 'twitter:card')).toEqual(['summary']);
  });

  test('a description in a flexible text field becomes plain text', () => {
    const lead = ' <p>Fish &amp; <b>chips</b></p>\n<p>Caf&eacute;</p> ';
    const options = { entry: entryOf(itemData(1, { description: '<p> </p>', lead })) };
    for (const name of ['description', 'og:description', 'twitter:description'])
      expect(contentOf(options, name)).toEqual(['Fish & chips Café']);
    expect(jsonOf(options).description).toBe('Fish & chips Café');
  });

  test('a description in a text field is unchanged, also if it mentions tags and entities', () => {
    const lead = '<img> and <br> &amp; co';
    expect(contentOf({ entry: entryOf(itemData(1, { lead })) }, 'description')).toEqual([lead]);
  });

  test('`seo.description` and `seo.image` come first', () => {
    const seo = { description: 'S', image: { ...image, url: 'https://assets.example/2/b.png' } };
    const options = { entry: entryOf(itemData(1, { seo, lead: 'lead', cover: image })) };
    expect(contentOf(options, 'description')).toEqual(['S']);
    expect(contentOf(options, 'og:image')).toEqual([expect.stringContaining('/2/b.png?width=1200')]);
  });

  test('a small image is not enlarged, and what the CDN cannot resize is unchanged', () => {
    const small = { ...image, width: 600, height: 600 };
    expect(contentOf({ image: small }, 'og:image')).toEqual([
      expect.stringContaining('width=600&height=315'),
    ]);
    expect(contentOf({ image: small }, 'og:image:width')).toEqual(['600']);
    const other = { url: 'https://elsewhere.example/a.jpg', alt: '' };
    expect(contentOf({ image: other }, 'og:image')).toEqual([other.url]);
    expect(contentOf({ image: other }, 'og:image:width')).toEqual([]);
    expect(contentOf({ image: 'javascript:x' }, 'og:image')).toEqual([]);
  });

  test('alternates are the languages of the entry, the main one for all others', () => {
    const entry = entryOf(itemData(1, { _lang: 'en', _langs: { current: 'en', available: ['ja', 'en'] } }));
    const urlOf = (lang: string) => `/${lang}/a/`;
    const alternate = (hreflang: string, lang: string) => ({
      rel: 'alternate',
      hreflang,
      href: `https://site.example/${lang}/a/`,
    });
    expect(tagsOf({ entry, urlOf }).links.slice(1)).toEqual([
      alternate('ja', 'ja'),
      alternate('en', 'en'),
      alternate('x-default', 'ja'),
    ]);
    expect(tagsOf({ entry }).links).toHaveLength(1);
    expect(tagsOf({ langs: ['en', 'de'], urlOf }).links).toHaveLength(4);
    expect(tagsOf({ entry, urlOf, noindex: true }).links).toEqual([]);
  });

  test('languages are written as language tags, and URLs are made with their own names', () => {
    const data = itemData(1, { _lang: 'zh_tw', _langs: { current: 'zh_tw', available: ['en', 'zh_tw'] } });
    const options = { entry: entryOf(data), urlOf: (lang: string) => `/${lang}/a/` };
    expect(tagsOf(options).links.at(2)).toEqual({
      rel: 'alternate',
      hreflang: 'zh-tw',
      href: 'https://site.example/zh_tw/a/',
    });
    expect(jsonOf(options).inLanguage).toBe('zh-tw');
  });

  test('a page without a title has the name of the site as title', () => {
    expect(tagsOf({ entry: entryOf(itemData(1, { _title: '' })), siteName: 'Site' }).title).toBe('Site');
  });

  test('the canonical URL is one of the site, whatever path is requested', () => {
    const { links } = seoTags({}, { ...context, pathname: '//evil.example/a' });
    expect(links).toEqual([{ rel: 'canonical', href: 'https://site.example//evil.example/a' }]);
  });

  test('the canonical URL of a fallback is that of its own language', () => {
    const data = itemData(1, { _lang: 'en', _fallback: true, _langs: { current: 'ja', available: ['ja'] } });
    expect(tagsOf({ entry: entryOf(data), urlOf: (lang) => `/${lang}/a/` }).links).toEqual([
      { rel: 'canonical', href: 'https://site.example/ja/a/' },
    ]);
  });

  test('the language of a fallback is that of its text, not that of the page', () => {
    const _langs = { current: 'ja', available: ['ja'] };
    const fallback = entryOf(itemData(1, { _lang: 'en', _fallback: true, _langs }));
    expect(jsonOf({ entry: fallback }).inLanguage).toBe('ja');
    expect(jsonOf({ entry: fallback, lang: 'en' }).inLanguage).toBe('en');
  });

  test('no text can end the script', () => {
    const title = '</script><script>alert(1)</script><!--<script>';
    const options = { entry: entryOf(itemData(1, { _title: title })) };
    expect(tagsOf(options).jsonLd).not.toContain('<');
    expect(jsonOf(options).headline).toBe(title);
  });

  test('a page without an entry is a website without JSON-LD', () => {
    const options = { title: 'List', siteName: 'Site' };
    expect(contentOf(options, 'og:type')).toEqual(['website']);
    expect(tagsOf(options).jsonLd).toBeUndefined();
    expect(tagsOf({ title: 'Site', siteName: 'Site' }).title).toBe('Site');
  });
});
