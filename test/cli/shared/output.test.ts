import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { table } from '../../../src/cli/shared/output.ts';

test('the heading of a table is bold on the stream that it is printed to', () => {
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('NO_COLOR', undefined);
  const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 24 });
  const rows = [
    ['model', 'items'],
    ['article', 12],
  ];
  expect(table(rows, new PassThrough() as never)).toBe('model    items\narticle     12');
  expect(table(rows, terminal as never)).toBe('\u001b[1mmodel    items\u001b[22m\narticle     12');
  vi.unstubAllEnvs();
});
