// npm test: the checks and tests, but for the slow ones. npm test -- PATTERN …: the tests whose paths contain a pattern.
// npm run test:all: the slow ones too, as in CI.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GROUPS, runChecks } from './checks.mjs';
import { ended, start } from './process.mjs';

/** Tests that build many sites, or drive a browser for long. */
const SLOW_TESTS = 'test/**/*.slow.test.ts';
/** Checks that take as long. */
const SLOW_CHECKS = ['sites'];

const args = process.argv.slice(3);
const everything = args.includes('--all');
const patterns = args.filter((arg) => arg !== '--all');
const isWhole = patterns.length === 0;

const groups = GROUPS.filter((group) => everything || !SLOW_CHECKS.includes(group));
// Some tests use the package as it is shipped, so it is built even if only some tests run.
const checks = await runChecks(isWhole ? groups : ['build']);
// A pattern selects slow tests too.
const tests = await runVitest(patterns, isWhole && !everything ? { LUID_EXCLUDE: SLOW_TESTS } : {});
const passed = checks.passed + tests.passed;
const failed = checks.failed + tests.failed;
const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
console.log(`${passed} passed, ${failed} failed${skipped}`);
process.exitCode = failed === 0 ? 0 : 1;

async function runVitest(filters, env) {
  const folder = mkdtempSync(join(tmpdir(), 'astro-luid-test-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await ended(start('vitest', ['run', ...reporters, ...filters], { env }));
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    // A file that could not be loaded, or an error outside of any test, fails the run without a failed test.
    const failed = code === 0 ? numFailedTests : Math.max(1, numFailedTests);
    return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
