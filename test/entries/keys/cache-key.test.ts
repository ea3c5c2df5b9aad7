import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cacheKey } from '../../../src/entries/keys/cache-key.ts';

describe('the cache key of a page', () => {
  test('is the same in every build, so that cached pages stay valid', () => {
    expect(cacheKey()).toBe('0-1aggevgbi2j1247s7v64qa');
    expect(cacheKey({ id: 'a', digest: '1' })).toBe('1-26ppbx7wh1u1dyul2fj3c');
    expect(cacheKey({ id: 'ja/市場', digest: 'f00' }, { id: 'b', digest: 7 })).toBe(
      '2-1xbphsxqbjp1rvtil4uef1',
    );
    expect(cacheKey({ id: 'a"[1]', digest: '1' }, { id: '"b', digest: '2' }, 'a list')).toBe(
      '3-brmn68h1x41akumw2c8o7',
    );
  });

  test('differs for strings that differ little', () => {
    const digests = Array.from({ length: 20_000 }, (_, n) =>
      createHash('md5').update(String(n)).digest('hex'),
    );
    const keys = new Set(digests.map((digest) => cacheKey({ id: 'a', digest })));
    expect(keys.size).toBe(digests.length);
  });

  test('accepts an empty digest, and rejects an entry without one', () => {
    expect(cacheKey({ id: 'a', digest: '' })).not.toBe(cacheKey({ id: 'a', digest: 0 }));
    expect(() => cacheKey({ id: 'a', digest: 1 }, { id: 'b"' })).toThrow(
      'cacheKey: the entry "b\\"" has no digest\n  → Pass entries of collections that astro-luid loads',
    );
  });

  const [a, b] = [
    { id: 'a', digest: '1' },
    { id: 'b', digest: '2' },
  ];

  test('changes when a digest, an id, the order or the number changes', () => {
    const keys = [
      cacheKey(a, b),
      cacheKey(b, a),
      cacheKey(a),
      cacheKey(),
      cacheKey({ ...a, digest: '3' }, b),
      cacheKey({ ...a, id: 'c' }, b),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(cacheKey({ ...a }, { ...b })).toBe(cacheKey(a, b));
  });
});

describe('the cache key of a page with lists', () => {
  test('changes with the key of a list, which cannot be taken for an entry', () => {
    const author = { id: 'mori', digest: '1' };
    const keys = [
      cacheKey(author),
      cacheKey(author, '1-a'),
      cacheKey(author, '1-b'),
      cacheKey('1-b', author),
      cacheKey(author, { id: '"1-b"', digest: '' }),
      cacheKey(author, '"1-b" '),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('is not the same for ids and digests that imitate two entries', () => {
    const hostile = [
      [
        { id: 'a 1\nb', digest: '2' },
        { id: 'c', digest: '3' },
      ],
      [
        { id: 'a', digest: '1' },
        { id: 'b 2\nc', digest: '3' },
      ],
      [
        { id: 'a', digest: '1\nb 2' },
        { id: 'c', digest: '3' },
      ],
      [
        { id: '["a', digest: 'b","c"]' },
        { id: 'c', digest: '3' },
      ],
      [
        { id: 'a b', digest: 'c' },
        { id: 'c', digest: '3' },
      ],
      [
        { id: 'a', digest: 'b c' },
        { id: 'c', digest: '3' },
      ],
    ];
    expect(new Set(hostile.map((entries) => cacheKey(...entries))).size).toBe(hostile.length);
  });
});
