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

/** Enters URL and key. */
async function answerAccess() {
  const { shows, type, press } = start();
  await shows('URL of the service');
  type(service.baseUrl);
  press('Enter');
  await shows('API key (');
  type(KEY);
  press('Enter');
}

describe.skipIf(!HAS_TMUX)('luid init on a terminal (needs tmux)', () => {
  test('asks for URL, key and models, and writes once it is told to', async () => {
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

  test('what is not a URL is asked for again', async () => {
    const { shows, type, press } = start();
    await shows('URL of the service');
    type('nowhere');
    press('Enter');
    await shows('Enter a URL such as');
    press('C-c');
    await shows('ended 130');
  });

  test('a URL with a password is asked for again, and never shown', async () => {
    const { shows, type, press } = start('--base-url', 'https://me:hunter2@h.example/v1', '--api-key', KEY);
    await shows('must not contain a user name or password');
    await shows('URL of the service');
    expect(terminal.screen()).not.toContain('hunter2');
    type('https://me:secret@h.example/v1');
    press('Enter');
    await shows('without a user name, password or query');
    press('C-u');
    type(service.baseUrl);
    press('Enter');
    await shows('Which models does the site use?');
    expect(terminal.screen()).not.toMatch(/hunter2|secret|API key \(/);
    press('C-c');
    await shows('ended 130');
  });

  test('a wrong key is asked for again, and the URL is kept', async () => {
    const { shows, type, press } = start('--base-url', service.baseUrl, '--api-key', 'wrong');
    await shows('401 Unauthorized');
    await shows('API key (');
    type(KEY);
    press('Enter');
    await shows('Which models does the site use?');
    press('C-c');
    await shows('ended 130');
    expect(terminal.screen()).not.toContain('URL of the service');
  });

  test('a URL without its version segment: the one that responds is offered', async () => {
    const { shows, press } = start('--base-url', service.baseUrl.replace('/v1', ''), '--api-key', KEY);
    await shows('The version segment is missing');
    await shows(new RegExp(`URL of the service\\s+│ +${service.baseUrl}`));
    press('Enter');
    await shows('Which models does the site use?');
    press('C-c');
    await shows('ended 130');
    expect(terminal.screen()).not.toContain('API key (');
  });

  test('a service that is down, or a host that does not exist: only the URL is asked for again', async () => {
    const { shows, type, press } = start('--base-url', 'http://127.0.0.1:9/v1', '--api-key', KEY);
    await shows(/URL of the service\s+│ +http:\/\/127\.0\.0\.1:9\/v1/);
    press('C-u');
    type('http://nowhere.invalid/v1');
    press('Enter');
    await shows(/\[GET\] http:\/\/nowhere\.invalid\/v1/);
    await shows(/URL of the service\s+│ +http:\/\/nowhere\.invalid\/v1/);
    press('C-u');
    type(service.baseUrl);
    press('Enter');
    await shows('Which models does the site use?');
    press('C-c');
    await shows('ended 130');
    expect(terminal.screen()).not.toContain('API key (');
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
    await shows('connecting to');
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

  test('a second run shows the difference by field, and adds only what is new', async () => {
    await project.luid(['init', '--yes', '--base-url', service.baseUrl, '--api-key', KEY]);
    const mine = project
      .read('src/space.ts')
      .replace('body: field.flexibleText()', 'body: field.boolean()')
      .replace(/^ {6}slug:.*\n/m, '');
    project.write('src/space.ts', mine);
    const { shows, press } = start('--models', 'article,author');
    await shows('src/space.ts exists and differs');
    await shows('+ article.slug: new, slug: field.text()');
    await shows('~ article.body: declared as field.boolean(), content shows flexible_text');
    await shows('Add what is new, change nothing else');
    press('Enter');
    await shows('Write src/space.ts?');
    press('Enter');
    await shows('ended 0');
    expect(project.read('src/space.ts')).toContain('body: field.boolean()');
    expect(project.read('src/space.ts')).toMatch(/^ {6}slug: field\.text\(\),/m);
    expect(project.files()).not.toContain('src/space.new.ts');
  });

  test('in an existing site each change is shown; one that is declined is printed to add by hand', async () => {
    project.write('astro.config.mjs', 'export default {};\n');
    project.write('src/content.config.ts', 'export const collections = {};\n');
    const { shows, press } = start('--base-url', service.baseUrl, '--api-key', KEY, '--models', 'author');
    await shows('Change src/content.config.ts like this?');
    await shows(/\+ +author: defineCollection/);
    press('Enter');
    await shows('Change astro.config.mjs like this?');
    await shows(/\+ +integrations: \[luid\(space\)\]/);
    press('Right');
    press('Enter');
    await shows(/Write src\/space\.ts/);
    press('Enter');
    await shows('ended 0');
    await shows('astro.config.mjs: It was left as it is. Add:');
    expect(project.read('astro.config.mjs')).toBe('export default {};\n');
    expect(project.read('src/content.config.ts')).toContain("space.loader('author')");
  });
});
