import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from './site.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLAYGROUND = join(ROOT, 'playground');
/** What the playground has in common with the example. */
const MAGAZINE = join(ROOT, 'examples/live/src');

/** The variables that connect the playground to an emulator. */
export function playgroundEnvironment({ baseUrl, assetsUrl }: RunningEmulator): Record<string, string> {
  return {
    LUID_BASE_URL: baseUrl,
    LUID_ASSETS_URL: assetsUrl,
    LUID_API_KEY: 'published-key',
    LUID_DRAFT_API_KEY: 'draft-key',
  };
}

/** A copy of the playground in a temporary folder, so that tests do not share its cache and results. */
export function createPlaygroundSite(service: RunningEmulator): Site {
  const files = {
    ...readFiles(PLAYGROUND, ['src/**/*', 'public/**/*', '*.{json,mjs}']),
    ...Object.fromEntries(
      Object.entries(readFiles(MAGAZINE, ['**/*'])).map(([name, text]) => [`magazine/${name}`, text]),
    ),
  };
  const linked = ['astro', 'zod', 'typescript', 'astro-luid', 'playground'];
  // All of them: a built server imports its dependencies from there.
  const packages = readdirSync(join(ROOT, 'node_modules')).filter(
    (name) => !name.startsWith('.') && !linked.includes(name),
  );
  return createSite(files, playgroundEnvironment(service), packages);
}

/** The files of a folder, with paths to the magazine as they are in the copy. */
function readFiles(folder: string, patterns: string[]): Record<string, string> {
  return Object.fromEntries(
    globSync(patterns, { cwd: folder })
      .filter((file) => statSync(join(folder, file)).isFile())
      .map((file) => [
        file,
        readFileSync(join(folder, file), 'utf8').replaceAll('../examples/live/src', './magazine'),
      ]),
  );
}

/** The pages that a build rendered, and those that it restored from the previous one. */
export function pagesIn(log: string): { rendered: string[]; restored: string[] } {
  const lines = log.split('\n').flatMap((line) => /[├└]─ (\/.*)$/.exec(line)?.[1] ?? []);
  const paths = (found: string[]) =>
    found.map((line) => (line.split(' ')[0] ?? '').replace('index.html', ''));
  return {
    rendered: paths(lines.filter((line) => !line.includes('(restored)'))),
    restored: paths(lines.filter((line) => line.includes('(restored)'))),
  };
}
