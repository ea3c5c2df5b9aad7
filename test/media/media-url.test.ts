import { expect, test } from 'vitest';
import { mediaUrl } from '../../src/media/index.ts';

test.each([
  ['https://a.example/p.jpg', { width: 10 }, 'https://a.example/p.jpg?width=10'],
  ['https://a.example/p.jpg', {}, 'https://a.example/p.jpg'],
  ['https://a.example/p.jpg?v=2#top', { format: 'webp' }, 'https://a.example/p.jpg?v=2&format=webp#top'],
  [
    'https://a.example/p.jpg?width=5&v=2',
    { width: 10, height: 4, fit: 'bounds' },
    'https://a.example/p.jpg?width=10&v=2&height=4&fit=bounds',
  ],
])('§2.2 %s with %j', (url, operations, result) => {
  expect(mediaUrl(url, operations)).toBe(result);
  expect(mediaUrl({ url, alt: '' }, operations)).toBe(result);
  expect(mediaUrl(mediaUrl(url, operations), operations)).toBe(result);
});
