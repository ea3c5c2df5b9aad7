// npm run check: all static checks.
import { runChecks } from './checks.mjs';

const { passed, failed } = await runChecks();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
