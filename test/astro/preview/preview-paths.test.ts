import { describe, expect, test } from 'vitest';
import {
  decodePath,
  parseTarget,
  previewedPath,
  previewPathOf,
} from '../../../src/astro/preview/preview-paths.ts';

describe('the target of a preview', () => {
  test.each([
    ['/', '/', '/'],
    ['/articles/x', '/', '/articles/x'],
    ['/articles/x?a=b#c', '/', '/articles/x?a=b#c'],
    ['/記事/x', '/', '/%E8%A8%98%E4%BA%8B/x'],
    ['/site/articles', '/site', '/site/articles'],
    ['/site/articles', '/site/', '/site/articles'],
    ['/site', '/site', '/site'],
    ['/a%2Fb', '/', '/a%2Fb'],
    ['/a?to=//evil.example#\\', '/', '/a?to=//evil.example#\\'],
    ['/_luidly', '/', '/_luidly'],
  ])('may be %s with the base %s', (to, base, expected) => {
    expect(parseTarget(to, base)).toBe(expected);
  });

  test.each([
    ['', '/'],
    ['articles', '/'],
    ['//evil.example', '/'],
    ['///evil.example', '/'],
    ['/\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/\n/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/a/..//evil.example', '/'],
    ['/%2F%2Fevil.example', '/'],
    ['/%5Cevil.example', '/'],
    ['/site//evil.example', '/site'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/_luid', '/'],
    ['/_luid/refresh', '/'],
    ['/./_luid/preview', '/'],
    ['/other', '/site'],
    ['/sites', '/site'],
    ['/site/_luid/preview', '/site'],
  ])('may not be %j with the base %s', (to, base) => {
    expect(parseTarget(to, base)).toBeUndefined();
  });
});

describe('the path of a page in preview', () => {
  test.each([
    ['/articles/x', '/', '/_luid/preview/articles/x'],
    ['/', '/', '/_luid/preview/'],
    ['/site/articles/x', '/site', '/site/_luid/preview/articles/x'],
  ])('of %s with the base %s is %s, and back', (path, base, expected) => {
    expect(previewPathOf(path, base)).toBe(expected);
    expect(previewedPath(requestOf(expected), base)).toBe(path);
  });

  test('is the home page at the path of the preview itself, unless it is being entered', () => {
    expect(previewedPath(requestOf('/_luid/preview'), '/')).toBe('/');
    for (const base of ['/site', '/site/']) {
      expect(previewedPath(requestOf('/site/_luid/preview'), base)).toBe('/site');
      expect(previewedPath(requestOf('/site/_luid/preview/'), base)).toBe('/site');
    }
    expect(previewedPath(requestOf('/_luid/preview?secret=x'), '/')).toBeUndefined();
    expect(previewedPath(requestOf('/_luid/preview/a?secret=x'), '/')).toBe('/a');
  });

  test.each([
    ['/100%', '/100%25'],
    ['/100%%20off', '/100%25%20off'],
    ['/5%1', '/5%251'],
    ['/%E3', '/%25E3'],
    ['/%E3%81%82/a%2Fb%3Fc', '/%E3%81%82/a%2Fb%3Fc'],
  ])('of %s, as Astro decodes URLs, is one that can be decoded again: %s', (path, expected) => {
    expect(previewedPath(requestOf(`/_luid/preview${path}`), '/')).toBe(expected);
  });

  test.each([
    '/_luid/preview//evil.example/login',
    '/_luid/preview/.//evil.example/login',
    '/_luid/preview/%5Cevil.example/login',
    '/_luid/preview/%2Fevil.example/login',
    '/_luid//preview/articles',
    '//_luid/preview/articles',
  ])('is not what Astro makes of %s, which is another one to the browser', (path) => {
    expect(requestOf(path).url.pathname).toMatch(/^\/_luid\/preview\//);
    expect(previewedPath(requestOf(path), '/')).toBeUndefined();
  });

  test.each(['/', '/articles', '/_luid/previews', '/_luid/preview-exit', '/_luid/preview-page/a'])(
    'is not %s',
    (path) => {
      expect(previewedPath(requestOf(path), '/')).toBeUndefined();
    },
  );
});

/** A request, as Astro passes it on: `url` is normalized. */
function requestOf(path: string) {
  const request = new Request(`http://site.test${path}`);
  const url = new URL(request.url);
  url.pathname = decodeURI(encodeURI(decodePath(url.pathname))).replaceAll(/[/\\]+/g, '/');
  return { request, url };
}
