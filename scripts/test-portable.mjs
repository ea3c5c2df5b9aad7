// npm run test:portable: the tests that need Node and nothing else of the system: no browser, terminal, Redis, shell or
// file modes. For macOS and Windows; on Linux, npm test includes them. One installs and builds examples/minimal.
import './build.mjs';
import { ended, start } from './process.mjs';

const PORTABLE = [
  'test/contract',
  'test/models',
  'test/client',
  'test/entries',
  'test/space',
  'test/replica',
  'test/histories',
  'test/images',
  'test/conformance',
  'test/package/example-minimal.slow.test.ts',
];
/** Of these, what needs a Redis, a browser or packages of hosts. */
const EXCLUDED = [
  'test/replica/redis.test.ts',
  'test/replica/store/hosted-storage.slow.test.ts',
  'test/images/responsive-images.test.ts',
];

const env = { LUID_EXCLUDE: EXCLUDED.join(',') };
process.exitCode = await ended(start('vitest', ['run', ...PORTABLE], { env }));
