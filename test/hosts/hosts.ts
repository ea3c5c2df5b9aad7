import { join } from 'node:path';
import { type FunctionOptions, startFunction } from './servers/function-host.ts';
import { type HostedServer, startProcess } from './servers/server-process.ts';
import type { BuiltSites } from './site/built-sites.ts';
import type { StorageKind } from './site/storages.ts';

/** A host that serves the built site: its own runtime, or what runs the handler of its adapter. */
export interface Host {
  /** Starts with nothing stored. */
  readonly start: () => Promise<HostedServer>;
  /** Replaces a server by a new one, which finds what is stored. */
  readonly restart: (server: HostedServer) => Promise<HostedServer>;
  /** Stores what the service has, where servers only read what is stored. */
  readonly fill?: () => Promise<unknown>;
  /** The header with the cache tags of a page. */
  readonly tagHeader: string;
}

type StartServer = (env: NodeJS.ProcessEnv) => Promise<HostedServer>;

/** A host whose servers find their storage by their environment. */
function createHost(
  { storages, environment }: BuiltSites,
  { kind, tagHeader, startServer }: { kind: StorageKind; tagHeader: string; startServer: StartServer },
): Host {
  let storage: NodeJS.ProcessEnv;
  const start = () => startServer({ ...environment, ...storage });
  return {
    tagHeader,
    async start() {
      storage = await storages.open(kind);
      return start();
    },
    async restart(server) {
      await server.close();
      return start();
    },
  };
}

/** Node, Bun or Deno. */
export function runtimeHost(built: BuiltSites, ...command: [string, ...string[]]): Host {
  const { folder, server } = built.sites.node;
  const startServer: StartServer = (env) => startProcess([...command, server], folder, env);
  return createHost(built, { kind: 'disk', tagHeader: 'cache-tag', startServer });
}

export function netlifyHost(built: BuiltSites): Host {
  const { folder, server } = built.sites.netlify;
  return functionHost(built, 'blobs', {
    host: 'netlify',
    folder,
    file: server,
    pages: join(folder, 'dist'),
    headers: { control: 'netlify-cdn-cache-control', tags: 'netlify-cache-tag' },
    env: { SITE_ID: 'site', NETLIFY_PURGE_API_TOKEN: 'token' },
  });
}

export function vercelHost(built: BuiltSites): Host {
  const { folder, server } = built.sites.vercel;
  return functionHost(built, 'http', {
    host: 'vercel',
    folder,
    file: server,
    pages: join(folder, '.vercel/output/static'),
    headers: { control: 'vercel-cdn-cache-control', tags: 'vercel-cache-tag' },
    env: {},
  });
}

function functionHost(built: BuiltSites, kind: StorageKind, options: FunctionOptions): Host {
  const startServer: StartServer = (env) => startFunction({ ...options, env: { ...env, ...options.env } });
  return createHost(built, { kind, tagHeader: options.headers.tags, startServer });
}

export function cloudflareHost({ sites, environment }: BuiltSites): Host {
  const { folder, sync } = sites.cloudflare;
  const program = join(import.meta.dirname, 'servers/worker-process.mjs');
  const config = join(folder, 'dist/server/wrangler.json');
  let storage: string;
  return {
    tagHeader: 'cache-tag',
    async start() {
      const server = await startProcess([process.execPath, program, config], folder, environment);
      storage = /storage at (\S+)/.exec(server.log())?.[1] as string;
      const { url, pid, log } = server;
      const close = async () => {
        await fetch(`${storage}.worker/close`);
        await server.close();
      };
      return { url, pid, log, close };
    },
    async restart(server) {
      await fetch(`${storage}.worker/restart`);
      return server;
    },
    fill: () => sync({ ...environment, LUID_STORAGE_URL: storage }),
  };
}
