import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { printable } from '../../src/shared/printable.ts';
import { checkCode, checkEnv, snapshot } from '../cli/support/check-written-site.ts';
import { ATTACKS, HARMLESS_SPACE, type HostileService } from '../cli/support/hostile-space.ts';
import { type Ran, runInit } from '../cli/support/run-in-process.ts';
import type { Guarantee, Matrix } from './matrix.ts';

const TEXT = `\`luid init\` writes code and settings that are made of what the service sends. Each number counts runs: in a new
folder, and in a project. \`test/cli/init/init-hostile.property.test.ts\` sends random strings.`;

const API_KEY = 'a-secret-key';
const PROJECT = {
  'package.json': '{ "dependencies": { "astro": "^7" } }',
  'astro.config.mjs': "export default { site: 'https://a.test' };\n",
  'src/content.config.ts': 'export const collections = {};\n',
  'src/pages/index.astro': '<h1>Mine</h1>\n',
};

type Files = Readonly<Record<string, string>>;

interface InitTrial {
  readonly name: string;
  readonly isWritten: boolean;
  readonly ran: Ran;
  readonly before: Files;
  readonly after: Files;
  /** The problem of the written code or `.env`, as an independent parser finds it. */
  readonly problem: unknown;
}

async function trialsOf(
  service: HostileService,
  [name, attack, isWritten]: (typeof ATTACKS)[number],
): Promise<InitTrial[]> {
  const space = { ...HARMLESS_SPACE, ...attack };
  const root = mkdtempSync(join(tmpdir(), 'astro-luid-init-matrix-'));
  const trials: InitTrial[] = [];
  try {
    for (const [where, files] of Object.entries({ 'new folder': {}, project: PROJECT })) {
      const folder = join(root, where, 'site');
      write(folder, files);
      const before = snapshot(folder);
      const baseUrl = `${service.serve(`${name} ${where}`.replaceAll(/\W/g, ''), space)}/v1`;
      const args = ['--yes', '--json', '--base-url', baseUrl, '--api-key', API_KEY, '--dir', folder];
      const ran = await runInit(args);
      const problem = await problemOf(async () => {
        if (ran.stdout === '') return;
        checkCode(folder, JSON.parse(ran.stdout), space);
        await checkEnv(folder, { baseUrl, apiKey: API_KEY });
      });
      trials.push({ name: where, isWritten, ran, before, after: snapshot(folder), problem });
      if (!isWritten && where === 'new folder') expect(existsSync(folder)).toBe(false);
    }
    return trials;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function write(folder: string, files: Files): void {
  for (const [place, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), text);
  }
}

async function problemOf(check: () => Promise<void>): Promise<unknown> {
  return check().then(
    () => undefined,
    (error: unknown) => error,
  );
}

const GUARANTEES: readonly Guarantee<InitTrial>[] = [
  {
    name: 'what was sent is written as data, or nothing is written',
    check({ isWritten, ran, before, after, problem }) {
      expect(ran.stdout !== '').toBe(isWritten);
      if (!isWritten) expect(after).toEqual(before);
      if (problem !== undefined) throw problem;
      return true;
    },
  },
  {
    name: 'pages of the user stay as they are',
    check({ before, after }) {
      const page = '/src/pages/index.astro';
      if (before[page] === undefined) return false;
      expect(after[page]).toBe(before[page]);
      return true;
    },
  },
  {
    name: 'the terminal gets no control characters',
    check({ ran }) {
      for (const line of ran.stderr.split('\n')) expect(line).toBe(printable(line));
      return true;
    },
  },
  {
    name: 'the API key is in `.env` only',
    check({ ran, after }) {
      const files = Object.entries(after).filter(([place]) => place !== '/.env');
      for (const [place, text] of files) expect(text, place).not.toContain(API_KEY);
      expect(ran.stdout + ran.stderr).not.toContain(API_KEY);
      return true;
    },
  },
  {
    name: 'the exit code and the message say what happened',
    check({ isWritten, ran }) {
      if (!isWritten) expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/\n {2}→ /) });
      else expect(ran.code).toBe(0);
      return true;
    },
  },
];

/** `luid init` with a service that means harm. */
export const initMatrix = (service: HostileService): Matrix<InitTrial> => ({
  title: 'luid init with a hostile service',
  text: TEXT,
  guarantees: GUARANTEES,
  rows: ATTACKS.map((attack) => ({ name: attack[0], trials: () => trialsOf(service, attack) })),
});
