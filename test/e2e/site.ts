import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../support/run-command.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Where `scripts/build.mjs` copies this package, as if it was installed. */
const INSTALLED = join(ROOT, 'node_modules/.cache/astro-luid/node_modules/astro-luid');

export interface Site {
  readonly folder: string;
  write(files: Record<string, string>): void;
  /** Runs `astro COMMAND` and gives what it says; rejects with it where it fails. */
  astro(args: string[], env?: NodeJS.ProcessEnv): Promise<string>;
  /** A file as it was written. */
  source(path: string): string;
  /** A file of the built site. */
  built(path: string): string;
  json<T = Record<string, never>>(path: string): T;
  remove(): void;
}

/** A site of its own in a temporary folder, with this package as it is built. */
export function createSite(
  files: Record<string, string>,
  base: NodeJS.ProcessEnv,
  packages: readonly string[] = [],
): Site {
  const folder = mkdtempSync(join(tmpdir(), 'astro-luid-site-'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['astro', 'zod', 'typescript', ...packages]) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  symlinkSync(INSTALLED, join(folder, 'node_modules/astro-luid'));
  const site: Site = {
    folder,
    write(more) {
      for (const [name, text] of Object.entries(more)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        // At once and whole: a dev server that watches would else read what is half written, as empty.
        writeFileSync(join(folder, 'node_modules/.half-written'), text);
        renameSync(join(folder, 'node_modules/.half-written'), join(folder, name));
      }
    },
    astro(args, env = {}) {
      const { VITEST, ...inherited } = process.env;
      const quiet = { ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };
      return run(join(ROOT, 'node_modules/.bin/astro'), args, {
        cwd: folder,
        env: { ...inherited, ...quiet, ...base, ...env },
      });
    },
    source: (path) => readFileSync(join(folder, path), 'utf8'),
    built: (path) => readFileSync(join(folder, 'dist', path), 'utf8'),
    json: (path) => JSON.parse(site.built(path)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  site.write({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': '{ "extends": "astro/tsconfigs/strictest", "include": [".astro/types.d.ts", "src"] }',
    'astro.config.mjs': 'export default {};',
    ...files,
  });
  return site;
}
