import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cacheKey } from '../../src/entries/cache-key.ts';

describe('the cache key of a page', () => {
  test('is the same in every build, so that cached pages stay valid', () => {
    expect(cacheKey()).toBe('0-1aggevgbi2j1247s7v64qa');
    expect(cacheKey({ id: 'a', digest: '1' })).toBe('1-26ppbx7wh1u1dyul2fj3c');
    expect(cacheKey({ id: 'ja/市場', digest: 'f00' }, { id: 'b', digest: 7 })).toBe(
      '2-1xbphsxqbjp1rvtil4uef1',
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
