// node scripts/run.mjs defects [NAME …]: puts known defects into a copy of the replica, one at a time, and
// expects the tests to catch each: tests that pass with broken code prove nothing. The named tests run first;
// what they let pass has to be found by the random ones.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, root } from './process.mjs';

const RUNS = process.env.LUID_RUNS ?? '300';
const NAMED_TESTS = [
  'sync/',
  'read/',
  'store/',
  'during-reads.test.ts',
  'hidden-for-a-moment.test.ts',
  'items-that-appear.test.ts',
  'languages-apart.test.ts',
  'map-changes.test.ts',
  'stale-pages.test.ts',
  'undeclared-content.test.ts',
  'under-edits.test.ts',
].map((name) => `test/replica/${name}`);
const RANDOM_TESTS = ['test/replica/never-wrong.property.test.ts'];
const COPIED = ['src', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

/** Each defect as edits of files: the code, and its replacement. */
const DEFECTS = {
  'the cursor is of the local clock': [
    [
      'sync/session.ts',
      "this.reached = { kind: 'heads', cursor: cursorOf(heads), fingerprint, neverPublished };",
      'const cursor = { updated: this.now(), published: this.now() };\n' +
        "    this.reached = { kind: 'heads', cursor, fingerprint, neverPublished };",
    ],
  ],
  'the cursor is saved before the data': [
    [
      'sync-replica.ts',
      'await syncLanguage(session);',
      'try {\n' +
        '      await syncLanguage(session);\n' +
        '    } catch (error) {\n' +
        '      await commit(options, cache, await nextManifest(session), session.now());\n' +
        '      throw error;\n' +
        '    }',
    ],
    [
      'sync/sync.ts',
      'const changes = await catchUp(session.headsSource,',
      'session.reachHeads(heads, fingerprintOf(heads));\n  const changes = await catchUp(session.headsSource,',
    ],
  ],
  'pages by plain offset': [
    ['read/scan.ts', 'const STEP = LIMITS.pageSize - 1;', 'const STEP: number = LIMITS.pageSize;'],
    [
      'read/scan.ts',
      'const broken = brokenLink(pages, query.by, wholeSeconds);',
      'const broken = undefined;',
    ],
  ],
  'totals of pages are ignored': [
    ['read/scan.ts', 'const deviating = pagesWithOtherTotal(pages);', 'const deviating: number[] = [];'],
  ],
  'removal by count': [
    [
      'sync/find-differences.ts',
      '  await searchModels(tables, difference, result);\n  return result;',
      '  for (const { table } of tables) {\n' +
        '    const { missing } = result;\n' +
        '    const items = await table.between(EVER.from, EVER.to);\n' +
        '    missing.push(...items.slice(0, Math.max(0, -difference - missing.length)));\n' +
        '  }\n' +
        '  if (difference > 0) await searchModels(tables, difference, result);\n' +
        '  return result;',
    ],
    ['sync/reconcile.ts', 'if (!hidden.has(item._id)) await', 'await'],
  ],
  'items are compared by _updated_at alone': [
    [
      'sync/model-group.ts',
      'return JSON.stringify(a) === JSON.stringify(b) || isDeepStrictEqual(a, b);',
      'return a._updated_at === b._updated_at;',
    ],
  ],
  'items that became visible repair no references': [['sync/sync.ts', 'await readReferrers(session);', '']],
  'what is older than its referrer repairs no references': [
    ['sync/referrers.ts', 'createdAt <= newest', 'createdAt > newest'],
  ],
  'a disturbed full read is accepted': [
    [
      'sync/sync.ts',
      'models = result.isExplained || round > 1 ? result.unclear : Object.keys(session.models);',
      'models = result.unclear;',
    ],
    ['sync/sync.ts', 'if (!result.isExplained && round > 1) session.needsFullSync = true;', ''],
  ],
  'heads of one second show everything': [['sync/matches-heads.ts', ' || !areConclusive(heads)', '']],
  'what disappeared during a full read is not looked up': [
    ['sync/sync.ts', 'await lookUpUndeclared(session);', ''],
  ],
  'heads that do not match are remembered': [
    ['sync/sync.ts', 'isConclusive ? fingerprintOf(heads) : null', 'fingerprintOf(heads)'],
  ],
  'stale heads are accepted': [
    [
      'read/heads.ts',
      'if (bypassCdn ? neverPublished >= 0 : isPlausible(heads, known)) return heads;',
      'return heads;',
    ],
    [
      'sync/apply-changes.ts',
      'if (heads.bypassedCdn) return changes;',
      'if (heads.total >= 0) return changes;',
    ],
  ],
  'references to what was removed stay': [
    [
      'make-replica.ts',
      'return lang === undefined ? withoutRemoved(models, manifest, items) : items;',
      'return lang === null ? withoutRemoved(models, manifest, items) : items;',
    ],
  ],
  'damage is not noticed': [
    [
      'store/segments.ts',
      'if (body === undefined || hashOf(body) !== segment.hash) return undefined;',
      'if (body === undefined) return undefined;',
    ],
  ],
};

const parts = process.argv.slice(3);
const chosen = Object.keys(DEFECTS).filter(
  (name) => parts.length === 0 || parts.some((part) => name.includes(part)),
);
const folder = mkdtempSync(join(tmpdir(), 'astro-luid-defects-'));
let missed = 0;
try {
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const unchanged = await runTests();
  if (unchanged.caught) fail(`${unchanged.output}\nThe tests fail without any defect: fix that first.`);
  for (const name of chosen) {
    applyDefect(name, DEFECTS[name]);
    const { caught } = await runTests();
    if (!caught) missed += 1;
    console.log(`${name.padEnd(54)} | ${caught ?? 'NOT CAUGHT'}`);
    cpSync(join(root, 'src/replica'), join(folder, 'src/replica'), { recursive: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${chosen.length - missed} caught, ${missed} not caught, in ${RUNS} random runs at most`);
process.exitCode = missed === 0 ? 0 : 1;

function applyDefect(name, edits) {
  for (const [file, before, after] of edits) {
    const path = join(folder, 'src/replica', file);
    const text = readFileSync(path, 'utf8');
    if (text.split(before).length !== 2) {
      fail(
        `The defect "${name}" does not apply: src/replica/${file} must contain this exactly once:\n${before}`,
      );
    }
    writeFileSync(
      path,
      text.replace(before, () => after),
    );
  }
}

/** Runs the named tests, then the random ones; `caught` says which failed first, if any did. */
async function runTests() {
  const named = await vitest('--bail=1', ...NAMED_TESTS);
  if (named.code !== 0) {
    const test = named.output.match(/FAIL {2}test\/replica\/(.*)/)?.[1];
    if (!test) fail(`The tests did not run:\n${named.output}`);
    return { output: named.output, caught: `caught by ${test}` };
  }
  const random = await vitest(...RANDOM_TESTS);
  if (random.code === 0) return { output: random.output };
  const runs = random.output.match(/Property failed after (\d+) tests/)?.[1];
  if (!runs) fail(`The tests did not run:\n${random.output}`);
  return { output: random.output, caught: `caught after ${runs} random runs` };
}

async function vitest(...options) {
  return capture('vitest', ['run', '--typecheck.enabled=false', ...options], {
    cwd: folder,
    env: { LUID_RUNS: RUNS, NO_COLOR: '1' },
  });
}

function fail(message) {
  console.error(message);
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
}
