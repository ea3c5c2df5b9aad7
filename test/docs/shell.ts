import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, tablesIn, textOf } from './documents.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { scripts, dependencies, devDependencies, peerDependencies } = JSON.parse(read('package.json'));
const playground = JSON.parse(read('playground/package.json'));

/** Packages that this repository installs, so they exist and work together. */
const PACKAGES = new Set([
  'astro-luid',
  'pagefind',
  ...[dependencies, devDependencies, peerDependencies, playground.dependencies].flatMap(Object.keys),
]);

const OPTIONS = new Map(
  [...read('test/package/command-options.txt').matchAll(/^luid ?(\S*)\n((?: {2}.*\n)+)/gm)].map(
    ([, command = '', body = '']) => [command, body.match(/--[a-z-]+/g) ?? []] as const,
  ),
);

const variables = () => namesIn(tablesIn(textOf('docs/reference/environment.md'))[0] ?? []);

/** What is wrong in lines for a shell: syntax, packages, scripts, commands, options and variables that do not exist. */
export function problemsInShell(code: string): string[] {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: withoutCron(code), encoding: 'utf8' });
  const problems = status === 0 ? [] : [stderr];
  const lines = code.replaceAll('\\\n', ' ').split('\n');
  return [...problems, ...lines.flatMap((line) => problemIn(line) ?? [])];
}

/** `typescript` for `typescript@6`. */
export const withoutVersion = (name: string) => name.replace(/(?<=.)@.*$/, '');

/** The command of a line of a crontab. */
const withoutCron = (code: string) => code.replaceAll(/^(?:\S+ ){4}\S+ +(?=cd )/gm, '');

function problemIn(line: string): string | undefined {
  const command = withoutCron(line)
    .replace(/(^|\s)#.*$/, '')
    .replace(/^cd \S+ && /, '')
    .replaceAll(/(?<=--exec )"[^"]*"/g, '…')
    .trim();
  if (command === '') return;
  const [program = '', ...args] = command.split(/\s+/);
  const assigned = /^([A-Z_]+)=/.exec(program)?.[1];
  if (assigned) return variables().includes(assigned) ? undefined : `${assigned} is not a variable`;
  if (program === 'npm') return problemWithNpm(args);
  if (program === 'npx') return problemWithNpx(args);
  if (['cd', 'curl', 'echo', 'mkdir'].includes(program)) return;
  if (command === 'git init') return;
  if (['node', 'bun', 'deno'].includes(program) && args.includes('dist/server/entry.mjs')) return;
  return `What is ${program}?`;
}

function problemWithNpm([command = '', ...args]: string[]): string | undefined {
  const script = command === 'run' ? args[0] : command;
  if (command === 'ci' || command === 'init') return;
  if (command !== 'install')
    return Object.hasOwn(scripts, script ?? '') ? undefined : `npm ${command} ${args}`;
  const unknown = args.filter((name) => !name.startsWith('--') && !PACKAGES.has(withoutVersion(name)));
  return unknown.length > 0 ? `npm install ${unknown.join(' ')}` : undefined;
}

function problemWithNpx([program = '', command = '', ...args]: string[]): string | undefined {
  if (program === 'astro')
    return ['add', 'build', 'check', 'dev'].includes(command) ? undefined : `astro ${command}`;
  if (program === 'pagefind') return;
  if (program !== 'luid' && program !== 'astro-luid') return `npx ${program}`;
  const options: readonly string[] | undefined = OPTIONS.get(command);
  const unknown = args.filter((arg) => arg.startsWith('--') && !options?.includes(arg));
  return options && unknown.length === 0 ? undefined : `luid ${command} ${unknown.join(' ')}`;
}
