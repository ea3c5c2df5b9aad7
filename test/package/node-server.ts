import { join } from 'node:path';
import { type ServerProcess, startProcess } from '../hosts/servers/server-process.ts';

export interface NodeServer extends ServerProcess {
  page(path: string): Promise<string>;
}

/** Starts the server that @astrojs/node built into a site's `dist`, as a host would. */
export async function startNodeServer(
  folder: string,
  env: NodeJS.ProcessEnv,
  entry = join('dist', 'server', 'entry.mjs'),
): Promise<NodeServer> {
  const server = await startProcess([process.execPath, entry], folder, env);
  return { ...server, page: async (path) => (await fetch(new URL(path, server.url))).text() };
}
