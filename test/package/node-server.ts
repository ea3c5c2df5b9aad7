import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

export interface NodeServer {
  page(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the server that @astrojs/node built into a site's `dist`, as a host would. */
export async function startNodeServer(folder: string, env: NodeJS.ProcessEnv): Promise<NodeServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [join('dist', 'server', 'entry.mjs')], {
    cwd: folder,
    env: { ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (/listening/i.test(output)) resolve();
      });
    }
    child.once('exit', (code) => reject(new Error(`The server exited with code ${code}:\n${output}`)));
  });
  return {
    page: async (path) => (await fetch(new URL(path, `http://127.0.0.1:${port}`))).text(),
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
