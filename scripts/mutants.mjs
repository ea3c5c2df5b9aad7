// npm run mutants [-- FILE …] [--new]: changes the replica and the entries in small ways, one at a time, and expects
// the tests to fail each time. Writes coverage/mutants/report.md and report.json. Not part of npm test: it takes long.
// With --new, results of the last run are kept where neither the file nor the tests that reach the change were edited.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { markdownReport } from './mutants/report.mjs';
import { judge, LEAST_SCORE } from './mutants/score.mjs';
import { testsOf } from './mutants/tests.mjs';
import { root } from './process.mjs';

const FOLDERS = ['src/entries', 'src/replica'];
const REPORTS = 'coverage/mutants';

const args = process.argv.slice(3);
const files = chosenFiles(args.filter((arg) => !arg.startsWith('--')));
const equivalent = JSON.parse(
  readFileSync(new URL('./mutants/equivalent.json', import.meta.url), 'utf8'),
).filter(({ file }) => files.includes(file));
const mutants = [];
for (const file of files) mutants.push(...(await runFile(file)));

const verdict = judge(mutants, equivalent);
const report = markdownReport(verdict);
mkdirSync(join(root, REPORTS), { recursive: true });
writeFileSync(join(root, REPORTS, 'report.md'), report);
writeFileSync(join(root, REPORTS, 'report.json'), `${JSON.stringify(verdict, null, 2)}\n`);
console.log(`\n${report}`);
const isGood = verdict.stale.length === 0 && verdict.files.every(({ score }) => score >= LEAST_SCORE);
process.exitCode = isGood ? 0 : 1;

/** The files that are named, or all of the folders. */
function chosenFiles(names) {
  const all = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  if (names.length === 0) return all.sort();
  const chosen = all.filter((file) => names.some((name) => file === name || file.startsWith(`${name}/`)));
  if (chosen.length > 0) return chosen.sort();
  console.error(`${names.join(', ')} is not a file or folder of ${FOLDERS.join(' or ')}`);
  process.exit(1);
}

/** Every mutant of a file, and how it ended. */
async function runFile(file) {
  console.log(`\n${file}`);
  process.env.LUID_MUTANT_TESTS = JSON.stringify(testsOf(file));
  const results = await new Stryker({
    mutate: [file],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/mutants/vitest.config.mjs' },
    coverageAnalysis: 'perTest',
    concurrency: Number(process.env.LUID_WORKERS ?? 1),
    timeoutMS: 5_000,
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    warnings: { slow: false },
    allowEmpty: true,
    incremental: true,
    incrementalFile: `${REPORTS}/last/${file.replaceAll('/', '-')}.json`,
    force: !args.includes('--new'),
    tempDirName: `${REPORTS}/sandbox`,
    ignorePatterns: ['/coverage', '/dist', '/docs', '/playground', '/test/bench'],
  }).runMutationTest();
  return results.map((result) => {
    const { start, end } = result.location;
    const lines = readFileSync(result.fileName, 'utf8').split('\n');
    return {
      file,
      line: start.line,
      column: start.column,
      text: lines[start.line - 1].trim(),
      original: textBetween(lines, start, end),
      replacement: result.replacement,
      kind: result.mutatorName,
      status: result.status,
    };
  });
}

/** What is replaced: lines count from 1 and columns from 1. */
function textBetween(lines, start, end) {
  const whole = lines.slice(start.line - 1, end.line);
  whole[whole.length - 1] = whole.at(-1).slice(0, end.column - 1);
  whole[0] = whole[0].slice(start.column - 1);
  return whole.join('\n');
}
