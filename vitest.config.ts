import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // By `npm run test:long`.
    exclude: [...configDefaults.exclude, ...(process.env.LUID_LONG ? [] : ['test/long/**'])],
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'test/tsconfig.json' },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most of the time goes into builds and servers that tests wait for, so no core is kept back for Vitest itself.
    maxWorkers: availableParallelism(),
  },
});
