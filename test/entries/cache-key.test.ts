import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cacheKey } from '../../src/entries/cache-key.ts';

describe('the cache key of a page', () => {
  test('is the same in every build: pages that are cached under it stay valid', () => {
    expect(cacheKey()).toBe('0-1aggevgbi2j1247s7v64qa');
    expect(cacheKey({ id: 'a', digest: '1' })).toBe('1-26ppbx7wh1u1dyul2fj3c');
    expect(cacheKey({ id: 'ja/市場', digest: 'f00' }, { id: 'b', digest: 7 })).toBe(
      '2-1xbphsxqbjp1rvtil4uef1',
    );
  });

  test('differs for every one of many texts that differ little', () => {
    const digests = Array.from({ length: 20_000 }, (_, n) =>
      createHash('md5').update(String(n)).digest('hex'),
    );
    const keys = new Set(digests.map((digest) => cacheKey({ id: 'a', digest })));
    expect(keys.size).toBe(digests.length);
  });

  test('takes an empty digest, and refuses an entry without one', () => {
    expect(cacheKey({ id: 'a', digest: '' })).not.toBe(cacheKey({ id: 'a', digest: 0 }));
    expect(() => cacheKey({ id: 'a', digest: 1 }, { id: 'b"' })).toThrow(
      'cacheKey: the entry "b\\"" has no digest\n  → Give entries of collections that are loaded by astro-luid',
    );
  });
});
