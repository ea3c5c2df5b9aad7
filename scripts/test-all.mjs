// npm run test:all: the checks and all tests, slow ones too, as in CI.
import { runTests } from './run-tests.mjs';

await runTests({ everything: true });
