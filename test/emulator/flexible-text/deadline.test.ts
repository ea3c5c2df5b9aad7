import { describe, expect, it } from 'vitest';
import { runWithDeadline } from '../../../src/emulator/flexible-text/deadline.ts';

describe('work with a deadline', () => {
  it('returns its result, also an empty one', () => {
    expect(runWithDeadline(1_000, () => 'done')).toEqual({ value: 'done' });
    expect(runWithDeadline(1_000, () => undefined)).toEqual({ value: undefined });
  });

  it('is stopped at the deadline, in loops, regular expressions and handlers', () => {
    const endless = () => {
      for (;;);
    };
    const stubborn = () => {
      try {
        endless();
      } catch {
        return 'caught';
      } finally {
        endless();
      }
      return 'ended';
    };
    expect(runWithDeadline(20, endless)).toBeUndefined();
    expect(runWithDeadline(20, stubborn)).toBeUndefined();
    expect(runWithDeadline(20, () => /^(a+)+$/.test(`${'a'.repeat(40)}b`))).toBeUndefined();
  });

  it('throws what the work throws, and works again afterwards', () => {
    const error = new RangeError('no');
    const fail = () => {
      throw error;
    };
    expect(() => runWithDeadline(1_000, fail)).toThrow(error);
    expect(runWithDeadline(1_000, () => 1)).toEqual({ value: 1 });
  });
});
