import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

test('astro-luid/media is under 1.5 kB when compressed, and needs nothing', async () => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, '../../src/media/index.ts'),
    platform: 'neutral',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  expect(output[0].code).not.toMatch(/["'`]node:|\brequire\(|\bBuffer\b|\bprocess\b/);
  expect(gzipSync(output[0].code, { level: 9 }).length).toBeLessThan(1_500);
});
