import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`;

/** Starts a command of the system or of a dependency, by default in the root. */
export function start(command, args, options = {}) {
  return spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
    env: { ...process.env, ...options.env, PATH },
  });
}

/** Ends this job by Ctrl-C, which may be received twice: from the terminal, and forwarded by scripts/run.mjs. */
export function endOnSignal(close) {
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, async () => {
      if (isEnding) return;
      isEnding = true;
      await close();
      process.exit(0);
    });
  }
}

/** Runs a command; rejects unless its exit code is 0. */
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

/** Runs a command and collects its output. */
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
