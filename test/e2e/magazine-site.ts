import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from './site.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLAYGROUND = join(ROOT, 'playground');

/** What points the playground at an emulator. */
export function environmentOf({ baseUrl, assetsUrl }: RunningEmulator): Record<string, string> {
  return {
    LUID_BASE_URL: baseUrl,
    LUID_ASSETS_URL: assetsUrl,
    LUID_API_KEY: 'published-key',
    LUID_DRAFT_API_KEY: 'draft-key',
  };
}

/** The playground in a folder of its own, so that its caches and results are nobody else's. */
export function createMagazine(service: RunningEmulator): Site {
  const files = globSync(['src/**/*', 'public/**/*', '*.{json,mjs}'], { cwd: PLAYGROUND })
    .filter((file) => statSync(join(PLAYGROUND, file)).isFile())
    .map((file) => [file, readFileSync(join(PLAYGROUND, file), 'utf8')]);
  const linked = ['astro', 'zod', 'typescript', 'astro-luid', 'playground'];
  // All of them: what runs on the server imports what it needs from beside it.
  const packages = readdirSync(join(ROOT, 'node_modules')).filter(
    (name) => !name.startsWith('.') && !linked.includes(name),
  );
  return createSite(Object.fromEntries(files), environmentOf(service), packages);
}

/** The pages that a build rendered, and those that it took over from the build before. */
export function pagesIn(log: string): { rendered: string[]; restored: string[] } {
  const lines = log.split('\n').flatMap((line) => /[├└]─ (\/.*)$/.exec(line)?.[1] ?? []);
  const paths = (found: string[]) =>
    found.map((line) => (line.split(' ')[0] ?? '').replace('index.html', ''));
  return {
    rendered: paths(lines.filter((line) => !line.includes('(restored)'))),
    restored: paths(lines.filter((line) => line.includes('(restored)'))),
  };
}
