// node scripts/run.mjs defects [NAME …]: puts known defects into a copy of the code, one at a time, and
// expects the tests to catch each: tests that pass with broken code prove nothing. The named tests run first;
// what they let pass has to be found by the random ones, in as many runs as in npm test (or LUID_RUNS).
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as client from './defects/client.mjs';
import * as live from './defects/live.mjs';
import * as loader from './defects/loader.mjs';
import * as preview from './defects/preview.mjs';
import * as replica from './defects/replica.mjs';
import * as storage from './defects/storage.mjs';
import * as studio from './defects/studio.mjs';
import { capture, root } from './process.mjs';

const COPIED = [
  'src',
  'test',
  'templates',
  'docs/reference',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];

const parts = process.argv.slice(3);
const isChosen = (name) => parts.length === 0 || parts.some((part) => name.includes(part));
const folder = mkdtempSync(join(tmpdir(), 'astro-luid-defects-'));
let tried = 0;
let missed = 0;
try {
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const suite of [replica, storage, loader, live, preview, studio, client]) {
    const chosen = Object.keys(suite.DEFECTS).filter(isChosen);
    const unchanged = chosen.length > 0 ? await runTests(suite) : {};
    if (unchanged.caught) fail(`${unchanged.output}\nThe tests fail without any defect: fix that first.`);
    for (const name of chosen) {
      applyDefect(name, suite.DEFECTS[name]);
      const { caught } = await runTests(suite);
      tried += 1;
      if (!caught) missed += 1;
      console.log(`${name.padEnd(56)} | ${caught ?? 'NOT CAUGHT'}`);
      cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${tried - missed} caught, ${missed} not caught`);
process.exitCode = missed === 0 ? 0 : 1;

function applyDefect(name, edits) {
  for (const [file, before, after] of edits) {
    const path = join(folder, 'src', file);
    const text = readFileSync(path, 'utf8');
    if (text.split(before).length !== 2) {
      fail(`The defect "${name}" does not apply: src/${file} must contain this exactly once:\n${before}`);
    }
    writeFileSync(
      path,
      text.replace(before, () => after),
    );
  }
}

/** Runs the named tests, then the random ones; `caught` says which failed first, if any did. */
async function runTests({ NAMED_TESTS, RANDOM_TESTS }) {
  const named = NAMED_TESTS.length > 0 ? await vitest('--bail=1', ...NAMED_TESTS) : { code: 0 };
  if (named.code !== 0) {
    const test = named.output.match(/FAIL {2}(?:\|\w+\| )?test\/(.*)/)?.[1];
    if (!test) fail(`The tests did not run:\n${named.output}`);
    return { output: named.output, caught: `caught by ${test}` };
  }
  // Without names, Vitest would run all tests.
  if (RANDOM_TESTS.length === 0) return { output: named.output };
  const random = await vitest(...RANDOM_TESTS);
  if (random.code === 0) return { output: random.output };
  const runs = random.output.match(/Property failed after (\d+) tests|run (\d+)[: ]/);
  if (!runs) fail(`The tests did not run:\n${random.output}`);
  return { output: random.output, caught: `caught after ${runs[1] ?? Number(runs[2]) + 1} random runs` };
}

async function vitest(...options) {
  return capture('vitest', ['run', ...options], {
    cwd: folder,
    env: { NO_COLOR: '1' },
  });
}

function fail(message) {
  console.error(message);
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
}
