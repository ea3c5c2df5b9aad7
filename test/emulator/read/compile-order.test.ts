import { describe, expect, it } from 'vitest';
import { compareKeys } from '../../../src/emulator/read/compile-order.ts';

describe('compareKeys', () => {
  it('sorts numbers, strings by code unit, and false before true', () => {
    expect([10, 9, 2].sort(compareKeys)).toEqual([2, 9, 10]);
    expect(['b', 'a', 'B'].sort(compareKeys)).toEqual(['B', 'a', 'b']);
    expect([true, false].sort(compareKeys)).toEqual([false, true]);
  });

  it('sorts empty keys last', () => {
    expect(compareKeys('', 'a')).toBeGreaterThan(0);
    expect(compareKeys(null, 5)).toBeGreaterThan(0);
    expect(compareKeys(false, undefined)).toBeLessThan(0);
  });

  it('treats all empty keys as equal', () => {
    expect(compareKeys(null, undefined)).toBe(0);
    expect(compareKeys('', null)).toBe(0);
  });

  it('sorts booleans before numbers before strings', () => {
    expect(['a', 1, true].sort(compareKeys)).toEqual([true, 1, 'a']);
  });
});
