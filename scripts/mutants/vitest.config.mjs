import { defineConfig } from 'vitest/config';

/** The tests that judge the mutants of this run: globs. */
const { include, exclude } = JSON.parse(process.env.LUID_MUTANT_TESTS ?? '{}');

export default defineConfig({ test: { include, exclude, testTimeout: 60_000, hookTimeout: 120_000 } });
