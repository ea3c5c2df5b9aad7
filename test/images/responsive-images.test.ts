import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mapImages } from '../../src/images/map-images.ts';
import { imageUrlsIn, makeImagesResponsive } from '../../src/images/responsive-images.ts';
import type { TextPictures } from '../../src/models/field-types/texts.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';

const assetsUrl = 'https://assets.example/space';
const url = `${assetsUrl}/1/a.jpg`;
const context = {
  assetsUrl,
  dimensionsOf: (src: string) => (src.includes('/1/') ? { width: 1600, height: 1000 } : undefined),
};
const transform = (html: string, options: TextPictures = {}) => makeImagesResponsive(html, options, context);

describe('an image in HTML', () => {
  test('gets several widths, its dimensions and lazy loading', () => {
    const offered = [640, 700, 750, 828, 960, 1080, 1280, 1400]
      .map((width) => `${url}?width=${width}&amp;format=webp ${width}w`)
      .join(', ');
    expect(transform(`<p><img src="${url}" alt="A"> b</p>`, { width: 700 })).toBe(
      `<p><img width="700" height="438" srcset="${offered}" sizes="(min-width: 700px) 700px, 100vw" loading="lazy"` +
        ` decoding="async" src="${url}?width=700&amp;format=webp" alt="A"> b</p>`,
    );
  });

  test('is never offered wider than it is', () => {
    expect(transform(`<img src="${url}">`)).toMatch(
      / 1280w, \S+ 1600w" sizes="\(min-width: 1600px\) 1600px, 100vw"/,
    );
    expect(transform(`<img src="${url}">`)).toContain('width="1600" height="1000"');
  });

  test('keeps its existing attributes', () => {
    const tag = transform(`<IMG SRC='${url}' WIDTH=400 Loading="eager" decoding=sync class="x" data-a>`);
    expect(tag).toMatch(/ src="\S+width=400\S*" WIDTH=400 Loading="eager" decoding=sync class="x" data-a>$/);
    expect(tag).toContain('height="250"');
    expect(tag).toContain('sizes="(min-width: 400px) 400px, 100vw"');
    expect(tag.match(/loading/gi)).toHaveLength(1);
    expect(transform(`<img src="${url}" height="100">`)).toMatch(/^<img width="160" .* height="100">$/);
    expect(transform(`<img src="${url}" width="50%">`)).not.toContain('height');
    const own = transform(`<img src="${url}" srcset="${url} 1x">`);
    expect(own).toBe(
      `<img width="1600" height="1000" loading="lazy" decoding="async" src="${url}" srcset="${url} 1x">`,
    );
  });

  test.each([
    'width: 300px',
    'float:left; WIDTH:50%',
    'height:200px',
    'max-width : 20em',
    ';\nmin-height:1px',
  ])('with %j in `style` gets no sides, which would distort it', (style) => {
    for (const own of ['', ' width="300"', ' height="300"']) {
      const tag = transform(`<img src="${url}" style="${style}"${own}>`);
      expect(tag).toMatch(/^<img srcset="/);
      expect(tag.match(/ (?:width|height)="/g) ?? []).toHaveLength(own ? 1 : 0);
    }
  });

  test('with another `style` gets its sides', () => {
    for (const style of ['border-width: 1px', 'line-height: 1; color: red', 'background: url(width)', ''])
      expect(transform(`<img src="${url}" style="${style}">`)).toContain('width="1600" height="1000"');
  });

  test('keeps the shape to which its URL crops it', () => {
    const tag = transform(`<img src="${url}?width=500&amp;height=500&amp;fit=crop&amp;v=2">`);
    expect(tag).toContain(`src="${url}?v=2&amp;width=500&amp;height=500&amp;format=webp&amp;fit=crop"`);
    expect(tag).toContain('width="500" height="500"');
    expect(tag).toContain('width=1000&amp;height=1000&amp;format=webp&amp;fit=crop 1000w"');
    expect(transform(`<img src="${url}?width=320">`)).toContain('width="320" height="200"');
  });

  test('of unknown dimensions gets lazy loading only', () => {
    const other = `${assetsUrl}/2/b.jpg`;
    expect(transform(`<img src="${other}"/>`)).toBe(`<img loading="lazy" decoding="async" src="${other}"/>`);
  });

  test('that is not a media is unchanged', () => {
    for (const src of ['https://assets.example.evil/a.jpg', '/a.jpg', 'data:image/png;base64,AA==', ''])
      expect(transform(`<img src="${src}">`)).toBe(`<img src="${src}">`);
    expect(transform('<img alt="none">')).toBe('<img alt="none">');
  });

  test('is found, without the CDN’s parameters', () => {
    expect(
      imageUrlsIn(`<img src="${url}?width=3&amp;v=1"><img src=/x><!-- <img src="${url}"> -->`, assetsUrl),
    ).toEqual([`${url}?v=1`]);
  });
});

describe('HTML that is not an image is unchanged', () => {
  test.each([
    `<!-- <img src="${url}"> -->`,
    `<!--><!-- > <img src="${url}"> -->`,
    `<script>"<img src='${url}'>"</script>`,
    `<style><img src="${url}"></style>`,
    `<textarea><img src="${url}"></textarea>`,
    `<pre>&lt;img src="${url}"&gt;</pre>`,
    `<a title='<img src="${url}">'>x</a>`,
    `<imgx src="${url}">`,
    `<image src="${url}">`,
    `</img src="${url}">`,
    `< img src="${url}">`,
    `<img src="${url}`,
    `<img src="${url}"`,
    `<!doctype <img src="${url}">`.replace('<img', '[img'),
    '',
    '<',
    '<!',
    '<!--',
    '</',
  ])('%s', (html) => {
    expect(transform(html)).toBe(html);
  });

  test('but unusual images are found', () => {
    for (const html of [
      `<img src=${url}>`,
      `<img src=${url} />`,
      `<img/src="${url}"/>`,
      `<img\n\tsrc\n=\n"${url}"alt=x>`,
      `<img alt=">" src="${url}">`,
      `<img =x src="${url}">`,
      `<img src="${url}" src="b.jpg">`,
      `1 < 2 <img src="${url}">`,
      `<!---><img src="${url}">`,
      `<!-- x --!><img src="${url}">`,
      `<?xml ?><img src="${url}">`,
      `<script></scripty></script><img src="${url}">`,
      `<p><img src="&#104;ttps&#x3a;//assets.example/space/1/a.jpg"></p>`,
    ])
      expect({ html, found: imageUrlsIn(html, assetsUrl) }).toEqual({ html, found: [url] });
  });

  test('in linear time', () => {
    for (const part of ['<', '<!--', '<img ', '<a "', '<script>', '<img src="'])
      expect(mapImages(part.repeat(100_000), () => ({ loading: 'lazy' })).length).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasBrowser)('a browser finds the same images, and the same other content', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());

  /** Compares the DOM of both strings, after removing the attribute that we set. */
  const read = (texts: [string, string][]) =>
    page.evaluate((pairs) => {
      const tree = (html: string) => {
        // With scripts enabled, as for visitors: `noscript` contains text then.
        const container = document.createElement('div');
        container.innerHTML = html;
        return container;
      };
      return pairs.map(([before, after]) => {
        const [one, two] = [tree(before), tree(after)];
        const images = one.querySelectorAll('img');
        const marked = two.querySelectorAll('img[data-luid]').length;
        for (const image of two.querySelectorAll('img')) image.removeAttribute('data-luid');
        return { same: one.innerHTML === two.innerHTML, images: images.length, marked };
      });
    }, texts);

  test('in thousands of random strings', async () => {
    const PARTS = [
      '<img |<img |<img a>|<img|>|>|src=|"|\'|/>|<|</|<!--|-->|--!>|<!|<?| |\n|x|=|/|&amp;|alt|<a|<b title="|<p>|</p>',
      '<script>|</script>|<style>|</style>|<textarea>|</textarea>|<pre>|<noscript>|</noscript>|<title>|</title ',
    ];
    const part = fc.constantFrom(...PARTS.flatMap((parts) => parts.split('|')));
    const texts = fc.sample(
      fc.array(part, { minLength: 6, maxLength: 16 }).map((parts) => parts.join('')),
      { numRuns: 8_000, seed: 8 },
    );
    const pairs = texts.map((html): [string, string] => [
      html,
      mapImages(html, () => ({ 'data-luid': '1' })),
    ]);
    const results = await read(pairs);
    expect(results.reduce((sum, { marked }) => sum + marked, 0)).toBeGreaterThan(800);
    for (const [index, { same, images, marked }] of results.entries())
      expect({ pair: pairs[index], same, marked }).toEqual({
        pair: pairs[index],
        same: true,
        marked: images,
      });
  });
});
