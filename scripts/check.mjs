// npm run check [-- GROUP …]: static checks, by default all. npm run lint and npm run typecheck are groups of them.
import { GROUPS, runChecks } from './checks.mjs';

const groups = process.argv.slice(3);
const unknown = groups.find((group) => !GROUPS.includes(group));
if (unknown !== undefined) {
  console.error(`Unknown group ${JSON.stringify(unknown)}. Available: ${GROUPS.join(', ')}.`);
  process.exit(1);
}
const { passed, failed } = await runChecks(groups.length > 0 ? groups : undefined);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
