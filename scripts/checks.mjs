import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { findBadImports } from './imports.mjs';
import { capture, root } from './process.mjs';
import { startSample } from './sample.mjs';

/** Checks by name, in groups. */
const CHECKS = {
  build: { 'the package builds': () => program('node', ['scripts/build.mjs']) },
  typecheck: {
    'the studio type-checks (tsc)': () => program('tsc', ['-p', 'src/emulator/studio/page']),
    'the package and its tests type-check (tsc)': () => program('tsc', ['-p', 'test']),
  },
  sites: {
    'the playground type-checks (astro check)': () => checkSite('playground'),
    'examples/live type-checks (astro check)': () => checkSite('examples/live'),
    'examples/minimal type-checks (astro check)': () => checkSite('examples/minimal'),
  },
  lint: {
    'format and lint (Biome)': () => program('biome', ['check', '--error-on-warnings', '.']),
    'imports follow the design': () => report(findBadImports(join(root, 'src'))),
    'nothing is unused (knip)': () => program('knip', []),
  },
  package: { 'the packed package is sound (publint, attw)': packed },
};

/** Groups that use dist/. */
const NEED_BUILD = ['sites', 'package'];

export const GROUPS = Object.keys(CHECKS);

/** Runs the checks of these groups, and the build if they need it: as many at a time as there are cores. */
export async function runChecks(groups = GROUPS) {
  const limit = pLimit(availableParallelism());
  const run = (chosen) =>
    chosen
      .flatMap((group) => Object.entries(CHECKS[group]))
      .map(([name, check]) => limit(() => passes(name, check)));
  const needBuild = groups.filter((group) => NEED_BUILD.includes(group));
  const build = run(needBuild.length > 0 || groups.includes('build') ? ['build'] : []);
  const others = run(groups.filter((group) => group !== 'build' && !needBuild.includes(group)));
  await Promise.all(build);
  const results = await Promise.all([...build, ...others, ...run(needBuild)]);
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed };
}

async function passes(name, check) {
  const { code, output } = await check();
  console.log(`${code === 0 ? '✓' : '✗'} ${name}`);
  if (code !== 0) console.log(output.trimEnd().replaceAll(/^/gm, '    '));
  return code === 0;
}

function program(command, args, { cwd = root, env = {} } = {}) {
  return capture(command, args, { cwd, env: { NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1', ...env } });
}

function report(problems) {
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

/** `astro check` loads the content, so it needs the service. */
async function checkSite(folder) {
  const { env, close } = await startSample();
  try {
    const args = ['check', '--minimumFailingSeverity', 'warning'];
    return await program('astro', args, { cwd: join(root, folder), env });
  } finally {
    await close();
  }
}

/** Checks the tarball of `npm pack`, which users install. */
async function packed() {
  const folder = mkdtempSync(join(tmpdir(), 'astro-luid-pack-'));
  try {
    const pack = await program('npm', ['pack', '--silent', '--pack-destination', folder]);
    if (pack.code !== 0) return pack;
    const [file] = readdirSync(folder);
    const tarball = join(folder, file);
    const publint = await program('publint', ['run', tarball, '--strict']);
    if (publint.code !== 0) return publint;
    // The components are .astro files, which TypeScript cannot resolve; a stylesheet has no types.
    const excluded = ['components', 'placeholder.css'];
    return await program('attw', [tarball, '--profile', 'esm-only', '--exclude-entrypoints', ...excluded]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
