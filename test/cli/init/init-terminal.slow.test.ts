import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { createProject, LUID, type Project } from '../support/cli-project.ts';
import { HAS_TMUX, openTerminal, type Terminal } from '../support/terminal.ts';
import { TINY_SPACE } from '../support/tiny-space.ts';

const KEY = 'published-key';
let service: RunningEmulator;
let project: Project;
let terminal: Terminal;

beforeAll(async () => {
  service = await startEmulator(TINY_SPACE, { rateLimit: false });
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
  return startWith({}, ...args);
}

function startWith(variables: NodeJS.ProcessEnv, ...args: string[]) {
  const { LUID_SERVICE, LUID_BASE_URL, LUID_API_KEY, CI, ...rest } = process.env;
  const env = { ...rest, ...variables };
  terminal = openTerminal(project.folder, [process.execPath, LUID, 'init', ...args], env);
  return terminal;
}

/** Chooses the last of the services: another URL. */
async function chooseOtherService() {
  await terminal.shows('Which service?');
  await terminal.shows('NILTO');
  terminal.press('Down');
  terminal.press('Enter');
}

/** Enters URL and key. */
async function enterCredentials() {
  const { shows, type, press } = start();
  await chooseOtherService();
  await shows('URL of the service');
  type(service.baseUrl);
  press('Enter');
  await shows('API key (');
  type(KEY);
  press('Enter');
}

describe.skipIf(!HAS_TMUX)('luid init on a terminal (needs tmux)', () => {
  test('prompts for URL, key and models, and writes after confirmation', async () => {
    await enterCredentials();
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

  test('prompts in Japanese with LUID_LANG=ja, and says what is wrong', async () => {
    const japanese = { LUID_LANG: 'ja', LC_ALL: 'C.UTF-8' };
    const { shows, type, press, screen } = startWith(japanese, '--base-url', service.baseUrl);
    await shows('API キー (スペース設定で取得できます)');
    type('wrong');
    press('Enter');
    await shows('API キーがないか、正しくありません。');
    await shows(/401 Unauthorized[\s\S]*API キー \(スペース設定で取得できます\)/);
    type(KEY);
    press('Enter');
    await shows('サイトで使用するモデルを選択してください');
    press('Enter');
    await shows(/を書き込みますか？/);
    press('Enter');
    await shows('ended 0');
    expect(screen()).toContain('次のステップ:');
  });

  test('prompts again for an invalid URL', async () => {
    const { shows, type, press } = start();
    await chooseOtherService();
    await shows('URL of the service');
    type('nowhere');
    press('Enter');
    await shows('Enter a URL such as');
    press('C-c');
    await shows('ended 130');
  });

  test('prompts again for a URL with a password, without printing it', async () => {
    const { shows, type, press } = start('--base-url', 'https://me:hunter2@h.example/v1', '--api-key', KEY);
    await shows('must not contain a user name or password');
    await shows('URL of the service');
    expect(terminal.screen()).not.toContain('hunter2');
    type('https://me:secret@h.example/v1');
    press('Enter');
    await shows('without user name, password or query');
    press('C-u');
    type(service.baseUrl);
    press('Enter');
    await shows('Which models does the site use?');
    expect(terminal.screen()).not.toMatch(/hunter2|secret|API key \(/);
    press('C-c');
    await shows('ended 130');
  });

  test.each([
    ['a wrong key', 'wrong', '401 Unauthorized'],
    [
      'a key that cannot be sent in a header',
      'two words',
      'The API key contains characters that are not allowed',
    ],
  ])('prompts again for %s, and keeps the URL', async (_, key, problem) => {
    const { shows, type, press } = start('--base-url', service.baseUrl, '--api-key', key);
    await shows(problem);
    await shows('API key (');
    type(KEY);
    press('Enter');
    await shows('Which models does the site use?');
    press('C-c');
    await shows('ended 130');
    expect(terminal.screen()).not.toContain('URL of the service');
  });

  test('suggests the URL with version segment if it was omitted', async () => {
    const { shows, press } = start('--base-url', service.baseUrl.replace('/v1', ''), '--api-key', KEY);
    await shows('The version segment is missing');
    await shows(new RegExp(`URL of the service\\s+│ +${service.baseUrl}`));
    press('Enter');
    await shows('Which models does the site use?');
    press('C-c');
    await shows('ended 130');
    expect(terminal.screen()).not.toContain('API key (');
  });

  test('prompts only for the URL if the service is down or the host does not exist', async () => {
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

  test('Ctrl-C at a prompt exits with code 130 and writes nothing', async () => {
    await enterCredentials();
    const { shows, press } = terminal;
    await shows('Which models');
    press('C-c');
    await shows('Nothing was written.');
    await shows('ended 130');
    expect(project.files()).toEqual([]);
  });

  test('Ctrl-C during a request exits with code 130 and writes nothing', async () => {
    service.latency = 20_000;
    await enterCredentials();
    const { shows, press } = terminal;
    await shows('connecting to');
    press('C-c');
    await shows('ended 130');
    expect(project.files()).toEqual([]);
  });

  test('writes nothing without confirmation', async () => {
    const { shows, press } = start('--base-url', service.baseUrl, '--api-key', KEY, '--models', 'author');
    await shows(/Write src\/space\.ts/);
    press('Right');
    press('Enter');
    await shows('ended 130');
    expect(project.files()).toEqual([]);
  });

  test('a second run shows the differences by field, and adds only what is new', async () => {
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
    await shows('Add only what is new');
    press('Enter');
    await shows('Write src/space.ts?');
    press('Enter');
    await shows('ended 0');
    expect(project.read('src/space.ts')).toContain('body: field.boolean()');
    expect(project.read('src/space.ts')).toMatch(/^ {6}slug: field\.text\(\),/m);
    expect(project.files()).not.toContain('src/space.new.ts');
  });

  test('shows each change to an existing site, and prints the lines of a declined one', async () => {
    project.write('astro.config.mjs', 'export default {};\n');
    project.write('src/content.config.ts', 'export const collections = {};\n');
    const { shows, press } = start('--base-url', service.baseUrl, '--api-key', KEY, '--models', 'author');
    await shows('Apply this change to src/content.config.ts?');
    await shows(/\+ +author: defineCollection/);
    press('Enter');
    await shows('Apply this change to astro.config.mjs?');
    await shows(/\+ +integrations: \[luid\(space\)\]/);
    press('Right');
    press('Enter');
    await shows(/Write src\/space\.ts/);
    press('Enter');
    await shows('ended 0');
    await shows('astro.config.mjs: It was not changed. Add:');
    expect(project.read('astro.config.mjs')).toBe('export default {};\n');
    expect(project.read('src/content.config.ts')).toContain("space.loader('author')");
  });
});
