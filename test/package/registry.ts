import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { run } from '../support/run-command.ts';
import { ROOT } from './pack.ts';

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the packed package, and forwards other requests to the registry that npm is configured with. */
export async function startRegistry(tarball: string): Promise<Registry> {
  const upstream = (await run('npm', ['config', 'get', 'registry'], { cwd: ROOT })).trim().split('\n').at(-1);
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const bytes = readFileSync(tarball);
  const file = `/${manifest.name}/-/${basename(tarball)}`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path === file) return void response.end(bytes);
    const version = {
      ...manifest,
      dist: { ...distOf(bytes), tarball: `http://${request.headers.host}${file}` },
    };
    if (path === `/${manifest.name}`) {
      const versions = { [manifest.version]: version };
      return sendJson(response, { name: manifest.name, 'dist-tags': { latest: manifest.version }, versions });
    }
    if (path.startsWith(`/${manifest.name}/`)) return sendJson(response, version);
    await forward(new URL(path.slice(1), upstream), request, response);
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.writeHead(502).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function distOf(bytes: Uint8Array) {
  const digest = (algorithm: string) => createHash(algorithm).update(bytes);
  return { shasum: digest('sha1').digest('hex'), integrity: `sha512-${digest('sha512').digest('base64')}` };
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Forwards requests for metadata; its tarball URLs point to the upstream registry. */
async function forward(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { accept = '*/*' } = request.headers;
  const upstreamResponse = await fetch(url, { method: request.method ?? 'GET', headers: { accept } });
  const type = upstreamResponse.headers.get('content-type') ?? 'application/json';
  response
    .writeHead(upstreamResponse.status, { 'content-type': type })
    .end(new Uint8Array(await upstreamResponse.arrayBuffer()));
}
