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

  test('without a description, it is the start of the body', () => {
    const html = `<script>x</script><h2>Head</h2><p>${'word '.repeat(60)}</p>`;
    const [item] = rssItems([entryOf(itemData(1), html)], { link });
    expect(item?.description).toMatch(/^Head word word .{100,140} word…$/);
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
