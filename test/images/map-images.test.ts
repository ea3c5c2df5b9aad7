import { expect, test } from 'vitest';
import { mapImages } from '../../src/images/map-images.ts';

test('attributes are added, replaced and removed, and the rest is unchanged', () => {
  const html = '<p title=a><img src="a.jpg" alt=x  width=1></p>';
  expect(mapImages(html, () => ({ src: 'b.jpg', width: undefined, loading: 'lazy' }))).toBe(
    '<p title=a><img loading="lazy" src="b.jpg" alt=x  ></p>',
  );
});

test('values are escaped', () => {
  expect(mapImages('<img>', () => ({ alt: '"a" & b' }))).toBe('<img alt="&quot;a&quot; &amp; b">');
});

test('an image without changes is unchanged', () => {
  expect(mapImages("<IMG SRC='a'>", () => undefined)).toBe("<IMG SRC='a'>");
});

test('of equal attributes the first counts', () => {
  mapImages('<img src=a src=b>', (attributes) => {
    expect(attributes.get('src')).toBe('a');
    return undefined;
  });
});
