import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffCommand } from '../../../src/cli/diff/diff-command.ts';
import { exportCommand } from '../../../src/cli/export/export-command.ts';
import { restoreCommand } from '../../../src/cli/restore/restore-command.ts';
import {
  type EmulatorOptions,
  type RunningEmulator,
  type Seed,
  startEmulator,
} from '../../../src/emulator/index.ts';
import { hashText } from '../../../src/shared/hash-text.ts';
import { createProject, type Project } from './cli-project.ts';
import { type Ran, runCommand } from './run-in-process.ts';

/** How many times faster than ours the clock of the client runs: a minute of the rate limit takes 0.1 s. */
const SPEED = 600;

const COMMANDS = { export: exportCommand, diff: diffCommand, restore: restoreCommand };

/** A space on an emulator, and the project of a site that uses it. */
export interface BackupProject {
  readonly project: Project;
  readonly service: RunningEmulator;
  /** A path in the project. */
  path(name: string): string;
  /** Runs a command in this process. */
  run(command: keyof typeof COMMANDS, ...args: string[]): Promise<Ran>;
  /** A `.env` file of another project. */
  envFileOf(other: BackupProject): string;
  close(): Promise<void>;
}

export async function openBackupProject(
  seed: Seed,
  options: EmulatorOptions & { readonly space?: string } = {},
): Promise<BackupProject> {
  const service = await startEmulator(seed, { rateLimit: false, ...options });
  const project = createProject();
  project.install();
  const env = `LUID_BASE_URL=${service.baseUrl}\nLUID_ASSETS_URL=${service.assetsUrl}\nLUID_API_KEY=${keyOf(seed, 'published')}\nLUID_DRAFT_API_KEY=${keyOf(seed, 'drafts')}\n`;
  project.write('.env', env);
  project.write('src/space.ts', spaceFile(seed));
  return {
    project,
    service,
    path: (name) => join(project.folder, name),
    run: (command, ...args) => runCommand(command, COMMANDS[command], [...args, '--dir', project.folder]),
    envFileOf(other) {
      project.write('.env.other', other.project.read('.env'));
      return join(project.folder, '.env.other');
    },
    async close() {
      await service.close();
      project.remove();
    },
  };
}

function keyOf(seed: Seed, reads: 'published' | 'drafts'): string {
  return seed.keys.find((key) => key.reads === reads)?.key ?? 'none';
}

function spaceFile({ languages, models }: Seed): string {
  return `import { defineSpace } from 'astro-luid';
const start = Date.now();
const clock = {
  now: () => start + (Date.now() - start) * ${SPEED},
  sleep: (ms, signal) => new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(ms / ${SPEED}, 2 ** 30));
    signal?.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); });
  }),
};
export const space = defineSpace({
  languages: ${JSON.stringify(languages)},
  models: ${JSON.stringify(models)},
  network: { timeout: 60_000_000, retries: 0 },
  clock,
});
`;
}

/** The hashes of all files below a folder, by path. */
export function filesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = files.map((one) => join(one.parentPath, one.name)).sort();
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), hashText(readFileSync(path).toString('latin1'))]),
  );
}

/** The same space without content. */
export function emptied(seed: Seed): Seed {
  return { ...seed, media: [], contents: [] };
}
