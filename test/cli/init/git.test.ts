import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { existingFileChoices } from '../../../src/cli/init/prompts.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { createProject, type Project } from '../support/cli-project.ts';
import { runInit } from '../support/run-in-process.ts';
import { TINY_SPACE } from '../support/tiny-space.ts';

const KEY = 'published-key';
let service: RunningEmulator;
let project: Project;
/** Only what a test sets, nothing of the machine's own configuration. */
let environment: Record<string, string>;

// One service per test: the requests of one process to one service are limited.
beforeEach(async () => {
  service = await startEmulator(TINY_SPACE, { rateLimit: false });
  project = createProject();
  project.write('home/.gitconfig', '[user]\nname = A\nemail = a@b.test\n[init]\ndefaultBranch = main\n');
  environment = {
    HOME: join(project.folder, 'home'),
    XDG_CONFIG_HOME: join(project.folder, 'home/.config'),
    GIT_CONFIG_NOSYSTEM: '1',
  };
  mkdirSync(join(project.folder, 'repo'));
  git('init', '-q');
});
afterEach(async () => {
  project.remove();
  await service.close();
});

function git(...args: string[]): string {
  const cwd = join(project.folder, 'repo');
  return execFileSync('git', args, { cwd, env: { ...process.env, ...environment }, encoding: 'utf8' });
}

async function init(dir = 'repo', env: Record<string, string> = {}) {
  const access = ['--base-url', service.baseUrl, '--api-key', KEY];
  return runInit(['--yes', ...access, '--dir', join(project.folder, dir)], { ...environment, ...env });
}

/** The files that `git add -A` would commit. */
function staged(): string[] {
  git('add', '-A');
  return git('ls-files').split('\n').filter(Boolean);
}

const modeOf = (path: string) => statSync(join(project.folder, path)).mode & 0o777;

describe('the key is never committed', () => {
  test('in a new repository', async () => {
    expect((await init()).code).toBe(0);
    expect(staged()).not.toContain('.env');
    expect(modeOf('repo/.env')).toBe(0o600);
  });

  test.each([
    ['a later line that re-includes it', '.env\n*.log\n!.env\n'],
    ['similar patterns', '.env.example\nenv\n#.env\n'],
    ['a pattern for another folder', 'config/.env\n'],
    ['an escaped line', '\\!.env\n'],
    ['Windows line ends', 'dist\r\n'],
    ['no newline at the end', 'dist'],
  ])('with %s in .gitignore', async (_, text) => {
    project.write('repo/.gitignore', text);
    project.write('repo/src/a.ts', '');
    const { stderr } = await init();
    expect(project.read('repo/.gitignore')).toBe(
      text.endsWith('\n') || text === ''
        ? text + (text.includes('\r') ? '.env\r\n' : '.env\n')
        : `${text}\n.env\n`,
    );
    expect(stderr).toContain('wrote .gitignore (added .env, which contains the API key)');
    expect(staged()).not.toContain('.env');
  });

  test('in a subfolder that the .gitignore of the repository re-includes', async () => {
    project.write('repo/.gitignore', '.env\n!site/.env\n');
    project.write('repo/site/src/a.ts', '');
    await init('repo/site');
    expect(staged()).not.toContain('site/.env');
    expect(project.read('repo/.gitignore')).toBe('.env\n!site/.env\n');
  });

  test('in a folder that does not exist yet', async () => {
    await init('repo/new/site');
    expect(staged()).toContain('new/site/src/space.ts');
    expect(staged()).not.toContain('new/site/.env');
  });

  test.each([
    ['the repository above', () => project.write('repo/.gitignore', '.env\n')],
    ['.git/info/exclude', () => project.write('repo/.git/info/exclude', '.env\n')],
    ['the global excludes file', () => project.write('home/.config/git/ignore', '.env\n')],
  ])('and nothing is added if %s ignores .env', async (_, write) => {
    write();
    project.write('repo/site/src/a.ts', '');
    await init('repo/site');
    expect(project.has('repo/site/.gitignore')).toBe(false);
    expect(staged()).not.toContain('site/.env');
  });

  test('a tracked .env is rejected before files are written', async () => {
    project.write('repo/.env', 'OTHER=1\n');
    project.write('repo/.gitignore', '.env\n');
    git('add', '-f', '.env');
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(stderr).toContain('.env is tracked by git: the API key would be committed');
    expect(stderr).toContain('git rm --cached .env');
    expect(stderr).not.toContain(KEY);
    expect(project.read('repo/.env')).toBe('OTHER=1\n');
    expect(project.has('repo/src/space.ts')).toBe(false);
  });

  test('a tracked .env is accepted if it needs no change', async () => {
    project.write('repo/.env', 'OTHER=1\n');
    git('add', '-f', '.env');
    const text = `LUID_BASE_URL=${service.baseUrl}\nLUID_ASSETS_URL=${service.assetsUrl}\nLUID_API_KEY=${KEY}\n`;
    project.write('repo/.env.local', text);
    expect((await init()).code).toBe(0);
    expect(project.read('repo/.env')).toBe('OTHER=1\n');
  });

  test('a .env that links to a tracked file is rejected', async () => {
    project.write('repo/shared.env', 'OTHER=1\n');
    git('add', '-f', 'shared.env');
    symlinkSync('shared.env', join(project.folder, 'repo/.env'));
    expect((await init()).stderr).toContain('tracked by git');
    expect(project.read('repo/shared.env')).toBe('OTHER=1\n');
  });

  test('a .gitignore that is a symbolic link is rejected', async () => {
    project.write('ignore', '.env\n');
    project.write('repo/src/a.ts', '');
    symlinkSync('../ignore', join(project.folder, 'repo/.gitignore'));
    expect((await init()).stderr).toContain('.gitignore is a symbolic link, which git does not follow');
    expect(project.has('repo/.env')).toBe(false);
  });

  test('no copy of .env is offered: git would not ignore it', () => {
    const choices = (path: string, secret: boolean) =>
      existingFileChoices({ path, text: '', before: '', state: 'different', secret }).map(
        ({ value }) => value,
      );
    expect(choices('.env', true)).toEqual(['keep', 'replace']);
    expect(choices('src/space.ts', false)).toEqual(['keep', 'copy', 'replace']);
  });

  test('without git, .env is added to .gitignore with a warning', async () => {
    project.write('repo/src/a.ts', '');
    const { stderr } = await init('repo', { PATH: '/nonexistent' });
    expect(stderr).toContain('Could not run git to check that .env is ignored');
    expect(project.read('repo/.gitignore')).toBe('.env\n');
  });
});

test('an existing .env becomes readable by its owner only', async () => {
  project.write('repo/.env', 'OTHER=1');
  chmodSync(join(project.folder, 'repo/.env'), 0o644);
  await init();
  expect(modeOf('repo/.env')).toBe(0o600);
  expect(project.read('repo/.env')).toMatch(/^OTHER=1\nLUID_BASE_URL=/);
});

describe('a repository of somebody else', () => {
  /** A program that leaves a file behind. */
  let program: string;
  const ranSomething = () => project.has('ran');

  beforeEach(() => {
    program = join(project.folder, 'program.sh');
    project.write('program.sh', `#!/bin/sh\necho "$0 $*" >> '${join(project.folder, 'ran')}'\n`);
    chmodSync(program, 0o755);
    project.write('repo/.gitignore', 'dist\n');
    git('add', '-A');
    git('commit', '-qm', 'start');
  });

  test.each<[string, (set: (key: string, value?: string) => void) => void]>([
    ['a file system monitor', (set) => set('core.fsmonitor')],
    [
      'hooks',
      (set) => {
        mkdirSync(join(project.folder, 'hooks'));
        for (const hook of ['post-index-change', 'fsmonitor-watchman', 'post-checkout', 'pre-auto-gc']) {
          symlinkSync(program, join(project.folder, 'hooks', hook));
        }
        set('core.hooksPath', join(project.folder, 'hooks'));
      },
    ],
    [
      'a pager, an editor, filters and commands for connections',
      (set) => {
        for (const command of ['ls-files', 'check-ignore']) set(`pager.${command}`);
        for (const key of ['core.pager', 'core.editor', 'core.sshCommand', 'core.askPass', 'diff.external']) {
          set(key);
        }
        for (const kind of ['clean', 'smudge', 'process']) set(`filter.all.${kind}`);
        project.write('repo/.gitattributes', '* filter=all\n');
      },
    ],
    [
      'a remote that missing files are fetched from',
      (set) => {
        set('core.repositoryFormatVersion', '1');
        set('extensions.partialClone', 'origin');
        set('remote.origin.promisor', 'true');
        set('remote.origin.url', project.folder);
        set('remote.origin.uploadPack');
        // Git reads this file from its objects, where it is missing.
        const hash = git('rev-parse', ':.gitignore').trim();
        git('update-index', '--skip-worktree', '.gitignore');
        rmSync(join(project.folder, 'repo/.gitignore'));
        rmSync(join(project.folder, 'repo/.git/objects', hash.slice(0, 2), hash.slice(2)));
      },
    ],
  ])('runs no program when its configuration has %s', async (_name, configure) => {
    configure((key, value = program) => void git('config', key, value));
    rmSync(join(project.folder, 'ran'), { force: true });
    expect((await init()).code).toBe(0);
    expect(ranSomething()).toBe(false);
    expect(project.read('repo/.gitignore').split('\n')).toContain('.env');
  });
});
