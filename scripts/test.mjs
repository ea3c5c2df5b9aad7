// npm test: runs the checks, then all tests. The last line is "N passed, M failed".
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.mjs';
import { ended, start } from './process.mjs';

const patterns = process.argv.slice(3);
const checks = patterns.length === 0 ? await runChecks() : await buildAlone();
const tests = await runTests();

const total = { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed };
console.log(
  `${total.passed} passed, ${total.failed} failed${tests.skipped ? `, ${tests.skipped} skipped` : ''}`,
);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Some tests use the package as it is shipped, so it is built even if only some tests run. */
async function buildAlone() {
  await import('./build.mjs');
  return { passed: 0, failed: 0 };
}

async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'astro-luid-test-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await ended(start('vitest', ['run', ...reporters, ...patterns]));
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
