// npm test: the checks and tests, but for the slow ones. npm test -- PATTERN …: the tests whose paths contain a pattern.
import { runTests } from './run-tests.mjs';

await runTests({ everything: false, patterns: process.argv.slice(3) });
