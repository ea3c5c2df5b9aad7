import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** The tests that judge the mutants of this run, as globs, the small ones first. */
const { include, exclude } = JSON.parse(process.env.LUID_MUTANT_TESTS ?? '{}');

/** A mutant ends with the first test that fails, so the tests run in the order in which they are named. */
class AsNamed extends BaseSequencer {
  async sort(files) {
    const place = ({ moduleId }) => include.findIndex((name) => moduleId.endsWith(`/${name}`));
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: { include, exclude, testTimeout: 60_000, hookTimeout: 120_000, sequence: { sequencer: AsNamed } },
});
