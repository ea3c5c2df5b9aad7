import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Cdn, type CdnHeaders } from './cdn.ts';
import { type HostedServer, startProcess } from './server-process.ts';

export interface FunctionOptions {
  readonly host: 'netlify' | 'vercel';
  /** The file of the function, and the folder of the prerendered pages. */
  readonly file: string;
  readonly pages: string;
  readonly headers: CdnHeaders;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Starts a function behind a CDN. Its process is stopped, except while it responds and until everything that was passed to
 * `waitUntil` has settled.
 */
export async function startFunction({
  host,
  file,
  pages,
  headers,
  folder,
  env,
}: FunctionOptions): Promise<HostedServer> {
  const cdn = new Cdn(pages, headers);
  const front = createServer((incoming, response) => {
    void respond(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const program = join(import.meta.dirname, 'function-process.mjs');
  const purge = { CDN_PURGE_URL: `${url}/.cdn/purge` };
  const server = await startProcess([process.execPath, program, host, file], folder, { ...env, ...purge });
  const running = new Set<Promise<void>>();

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.url === '/.cdn/purge') {
      cdn.purge(JSON.parse((await incoming.toArray()).join('')));
      response.end();
      return;
    }
    if (incoming.method === 'GET' && cdn.serve(incoming.url as string, response)) return;
    const invocation = invoke(incoming, response).finally(() => {
      running.delete(invocation);
      if (running.size === 0) server.freeze();
    });
    running.add(invocation);
    await invocation;
  }

  /** Runs the function, and resolves when nothing of it runs any more. */
  async function invoke(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    server.thaw();
    await pass(incoming, response);
    await fetch(`${server.url}/.host/settled`);
  }

  /** Resolves when the response has ended, or the visitor has left. */
  function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const { method, headers: sent } = incoming;
      const path = incoming.url as string;
      const passed = request(server.url + path, { method, headers: sent }, (received) => {
        response.writeHead(received.statusCode ?? 502, received.rawHeaders);
        if (method === 'GET') cdn.store(path, received);
        received.pipe(response);
      });
      passed.on('error', () => response.destroy());
      response.on('close', () => {
        passed.destroy();
        resolve();
      });
      incoming.pipe(passed);
    });
  }

  return {
    url,
    pid: server.pid,
    log: server.log,
    idle: () => Promise.allSettled(running),
    async close() {
      front.closeAllConnections();
      front.close();
      await server.close();
    },
  };
}
