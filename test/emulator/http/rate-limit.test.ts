import { expect, it } from 'vitest';
import { RateLimit } from '../../../src/emulator/http/rate-limit.ts';

const WRITES_PER_MINUTE = 30;

it('allows the limit in any 60 seconds, then throws a 429 with the time to wait', () => {
  const limit = new RateLimit();
  for (let left = WRITES_PER_MINUTE - 1; left >= 0; left--)
    expect(limit.count('key', 'write', 1_000)).toBe(left);
  expect(() => limit.count('key', 'write', 31_000)).toThrow(
    expect.objectContaining({ status: 429, retryAfter: 30 }),
  );
  expect(limit.count('key', 'write', 61_000)).toBe(WRITES_PER_MINUTE - 1);
});

it('counts keys, reads and writes separately', () => {
  const limit = new RateLimit();
  limit.count('one', 'write', 0);
  expect(limit.remaining('one', 'write', 0)).toBe(WRITES_PER_MINUTE - 1);
  expect(limit.remaining('two', 'write', 0)).toBe(WRITES_PER_MINUTE);
  expect(limit.remaining('one', 'read', 0)).toBe(600);
});

it('ignores requests in the future after the clock was set back', () => {
  const limit = new RateLimit();
  limit.count('key', 'write', 100_000);
  expect(limit.remaining('key', 'write', 50_000)).toBe(WRITES_PER_MINUTE);
});
