import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** The tests that judge the mutants of this run: globs. */
const { include, exclude } = JSON.parse(process.env.LUID_MUTANT_TESTS ?? '{}');

/** A mutant ends with the first test that fails, so the small tests of `test/entries` and `test/replica` come first. */
class SmallFirst extends BaseSequencer {
  async sort(files) {
    const isLarge = ({ moduleId }) => Number(!/\/test\/(?:entries|replica)\//.test(moduleId));
    return (await super.sort(files)).sort((a, b) => isLarge(a) - isLarge(b));
  }
}

export default defineConfig({
  test: { include, exclude, testTimeout: 60_000, hookTimeout: 120_000, sequence: { sequencer: SmallFirst } },
});
