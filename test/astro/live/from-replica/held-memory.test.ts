import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run } from '../../../support/run-command.ts';

test('a server keeps no content of earlier versions', async () => {
  const script = fileURLToPath(new URL('held-memory-child.ts', import.meta.url));
  const output = await run(process.execPath, ['--expose-gc', script], { cwd: import.meta.dirname });
  const { edits, more, length } = JSON.parse(output.trim().split('\n').at(-1) ?? '{}');
  expect(edits).toBe(20);
  // The emulator's journal, in the same process, has each text once, in two bytes per character.
  expect(more).toBeLessThan(edits * length * 2 * 1.5);
  console.log(`held ${(more / 2 ** 20).toFixed(1)} MB more`);
});
