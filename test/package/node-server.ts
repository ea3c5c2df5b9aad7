import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface NodeServer {
  readonly url: string;
  /** All that it printed. */
  log(): string;
  page(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the server that @astrojs/node built into a site's `dist`, as a host would. */
export async function startNodeServer(
  folder: string,
  env: NodeJS.ProcessEnv,
  entry = join('dist', 'server', 'entry.mjs'),
): Promise<NodeServer> {
  let output = '';
  const child = spawn(process.execPath, [entry], {
    cwd: folder,
    env: { ...env, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [, port] = /listening on \S+:(\d+)\s/.exec(output) ?? [];
        if (port) resolve(`http://127.0.0.1:${port}`);
      });
    }
    child.once('exit', (code) => reject(new Error(`The server exited with code ${code}:\n${output}`)));
  });
  return {
    url,
    log: () => output,
    page: async (path) => (await fetch(new URL(path, url))).text(),
    close: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
