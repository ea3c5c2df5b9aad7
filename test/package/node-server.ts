import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
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
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let output = '';
  const child = spawn(process.execPath, [entry], {
    cwd: folder,
    env: { ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (/listening/i.test(output)) resolve();
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
