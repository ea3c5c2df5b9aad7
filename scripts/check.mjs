// npm run check: everything that can be told without running the package.
import { runChecks } from './checks.mjs';

const { passed, failed } = await runChecks();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
