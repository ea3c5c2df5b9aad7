import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../support/run-command.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Where `scripts/build.mjs` copies this package, as if it was installed. */
const INSTALLED = join(ROOT, 'node_modules/.cache/astro-luid/node_modules/astro-luid');
export const LUID = join(ROOT, 'src/cli/main.ts');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder for the command line to work in. */
export interface Project {
  readonly folder: string;
  /** Runs `luid` in it, with nothing of the space in the environment but what is given. */
  luid(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Runs `astro` in it; rejects with what it says where it fails. */
  astro(args: string[]): Promise<string>;
  /** Puts the packages there that `npm install` would. */
  install(): void;
  write(path: string, text: string): void;
  read(path: string): string;
  has(path: string): boolean;
  /** All files but packages and what Astro makes. */
  files(): string[];
  remove(): void;
}

export function createProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'astro-luid-cli-'));
  const { VITEST, LUID_BASE_URL, LUID_API_KEY, LUID_ASSETS_URL, ...inherited } = process.env;
  const environment = { ...inherited, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };
  return {
    folder,
    luid: (args, env = {}) =>
      new Promise((resolve, reject) => {
        const options = { cwd: folder, env: { ...environment, ...env } };
        const child = spawn(process.execPath, [LUID, ...args], {
          ...options,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let [stdout, stderr] = ['', ''];
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          stdout += text;
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          stderr += text;
        });
        child.on('error', reject);
        child.on('close', (code) => resolve({ code, stdout, stderr }));
      }),
    astro: (args) => run(join(ROOT, 'node_modules/.bin/astro'), args, { cwd: folder, env: environment }),
    install() {
      for (const name of ['astro', 'zod', 'typescript', 'unstorage', '@astrojs/check']) {
        mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
        symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
      }
      symlinkSync(INSTALLED, join(folder, 'node_modules/astro-luid'));
    },
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    has: (path) => existsSync(join(folder, path)),
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .filter((path) => !/^(node_modules|\.astro|\.git|dist)\//.test(path))
        .sort(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
