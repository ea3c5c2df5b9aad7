import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { expect, test } from 'vitest';
import { openWatchState } from '../../../src/cli/watch/watch-state.ts';

const IDENTITY = {
  target: 'https://hook.test/x',
  baseUrl: 'https://cms.test/v1',
  space: undefined,
  drafts: false,
};

test('a space file or an export that was chosen has a state of its own', async () => {
  const storage = createStorage({ driver: memory() });
  const states = [{}, { exportName: 'blog' }, { exportName: 'shop' }, { file: 'blog' }].map((chosen) =>
    openWatchState(storage, { ...IDENTITY, ...chosen }),
  );
  for (const [n, state] of states.entries()) await state.save({ deployed: `${n}`, changed: false });
  const loaded = await Promise.all(states.map((state) => state.load()));
  expect(loaded.map((state) => state?.deployed)).toEqual(['0', '1', '2', '3']);
});
