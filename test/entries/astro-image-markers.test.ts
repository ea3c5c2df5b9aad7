import { describe, expect, test } from 'vitest';
import { restoreMarkedImages } from '../../src/entries/astro-image-markers.ts';
import { renderMarkdown } from '../security/loader-context.ts';

describe('images that Astro’s Markdown marks', () => {
  const marked = (picture: object) =>
    `<p><img __ASTRO_IMAGE_="${JSON.stringify(picture).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></p>`;

  test('become images again', () => {
    const picture = { src: 'https://a.example/b.jpg?x=1&y=2', alt: 'the "A"', index: 0, inferSize: true };
    expect(restoreMarkedImages(marked(picture))).toBe(
      '<p><img src="https://a.example/b.jpg?x=1&amp;y=2" alt="the &quot;A&quot;" ></p>',
    );
  });

  test.each(['a/50%25%20off.jpg', 'a/%E6%B8%AF.jpg', 'a/b%2Fc%3Fd%23e%2c.jpg?x=%26&y=1+2#z', 'a/(1)[2].jpg'])(
    'have the URL %s, as Markdown without Astro renders it',
    async (url) => {
      const rendered = (await renderMarkdown(`![a](${url})`)).html;
      expect(rendered).toContain('__ASTRO_IMAGE_');
      const expected = url.replaceAll('&', '&amp;').replaceAll('[', '%5B').replaceAll(']', '%5D');
      expect(restoreMarkedImages(rendered)).toContain(`src="${expected}"`);
    },
  );

  test('keep numeric attributes, without Astro’s internal ones', () => {
    const picture = { src: 'a.jpg', width: 300, index: 'x', inferSize: 'y', nested: { a: 1 }, lazy: true };
    expect(restoreMarkedImages(marked(picture))).toBe('<p><img src="a.jpg" width="300" ></p>');
  });

  test('are the only ones that change', () => {
    for (const html of ['<img src="a.jpg">', '<img __ASTRO_IMAGE_="broken">', '<img __ASTRO_IMAGE_>'])
      expect(restoreMarkedImages(html)).toBe(html);
  });
});
