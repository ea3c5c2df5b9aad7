import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printable } from '../../../src/shared/printable.ts';
import { randomRuns } from '../../support/random-runs.ts';
import { checkCode, checkEnv, snapshot } from '../support/check-written-site.ts';
import {
  ATTACKS,
  HARMLESS_SPACE,
  type HostileService,
  hostileSpace,
  hostileString,
  startHostileService,
} from '../support/hostile-space.ts';
import { runInit } from '../support/run-in-process.ts';

const RUNS = randomRuns(75);
const SEED = process.env.LUID_SEED === undefined ? {} : { seed: Number(process.env.LUID_SEED) };

let service: HostileService;
let root: string;
beforeAll(async () => {
  service = await startHostileService();
  root = mkdtempSync(join(tmpdir(), 'astro-luid-hostile-'));
});
afterAll(() => {
  service.close();
  rmSync(root, { recursive: true });
});

/** A folder's name: what a file system takes. */
const folderName = hostileString
  .map((text) => text.toWellFormed().replaceAll(/[/\0]/g, '').slice(0, 40))
  .filter((name) => name.trim() !== '' && !/^\.+$/.test(name));
const key = fc.stringMatching(/^[\x21-\x7e]{1,20}$/);
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: hostileString.map((text) => `/${text.toWellFormed().replaceAll(/[?#]/g, '')}`) },
);

const MINE = {
  'package.json': '{ "dependencies": { "astro": "^7" } }',
  'astro.config.mjs': "export default { site: 'https://a.test' };\n",
  'src/content.config.ts': 'export const collections = {};\n',
};

test.each(ATTACKS)('%s does no harm', async (name, attack, isWritten) => {
  const space = { ...HARMLESS_SPACE, ...attack };
  const folder = join(root, name, 'site');
  const baseUrl = `${service.serve(name.replaceAll(/\W/g, ''), space)}/v1`;
  const { stdout } = await runInit([
    '--yes',
    '--json',
    '--base-url',
    baseUrl,
    '--api-key',
    'k',
    '--dir',
    folder,
  ]);
  expect(stdout !== '').toBe(isWritten);
  expect(existsSync(folder)).toBe(isWritten);
  if (!isWritten) return;
  checkCode(folder, JSON.parse(stdout), space);
  await checkEnv(folder, { baseUrl, apiKey: 'k' });
});

test(`writes correct files or none, whatever the service sends (${RUNS} runs)`, async () => {
  let run = 0;
  let written = 0;
  await fc.assert(
    fc.asyncProperty(
      hostileSpace,
      folderName,
      key,
      path,
      fc.boolean(),
      async (space, name, apiKey, extra, isNew) => {
        run += 1;
        const folder = join(root, String(run), name);
        if (!isNew) write(folder, MINE);
        const before = snapshot(folder);
        const baseUrl = `${service.serve(`r${run}`, space)}${extra}/v1`;
        const args = ['--yes', '--json', '--base-url', baseUrl, `--api-key=${apiKey}`, '--dir', folder];
        const { code, stdout, stderr } = await runInit(args);
        for (const line of stderr.split('\n')) expect(line).toBe(printable(line));
        if (stdout === '') {
          expect(code).toBe(1);
          expect(snapshot(folder)).toEqual(before);
        } else {
          written += 1;
          checkCode(folder, JSON.parse(stdout), space);
          await checkEnv(folder, { baseUrl, apiKey });
        }
        rmSync(dirname(folder), { recursive: true, force: true });
      },
    ),
    { numRuns: RUNS, ...SEED },
  );
  // Most hostile strings are in places where any string may be.
  expect(written).toBeGreaterThan(RUNS / 3);
}, 3_600_000);

function write(folder: string, files: Record<string, string>): void {
  for (const [place, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), text);
  }
}
