import { expect, it } from 'vitest';
import { createEmulator } from '../../../src/emulator/index.ts';
import { request, SPACE } from '../small-seed.ts';

it('a key without spaces reads nothing, before and after a key that reads all', async () => {
  const keys = [
    { key: 'every', reads: 'published' },
    { key: 'none', reads: 'published', spaces: [] },
  ] as const;
  const emulator = createEmulator({ ...SPACE, spaces: ['_parent', 'shop'], keys });
  const total = async (path: string, key: string) => (await request(emulator, path, key)).body.total;
  expect(await total('/contents', 'every')).toBe(2);
  expect(await total('/contents', 'none')).toBe(0);
  expect(await total('/contents?order=_id', 'none')).toBe(0);
  expect(await total('/contents?order=_id', 'every')).toBe(2);
});
