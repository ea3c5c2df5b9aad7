import { expect, test, vi } from 'vitest';
import { warnOnce } from '../../../src/astro/components/warn-once.ts';

test('a warning of a component is logged once, and a remote string in it stays on its line', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    for (const _ of ['first', 'second']) warnOnce('Blocks has no component for x\n::error::y\u001b[2J');
    expect(warn.mock.calls).toEqual([
      ['[astro-luid] Blocks has no component for x\\u000a::error::y\\u001b[2J'],
    ]);
  } finally {
    warn.mockRestore();
  }
});
