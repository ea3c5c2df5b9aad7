import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`;

/** Starts a program of ours or of a dependency, in the root unless told otherwise. */
export function start(command, args, options = {}) {
  return spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
    env: { ...process.env, ...options.env, PATH },
  });
}

/** Runs a program to its end; rejects unless that is a good one. */
export async function run(command, args, options) {
  const code = await ended(start(command, args, options));
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}`);
}

/** The exit code of a child, or the signal that ended it. */
export function ended(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
}

/** Runs a program and collects what it says. */
export async function capture(command, args, options) {
  const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return { code: await ended(child), output };
}
