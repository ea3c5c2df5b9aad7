import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBadImports } from './imports.mjs';
import { capture, root } from './process.mjs';
import { startSample } from './sample.mjs';

/** Checks by name, run one after the other: later ones need the build. */
const CHECKS = {
  'the package builds (tsc)': () => program('node', ['scripts/build.mjs']),
  'the studio type-checks (tsc)': () => program('tsc', ['-p', 'src/emulator/studio/page']),
  'the tests type-check (tsc)': () => program('tsc', ['-p', 'test']),
  'format and lint (Biome)': () => program('biome', ['check', '--error-on-warnings', '.']),
  'imports follow the design': () => report(findBadImports(join(root, 'src'))),
  'nothing is unused (knip)': () => program('knip', []),
  'the packed package is sound (publint, attw)': packed,
  'the playground type-checks (astro check)': () => checkSite('playground'),
  'the example type-checks (astro check)': () => checkSite('examples/live'),
};

export async function runChecks() {
  let failed = 0;
  for (const [name, check] of Object.entries(CHECKS)) {
    const { code, output } = await check();
    console.log(`${code === 0 ? '✓' : '✗'} ${name}`);
    if (code === 0) continue;
    failed += 1;
    console.log(output.trimEnd().replaceAll(/^/gm, '    '));
  }
  return { passed: Object.keys(CHECKS).length - failed, failed };
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
