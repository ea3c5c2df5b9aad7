import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/run-command.ts';

test('iterating over 100,000 items of 1.6 kB holds under 30 MB more than before', async () => {
  const script = join(import.meta.dirname, 'iterate-memory.ts');
  const output = await run(process.execPath, ['--expose-gc', script], { cwd: import.meta.dirname });
  const { count, most } = JSON.parse(output.trim().split('\n').at(-1) ?? '{}');
  expect(count).toBe(100_000);
  expect(most).toBeLessThan(30 * 2 ** 20);
  console.log(`held at most ${(most / 2 ** 20).toFixed(1)} MB more`);
});
