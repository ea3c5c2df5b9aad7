import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Types are tested in *.test-d.ts files, by `tsc -p test`.
    include: ['test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      // By `npm run test:long`.
      ...(process.env.LUID_LONG ? [] : ['test/long/**']),
      ...(process.env.LUID_EXCLUDE?.split(',') ?? []),
    ],
    // These end what hangs, and say nothing about speed: a busy machine may take many times as long as an idle one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Most of the time goes into builds and servers that tests wait for, so no core is kept back for Vitest itself.
    maxWorkers: availableParallelism(),
  },
});
