import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

const OLDEST_NODE = '22.12';
if (process.versions.node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0) {
  throw new Error(
    `Needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}: run "nvm use", or "npm test -- FILE", which downloads one.`,
  );
}

const exclude = [
  ...configDefaults.exclude,
  // By `npm run test:long`.
  ...(process.env.LUID_LONG ? [] : ['test/long/**']),
  ...(process.env.LUID_EXCLUDE?.split(',') ?? []),
];

/** Tests of what a whole process shares, and tests that replace modules or the time zone. */
const ISOLATED = [
  'test/astro/{dev,integration,live,preview,revalidate}/**/*.test.ts',
  'test/cli/shared/load-space.test.ts',
  'test/emulator/state/write-queue-disk.test.ts',
  'test/emulator/studio/page/instants.test.ts',
  'test/replica/read/source.test.ts',
  'test/replica/store/folder-writes.test.ts',
];

export default defineConfig({
  test: {
    // These end what hangs, and say nothing about speed: a busy machine may take many times as long as an idle one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Tests start `luid` and `astro` hundreds of times: compiled once, these start in two thirds of the time.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
      LUID_LANG: 'en',
    },
    // Some tests wait for programs or for time to pass: one worker more than cores keeps the cores busy meanwhile.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          // Types are tested in *.test-d.ts files, by `tsc -p test`.
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...ISOLATED],
          // Otherwise a third of the time goes into loading the same modules for each file.
          isolate: false,
          setupFiles: ['test/support/shared-worker.ts'],
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED, exclude } },
    ],
  },
});
