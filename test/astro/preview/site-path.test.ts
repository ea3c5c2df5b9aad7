import { expect, test } from 'vitest';
import { isSitePath } from '../../../src/astro/preview/preview-paths.ts';
import { seededRandom } from '../../support/seeded-random.ts';

test.each([
  '/',
  '/articles/x',
  '/articles/x/',
  '/記事/x',
  '/%E8%A8%98%E4%BA%8B/x',
  '/a%2Fb',
  '/100%',
  '/100%25',
  '/50%25%20off',
  '/%E3',
  '/.well-known/x',
  '/...',
  '/a.b/..c/d..',
  '/~user/a@b:c;d=e,f!$&()*+',
])('%j is a path of this site', (path) => {
  expect(isSitePath(path)).toBe(true);
});

test.each([
  '',
  'a',
  '%2Fa',
  'https://evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  '///evil.example',
  '/a//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/a\\b',
  '/\t/evil.example',
  '/\n/evil.example',
  '/a\r\nset-cookie: a=b',
  '/\0',
  '/\x7f',
  '/./a',
  '/.',
  '/a/..',
  '/a/../b',
  '/.//evil.example',
  '/%2Fevil.example',
  '/%2f%2Fevil.example',
  '/%5Cevil.example',
  '/%09/evil.example',
  '/%0d%0aset-cookie:%20a=b',
  '/%2e%2E/a',
  '/a/%2e',
  '/.%2e%2Fa',
  // Encoded twice, as a whole and in part.
  '/%252Fevil.example',
  '/%25%32%46evil.example',
  '/%%32%46evil.example',
  '/%255Cevil.example',
  '/%25252Fevil.example',
  // The rest cannot be decoded.
  '/%2Fevil.example/100%',
  '/%E3%2Fevil.example//',
  `/%${'25'.repeat(20)}2Fevil.example`,
  `/%${'25'.repeat(5000)}41`,
])('%j may be something else to a browser, a proxy or Astro', (path) => {
  expect(isSitePath(path)).toBe(false);
});

test('whatever part of a path of this site, decoded however often, follows its origin is a path of this site', () => {
  const random = seededRandom('site paths');
  const parts = [
    '/',
    '\\',
    '.',
    '%2f',
    '%5c',
    '%2e',
    '%25',
    '%09',
    '\t',
    '2F',
    '5C',
    '%',
    'a',
    'evil.example',
    'あ',
  ];
  let accepted = 0;
  for (let n = 0; n < 20_000; n++) {
    const path = `/${Array.from({ length: random(6) }, () => parts[random(parts.length)]).join('')}`;
    if (!isSitePath(path)) continue;
    accepted += 1;
    for (let decoded = path, times = 0; times < 4; times++) {
      for (const rest of decoded.split(/(?=\/)/).map((_, at, all) => all.slice(at).join(''))) {
        const { origin, pathname } = new URL(rest, 'http://site.test/a/b');
        expect([path, rest, origin]).toEqual([path, rest, 'http://site.test']);
        expect(pathname.startsWith('//'), path).toBe(false);
      }
      try {
        decoded = decodeURIComponent(decoded);
      } catch {
        break;
      }
    }
  }
  expect(accepted).toBeGreaterThan(1000);
});
