import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, LUID, type Project } from './support/cli-project.ts';

let project: Project;
beforeAll(() => {
  project = createProject();
});
afterAll(() => project.remove());

const COMMANDS = ['init', 'check', 'sync', 'watch', 'audit-build', 'emulator'];

test('--help lists all commands and exit codes', async () => {
  const { code, stdout, stderr } = await project.luid(['--help']);
  expect([code, stderr]).toEqual([0, '']);
  for (const word of [...COMMANDS, 'Exit codes', '130']) expect(stdout).toContain(word);
  expect((await project.luid([])).code).toBe(2);
});

test('an unknown command exits with code 2 and prints the help on stderr', async () => {
  const { code, stdout, stderr } = await project.luid(['deploy']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('unknown command "deploy"\n');
});

test.each([
  ['chekc', 'check'],
  ['snyc', 'sync'],
  ['Init', 'init'],
  ['--versoin', '--version'],
])('luid %s suggests %s', async (given, meant) => {
  const { code, stderr } = await project.luid([given]);
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    `error unknown command "${given}"; did you mean "${meant}"?`,
  ]);
});

test.each([['--version'], ['-v']])('luid %s prints the version', async (option) => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(await project.luid([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('luid help equals luid --help, and luid help COMMAND prints the help of that command', async () => {
  const help = await project.luid(['help']);
  expect(help).toEqual(await project.luid(['--help']));
  expect(help.code).toBe(0);
  expect(await project.luid(['help', 'check'])).toEqual(await project.luid(['check', '--help']));
  expect((await project.luid(['help', 'chekc'])).stderr).toContain('did you mean "check"?');
});

test('explains invalid arguments in one line, and suggests the right name of an option', async () => {
  const { code, stderr } = await project.luid(['check', '--draft']);
  expect([code, stderr]).toEqual([
    2,
    'luid check: unknown option --draft; did you mean --drafts? (see luid check --help)\n',
  ]);
  expect((await project.luid(['check', '--dir'])).stderr).toBe(
    'luid check: --dir requires a value (see luid check --help)\n',
  );
  expect((await project.luid(['check', 'articles'])).stderr).toBe(
    'luid check: unexpected argument "articles" (see luid check --help)\n',
  );
});

test.each(COMMANDS)(
  'luid %s --help has examples, and an unknown option is rejected in one line',
  async (command) => {
    const help = await project.luid([command, '--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(new RegExp(`^luid ${command}: `));
    expect(help.stdout.match(new RegExp(`luid ${command}( |\\n)`, 'g'))?.length).toBeGreaterThan(1);
    const wrong = await project.luid([command, '--nope']);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(
      new RegExp(`^luid ${command}: [^\\n]*--nope[^\\n]* \\(see luid ${command} --help\\)\\n$`),
    );
  },
);

test.each(['stdout', 'stderr'] as const)('ends without a stack trace if nobody reads %s', async (name) => {
  const other = name === 'stdout' ? 'stderr' : 'stdout';
  // The help is printed to stdout, that for an unknown command to stderr.
  const args = name === 'stdout' ? ['help', 'sync'] : ['deploy'];
  const child = spawn(process.execPath, [LUID, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child[name].destroy();
  let printed = '';
  child[other].setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  expect([await once(child, 'close'), printed]).toEqual([[141, null], '']);
});

test('prints no colours when stderr is not a terminal', async () => {
  const { stderr } = await project.luid(['deploy'], { NO_COLOR: undefined });
  expect(stderr).not.toContain('\x1b');
});
