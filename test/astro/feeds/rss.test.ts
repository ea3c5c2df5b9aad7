import { getRssString } from '@astrojs/rss';
import { describe, expect, test } from 'vitest';
import { rssItems } from '../../../src/astro/feeds/rss.ts';
import { day, entryOf, itemData } from './entries.ts';

const site = new URL('https://site.example');
const link = () => '/a/';

describe('rssItems', () => {
  test('has the title, link, time and description of an entry', () => {
    const entry = entryOf(itemData(1, { lead: 'A\r\nlead' }));
    expect(rssItems([entry], { site, link })).toEqual([
      { title: 'Title 1', link: 'https://site.example/a/', description: 'A lead', pubDate: day(1) },
    ]);
  });

  test('each value can be replaced', () => {
    const cover = { url: 'https://assets.example/a.JPG?v=1', alt: 'x' };
    const entry = entryOf(itemData(1, { cover }), '<p>b</p>');
    const [item] = rssItems([entry], {
      link,
      title: () => 'T',
      description: () => 'D',
      pubDate: () => day(2),
      content: () => '<p>c</p>',
      categories: () => ['x', 'y'],
      enclosure: ({ data }) => (data as { cover: typeof cover }).cover,
      author: () => 'me@site.example',
    });
    expect(item).toEqual({
      title: 'T',
      link: '/a/',
      description: 'D',
      pubDate: day(2),
      content: '<p>c</p>',
      categories: ['x', 'y'],
      enclosure: { url: cover.url, length: 0, type: 'image/jpeg' },
      author: 'me@site.example',
    });
  });

  test('the body has absolute URLs', () => {
    const html = `<a href="../b?x=1&amp;y=2">b</a><img src=/i.png srcset="/i.png 1x, j.png 2x"><a href="mailto:x">m</a>`;
    const [item] = rssItems([entryOf(itemData(1), html)], { site, link, content: true });
    expect(item?.content).toBe(
      '<a href="https://site.example/b?x=1&amp;y=2">b</a><img src="https://site.example/i.png" ' +
        'srcset="https://site.example/i.png 1x, https://site.example/a/j.png 2x"><a href="mailto:x">m</a>',
    );
  });

  test.each([
    ['/a.jpg, /b.jpg 2x', 'https://site.example/a.jpg, https://site.example/b.jpg 2x'],
    ['/a.jpg 1x,/b.jpg 2x', 'https://site.example/a.jpg 1x,https://site.example/b.jpg 2x'],
    [
      ' /w_1,h_2/a.jpg 1x,\n/b.jpg 2x,',
      ' https://site.example/w_1,h_2/a.jpg 1x,\nhttps://site.example/b.jpg 2x,',
    ],
    ['https://a.example/a.jpg 1x, b.jpg', 'https://a.example/a.jpg 1x, https://site.example/a/b.jpg'],
  ])('each source of srcset="%s" is absolute', (srcset, absolute) => {
    const entry = entryOf(itemData(1), `<img srcset="${srcset}">`);
    const [item] = rssItems([entry], { site, link, content: true });
    expect(item?.content).toBe(`<img srcset="${absolute}">`);
  });

  test('an item without a title has the id as title, which a feed needs if it has no description', async () => {
    const items = rssItems([entryOf(itemData(1, { _title: '' }))], { site, link });
    expect(items[0]?.title).toBe('a');
    const xml = await getRssString({ title: 't', description: 'd', site, items });
    expect(xml).toContain('<item><title>a</title>');
  });

  test('the file of an item has an encoded URL and the type of its extension', () => {
    const enclosureOf = (url: string) =>
      rssItems([entryOf(itemData(1))], { link, enclosure: () => ({ url, alt: '' }) })[0]?.enclosure;
    expect(enclosureOf('https://assets.example/my song.m4a')).toEqual({
      url: 'https://assets.example/my%20song.m4a',
      length: 0,
      type: 'audio/mp4',
    });
    expect(enclosureOf('https://assets.example/a.constructor')?.type).toBe('application/octet-stream');
  });

  test('without a description, it is the start of the body', () => {
    const html = `<script>x</script><h2>Head</h2><p>${'word '.repeat(60)}</p>`;
    const [item] = rssItems([entryOf(itemData(1), html)], { link });
    expect(item?.description).toMatch(/^Head word word .{100,140} word…$/);
  });

  test('the default description is text that a reader of feeds shows as it is, also if it mentions a tag', () => {
    const data = [{ lead: 'Use the <img> tag & more' }, { lead: '<p>Use <code>&lt;img&gt;</code></p>' }, {}];
    const html = '<p>The <code>&lt;img&gt;</code> tag</p>';
    const items = rssItems(
      data.map((one) => entryOf(itemData(1, one), html)),
      { link },
    );
    expect(items.map(({ description }) => description)).toEqual([
      'Use the &lt;img&gt; tag &amp; more',
      'Use &lt;img&gt;',
      'The &lt;img&gt; tag',
    ]);
    const [own] = rssItems([entryOf(itemData(1))], { link, description: () => '<b>own</b>' });
    expect(own?.description).toBe('<b>own</b>');
  });

  test.each([
    [
      'categories',
      () => [{ _id: 1, _title: 'Craft', name: 'Craft' }],
      /categories must return a list of strings or undefined, got a list of 1 for the entry 'a'$/,
    ],
    ['categories', () => 'craft', /categories must return a list of strings or undefined, got 'craft'/],
    [
      'author',
      () => ({ _id: 1, _title: 'Yuri Mori' }),
      /author must return a string .*got an object.*[\s\S]*Return one of its fields/,
    ],
    ['description', () => 1, /description must return a string or undefined, got 1/],
    ['content', () => new Date(0), /content must return a string or undefined, got an object/],
    ['title', () => ['t'], /title must return a string or undefined/],
    ['pubDate', () => '2026-01-01', /pubDate must return a valid Date or undefined, got '2026-01-01'/],
    ['pubDate', () => new Date('x'), /pubDate must return a valid Date/],
    ['enclosure', () => 'a.mp3', /enclosure must return a media or a file/],
    ['link', () => undefined, /link must return a string or a URL, got undefined for the entry 'a'/],
  ])(
    'a %s that is not of its type is an error with the option and the entry: %s',
    (option, callback, message) => {
      const options = { site, link, [option]: callback } as Parameters<typeof rssItems>[1];
      expect(() => rssItems([entryOf(itemData(1))], options)).toThrow(message);
    },
  );

  test.each([
    [{}, /link is missing[\s\S]*link: \(\{ id \}\)/],
    [{ link, categories: ['x'] }, /categories must be a function, got \['x'\]/],
    [{ link, category: () => [] }, /unknown option 'category'[\s\S]*categories/],
    [{ link, site: 5 }, /site must be a string or a URL, got 5/],
    [{ link, content: 'body' }, /content must be true or false or a function/],
  ])('options that cannot be meant are an error: %o', (options, message) => {
    expect(() => rssItems([], options as Parameters<typeof rssItems>[1])).toThrow(message);
  });

  test('callbacks may return nothing', () => {
    const none = () => undefined;
    const [item] = rssItems([entryOf(itemData(1, { lead: 'x' }))], {
      site,
      link,
      description: none,
      pubDate: () => null,
      content: none,
      enclosure: none,
      author: none,
    });
    expect(item).toEqual({ title: 'Title 1', link: 'https://site.example/a/' });
  });

  test('the body has no placeholders, with and without a site', () => {
    const html = '<p><img src="/a.jpg" data-luid-placeholder="a1b2" alt="x"></p>';
    for (const base of [site, undefined]) {
      const [item] = rssItems([entryOf(itemData(1), html)], { site: base, link, content: true });
      expect(item?.content).toMatch(/^<p><img src="[^"]*\/a\.jpg" +alt="x"><\/p>$/);
    }
  });

  test('hostile text stays text, and XML stays well-formed', async () => {
    const hostile = ']]></title><script>alert(1)</script>\0\u000b\ud800&amp;<b>';
    const entry = entryOf(itemData(1, { _title: hostile, lead: hostile }), `<p>${hostile}</p>`);
    const items = rssItems([entry], { site, link, content: true, categories: () => [hostile] });
    const xml = await getRssString({ title: 't', description: 'd', site, items });
    expect(xml).not.toContain('<script');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not allow
    expect(xml).not.toMatch(/[\0-\x08\v\f\x0e-\x1f\ud800-\udfff]/);
  });
});
