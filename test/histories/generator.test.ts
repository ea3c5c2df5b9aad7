import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_ASSUMPTIONS } from '../../src/emulator/index.ts';
import { history } from './generator.ts';

/** What only requests that write depend on. */
const OF_WRITES = ['writeFlexibleText', 'patchFlexibleText', 'endpointsByName'];

test('random histories flip every assumption that a build may depend on', () => {
  const histories = fc.sample(history, { numRuns: 300, seed: 1 });
  const flipped = histories.flatMap(({ setup }) =>
    Object.entries(setup.assumptions).flatMap(([name, value]) =>
      value === DEFAULT_ASSUMPTIONS[name as keyof typeof DEFAULT_ASSUMPTIONS] ? [] : [name],
    ),
  );
  expect([...new Set(flipped), ...OF_WRITES].sort()).toEqual(Object.keys(DEFAULT_ASSUMPTIONS).sort());
});
