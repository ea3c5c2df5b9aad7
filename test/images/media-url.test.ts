import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MediaOperations, mediaUrl, transform } from '../../src/images/index.ts';
import { parseMediaUrl } from '../../src/images/media-url.ts';
import { LuidConfigError } from '../../src/shared/errors.ts';
import { findHarm, HOSTILE_STRINGS } from '../security/hostile-strings.ts';

const assetsUrl = 'https://assets.example/space';

test.each<[string, MediaOperations, string]>([
  ['https://a.example/p.jpg', { width: 10 }, 'https://a.example/p.jpg?width=10'],
  ['https://a.example/p.jpg', {}, 'https://a.example/p.jpg'],
  ['https://a.example/p.jpg?v=2#top', { format: 'webp' }, 'https://a.example/p.jpg?v=2&format=webp#top'],
  [
    'https://a.example/p.jpg?width=5&v=2',
    { width: 10, height: 4, fit: 'bounds' },
    'https://a.example/p.jpg?v=2&width=10&height=4&fit=bounds',
  ],
  // A new size replaces the old one completely, or the image would be cropped to a mixture of both.
  [
    'https://a.example/p.jpg?width=5&height=5&fit=crop&format=png',
    { width: 10 },
    'https://a.example/p.jpg?width=10&format=png',
  ],
  [
    'https://a.example/p.jpg?width=5&height=5',
    { fit: 'crop' },
    'https://a.example/p.jpg?width=5&height=5&fit=crop',
  ],
  ['https://a.example/p.jpg?width=1&width=2&width=', { height: 9 }, 'https://a.example/p.jpg?height=9'],
  ['https://a.example/p.jpg?a=%20+b%2c&&=&x', { width: 9 }, 'https://a.example/p.jpg?a=%20+b%2c&=&x&width=9'],
  [
    'https://a.example/p.jpg?constructor=1&?width=2',
    { width: 9 },
    'https://a.example/p.jpg?constructor=1&?width=2&width=9',
  ],
  ['https://a.example/a b,c.jpg', { width: 9.4 }, 'https://a.example/a%20b,c.jpg?width=9'],
])('§2.2 %s with %j', (url, operations, result) => {
  expect(mediaUrl(url, operations)).toBe(result);
  expect(mediaUrl(new URL(url), operations)).toBe(result);
  expect(mediaUrl({ url, alt: '' }, operations)).toBe(result);
  expect(mediaUrl(mediaUrl(url, operations), operations)).toBe(result);
});

describe('a URL outside of `assetsUrl`', () => {
  test.each([
    'https://assets.example.evil/space/a.jpg',
    'https://assets.example@evil.example/space/a.jpg',
    'https://user:secret@assets.example/space/a.jpg',
    'https://assets.example/spaceship/a.jpg',
    'https://assets.example/space/../a.jpg',
    'https://assets.example/space/%2e%2e/a.jpg',
    'https://assets.example:444/space/a.jpg',
    'http://assets.example/space/a.jpg',
    'https://other.example/a.jpg?width=3',
    '/space/a.jpg',
    '//assets.example/space/a.jpg',
    'a.jpg',
    '',
  ])('is unchanged: %s', (url) => {
    expect(mediaUrl(url, { width: 10, format: 'webp' }, { assetsUrl })).toBe(url);
    expect(parseMediaUrl(url, { assetsUrl })).toBeUndefined();
  });

  test.each([
    'HTTPS://ASSETS.example/space/a.jpg',
    'https://assets.example:443/space/x/../a.jpg',
    ' https://assets.example/space/a.jpg ',
    'https:\\\\assets.example\\space\\a.jpg',
  ])('is not confused with another spelling of a URL inside: %s', (url) => {
    const result = 'https://assets.example/space/a.jpg?width=10';
    expect(mediaUrl(url, { width: 10 }, { assetsUrl })).toBe(result);
    expect(mediaUrl(url, { width: 10 }, { assetsUrl: `${assetsUrl}//` })).toBe(result);
  });
});

describe('invalid input', () => {
  test.each([0, -1, 1e9, Number.NaN, Number.POSITIVE_INFINITY, 0.2, 8193])('a width of %d', (width) => {
    expect(() => mediaUrl('https://a.example/p.jpg', { width })).toThrow(
      new LuidConfigError(`width is ${width}, which the CDN does not accept`, {
        hint: 'Use a number from 1 to 8192.',
      }),
    );
    expect(() => mediaUrl('https://other.example/p.jpg', { height: width }, { assetsUrl })).toThrow(
      LuidConfigError,
    );
  });

  test('an unknown format or fit', () => {
    const url = 'https://a.example/p.jpg';
    // @ts-expect-error: no format of the CDN.
    expect(() => mediaUrl(url, { format: 'bmp' })).toThrow(
      /format is bmp, which the CDN does not accept\n {2}→ Use avif, webp/,
    );
    // @ts-expect-error: no fit of the CDN.
    expect(() => mediaUrl(url, { width: 1, height: 1, fit: 'fill' })).toThrow(
      /fit is fill, which the CDN does not accept\n {2}→ Use bounds, cover, crop/,
    );
  });

  test('is printed as one line of plain text', () => {
    expect.assertions(HOSTILE_STRINGS.length);
    for (const hostile of HOSTILE_STRINGS) {
      try {
        mediaUrl('https://a.example/p.jpg', { width: hostile as never });
      } catch (error) {
        expect(findHarm((error as Error).message)).toEqual([]);
      }
    }
  });

  test('a fit without both sides is omitted', () => {
    const url = 'https://a.example/p.jpg';
    expect(mediaUrl(url, { width: 5, fit: 'crop' })).toBe(`${url}?width=5`);
    expect(mediaUrl(url, { fit: 'crop' })).toBe(url);
  });

  test.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:image/png;base64,AA==',
    'blob:https://a.example/1',
    'file:///etc/passwd',
  ])('a URL that a page must not load becomes empty: %s', (url) => {
    expect(mediaUrl(url, { width: 5 })).toBe('');
    expect(mediaUrl({ url, alt: 'x' }, { width: 5 }, { assetsUrl })).toBe('');
  });

  test('an empty field has an empty URL', () => {
    // @ts-expect-error: an empty field must be handled by the caller.
    expect(mediaUrl(null)).toBe('');
    // @ts-expect-error: an empty field must be handled by the caller.
    expect(mediaUrl(undefined, { width: 5 })).toBe('');
  });

  test('SVG and GIF files, which the CDN does not resize, are unchanged', () => {
    for (const url of ['https://a.example/a.svg', 'https://a.example/a.GIF?v=1'])
      expect(mediaUrl(url, { width: 5, format: 'webp' })).toBe(url);
  });
});

describe('parse → build → parse', () => {
  const side = fc.integer({ min: 1, max: 8192 });
  const optional = { requiredKeys: [] };
  const anyOperations: fc.Arbitrary<MediaOperations> = fc.record(
    {
      width: side,
      height: side,
      format: fc.constantFrom('avif', 'webp', 'jpg', 'jpeg', 'pjpg', 'png'),
      fit: fc.constantFrom('bounds', 'cover', 'crop'),
    },
    optional,
  );
  const part = fc.oneof(
    fc.string(),
    fc.webQueryParameters(),
    fc.constantFrom('width=7', 'width=', 'wid%74h=8', 'height=0', 'format=webp', 'fit=crop', '&', 'Width=3'),
  );
  const url = fc
    .tuple(
      fc.webUrl({ validSchemes: ['http', 'https'] }),
      fc.array(part, { maxLength: 6 }),
      fc.option(fc.webFragments()),
    )
    .map(([base, parts, hash]) => `${base}?${parts.join('&')}${hash === null ? '' : `#${hash}`}`);

  test('is stable, for every URL and all operations', () => {
    fc.assert(
      fc.property(url, anyOperations, (source, operations) => {
        const once = mediaUrl(source, operations);
        const parsed = parseMediaUrl(once);
        if (!parsed) throw new Error(`not parsed: ${once}`);
        expect(mediaUrl(once, operations)).toBe(once);
        expect(mediaUrl(parsed.src, parsed.operations)).toBe(once);
        expect(parseMediaUrl(mediaUrl(parsed.src, parsed.operations))).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps all other parameters, and sets each of the CDN’s once', () => {
    const own = ['width', 'height', 'format', 'fit'];
    const others = (text: string) => [...new URL(text).searchParams].filter(([name]) => !own.includes(name));
    fc.assert(
      fc.property(url, anyOperations, (source, operations) => {
        const result = new URL(mediaUrl(source, operations));
        const named = (text: string) => others(text).filter(([name, value]) => name !== '' || value !== '');
        expect(named(result.href)).toEqual(named(source));
        expect(result.hash).toBe(new URL(source).hash);
        expect(result.pathname).toBe(new URL(source).pathname);
        for (const [name, value] of Object.entries(operations)) {
          if (name === 'fit' && !(result.searchParams.has('width') && result.searchParams.has('height')))
            continue;
          expect(result.searchParams.getAll(name)).toEqual([String(value)]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('unpic’s transformer', () => {
  /** As `@unpic/core` declares it. */
  type Transformer = (
    src: string | URL,
    operations: {
      width?: number | string;
      height?: number | string;
      format?: string;
      quality?: number | string;
    },
    options?: { assetsUrl: string },
  ) => string;

  test('has its type, crops to a box, and ignores what the CDN does not support', () => {
    const transformer: Transformer = transform;
    const url = `${assetsUrl}/a.jpg`;
    expect(transformer(url, { width: '400', height: 300, format: 'webp', quality: 80 }, { assetsUrl })).toBe(
      `${url}?width=400&height=300&format=webp&fit=crop`,
    );
    expect(transformer(new URL(url), { width: 400 })).toBe(`${url}?width=400`);
    expect(transformer('https://other.example/a.jpg', { width: 400 }, { assetsUrl })).toBe(
      'https://other.example/a.jpg',
    );
  });

  test('crops to a box if `fit` is undefined', () => {
    const url = `${assetsUrl}/a.jpg`;
    const cropped = `${url}?width=100&height=50&fit=crop`;
    expect(transform(url, { width: 100, height: 50, fit: undefined }, { assetsUrl })).toBe(cropped);
    const bounds = { width: 100, height: 50, fit: 'bounds' };
    expect(transform(url, bounds, { assetsUrl })).toBe(cropped.replace('crop', 'bounds'));
  });
});
