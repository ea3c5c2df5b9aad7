import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, type Project } from './project.ts';

let project: Project;
beforeAll(() => {
  project = createProject();
});
afterAll(() => project.remove());

const COMMANDS = ['init', 'check', 'sync', 'watch', 'emulator'];

test('tells of all commands and of the exit codes', async () => {
  const { code, stdout, stderr } = await project.luid(['--help']);
  expect([code, stderr]).toEqual([0, '']);
  for (const word of [...COMMANDS, 'Exit codes', '130']) expect(stdout).toContain(word);
  expect((await project.luid([])).code).toBe(2);
});

test('a command that there is none of: exit code 2, and help on stderr', async () => {
  const { code, stdout, stderr } = await project.luid(['deploy']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('There is no command "deploy"');
});

test.each(COMMANDS)(
  'luid %s --help has examples; an unknown option is refused in one line',
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

test('no colours where NO_COLOR is set or nobody looks', async () => {
  const { stderr } = await project.luid(['deploy'], { NO_COLOR: undefined });
  expect(stderr).not.toContain('\x1b');
});
