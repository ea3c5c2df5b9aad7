import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { createProject, LUID, type Project } from './project.ts';
import { SMALL_SPACE } from './small-space.ts';
import { HAS_TMUX, openTerminal, type Terminal } from './terminal.ts';

const KEY = 'published-key';
let service: RunningEmulator;
let project: Project;
let terminal: Terminal;

beforeAll(async () => {
  service = await startEmulator(SMALL_SPACE, { rateLimit: false });
});
afterAll(() => service.close());
beforeEach(() => {
  project = createProject();
});
afterEach(() => {
  service.latency = 0;
  terminal.close();
  project.remove();
});

function start(...args: string[]) {
  const { LUID_BASE_URL, LUID_API_KEY, CI, ...env } = process.env;
  terminal = openTerminal(project.folder, [process.execPath, LUID, 'init', ...args], env);
  return terminal;
}

/** Answers the questions about address and key. */
async function answerAccess() {
  const { shows, type, press } = start();
  await shows('The address of the service');
  type(service.baseUrl);
  press('Enter');
  await shows('The API key');
  type(KEY);
  press('Enter');
}

describe.skipIf(!HAS_TMUX)('luid init on a terminal (needs tmux)', () => {
  test('asks for address, key and models, and writes once it is told to', async () => {
    await answerAccess();
    const { shows, press, screen } = terminal;
    await shows('Which models does the site use?');
    expect(project.files()).toEqual([]);
    press('Enter');
    await shows(/Write src\/space\.ts/);
    expect(project.files()).toEqual([]);
    press('Enter');
    await shows('ended 0');
    expect(project.files()).toContain('src/space.ts');
    expect(project.read('.env')).toContain(`LUID_API_KEY=${KEY}`);
    expect(screen()).not.toContain(KEY);
  });

  test('an answer that cannot be is asked for again', async () => {
    const { shows, type, press } = start();
    await shows('The address of the service');
    type('nowhere');
    press('Enter');
    await shows('An address such as');
    press('C-c');
    await shows('ended 130');
  });

  test('Ctrl-C at a question: 130, and nothing is written', async () => {
    await answerAccess();
    const { shows, press } = terminal;
    await shows('Which models');
    press('C-c');
    await shows('Nothing was written.');
    await shows('ended 130');
    expect(project.files()).toEqual([]);
  });

  test('Ctrl-C while the service is asked: 130, and nothing is written', async () => {
    service.latency = 20_000;
    await answerAccess();
    const { shows, press } = terminal;
    await shows('finding the models');
    press('C-c');
    await shows('ended 130');
    expect(project.files()).toEqual([]);
  });

  test('No at the end: nothing is written', async () => {
    const { shows, press } = start('--base-url', service.baseUrl, '--api-key', KEY, '--models', 'author');
    await shows(/Write src\/space\.ts/);
    press('Right');
    press('Enter');
    await shows('ended 130');
    expect(project.files()).toEqual([]);
  });

  test('a second run shows what differs and asks: keep, write beside, or replace', async () => {
    await project.luid(['init', '--yes', '--base-url', service.baseUrl, '--api-key', KEY]);
    const mine = project.read('src/space.ts').replace('field.flexibleText()', 'field.multiline()');
    project.write('src/space.ts', mine);
    const { shows, press } = start('--models', 'article,author');
    await shows('src/space.ts is there and differs');
    await shows(/- +body: field\.multiline\(\)/);
    press('Down');
    press('Enter');
    await shows('Write src/space.new.ts?');
    press('Enter');
    await shows('ended 0');
    expect(project.read('src/space.ts')).toBe(mine);
    expect(project.read('src/space.new.ts')).toContain('body: field.flexibleText()');
  });
});
