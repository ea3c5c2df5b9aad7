import { describe, expect, it } from 'vitest';
import { withinTime } from '../../../src/emulator/fields/deadline.ts';

describe('work with a deadline', () => {
  it('gives its result, an empty one too', () => {
    expect(withinTime(1_000, () => 'done')).toEqual({ value: 'done' });
    expect(withinTime(1_000, () => undefined)).toEqual({ value: undefined });
  });

  it('is stopped when its time is over, in loops, regular expressions and handlers alike', () => {
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
    expect(withinTime(20, endless)).toBeUndefined();
    expect(withinTime(20, stubborn)).toBeUndefined();
    expect(withinTime(20, () => /^(a+)+$/.test(`${'a'.repeat(40)}b`))).toBeUndefined();
  });

  it('throws what the work throws, and works again afterwards', () => {
    const error = new RangeError('no');
    const fail = () => {
      throw error;
    };
    expect(() => withinTime(1_000, fail)).toThrow(error);
    expect(withinTime(1_000, () => 1)).toEqual({ value: 1 });
  });
});
