import { expect, test } from 'vitest';
import { canonicalUrl } from '../../../src/client/http/canonical-url.ts';

test('sorts the parameters and skips undefined ones', () => {
  const url = canonicalUrl('https://cms.example/v1', '/contents', { model: 'b', depth: 0, lang: undefined });
  expect(url).toBe('https://cms.example/v1/contents?depth=0&model=b');
});

test('has no question mark without parameters', () => {
  expect(canonicalUrl('https://cms.example/v1', '/media')).toBe('https://cms.example/v1/media');
});
