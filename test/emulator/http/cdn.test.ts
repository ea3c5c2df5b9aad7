import { describe, expect, it } from 'vitest';
import { Cdn } from '../../../src/emulator/http/cdn.ts';

const DAY = 24 * 60 * 60 * 1000;
const BODY = new Uint8Array([1]);

function createCdn(...pops: string[]): Cdn {
  const cdn = new Cdn();
  for (const pop of pops) cdn.store(pop, 'key', '/v1/contents', BODY, 0);
  return cdn;
}
const isCached = (cdn: Cdn, pop: string, now: number) =>
  cdn.find(pop, 'key', '/v1/contents', now) !== undefined;

describe('the CDN', () => {
  it('keeps a response for 30 days, per key, URL and point of presence', () => {
    const cdn = createCdn('a');
    expect(isCached(cdn, 'a', 30 * DAY - 1)).toBe(true);
    expect(isCached(cdn, 'b', 0)).toBe(false);
    expect(cdn.find('a', 'other', '/v1/contents', 0)).toBeUndefined();
    expect(cdn.find('a', 'key', '/v1/contents?depth=0', 0)).toBeUndefined();
    expect(isCached(cdn, 'a', 30 * DAY)).toBe(false);
  });

  it('is purged immediately without a delay', () => {
    const cdn = createCdn('a', 'b');
    cdn.purge(10, { purgeDelay: 0, purgeReach: 'all' });
    expect([isCached(cdn, 'a', 10), isCached(cdn, 'b', 10)]).toEqual([false, false]);
  });

  it('is stale until the delay has passed', () => {
    const cdn = createCdn('a');
    cdn.purge(10, { purgeDelay: 100, purgeReach: 'all' });
    expect(isCached(cdn, 'a', 109)).toBe(true);
    expect(isCached(cdn, 'a', 110)).toBe(false);
  });

  it('can be purged at the first point of presence only', () => {
    const cdn = createCdn('a', 'b');
    cdn.purge(10, { purgeDelay: 100, purgeReach: 'some' });
    expect([isCached(cdn, 'a', 10), isCached(cdn, 'b', 10)]).toEqual([false, true]);
    expect(isCached(cdn, 'b', 110)).toBe(false);
  });

  it('keeps a response that was stored after the change', () => {
    const cdn = createCdn('a');
    cdn.purge(10, { purgeDelay: 100, purgeReach: 'all' });
    cdn.store('a', 'key', '/v1/contents', BODY, 20);
    expect(isCached(cdn, 'a', 200)).toBe(true);
  });
});
