import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Types are tested in *.test-d.ts files, by `tsc -p test`.
    include: ['test/**/*.test.ts'],
    // By `npm run test:long`.
    exclude: [...configDefaults.exclude, ...(process.env.LUID_LONG ? [] : ['test/long/**'])],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most of the time goes into builds and servers that tests wait for, so no core is kept back for Vitest itself.
    maxWorkers: availableParallelism(),
  },
});
