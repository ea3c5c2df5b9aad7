import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** A server that does not listen by then never will; what it printed says why. */
const START_LIMIT = 300_000;

const ASTRO = join(import.meta.dirname, '../../node_modules/.bin/astro');

/** A server of Astro's that runs as a process of its own. */
export interface AstroServer {
  readonly url: string;
  /** All that it printed. */
  log(): string;
  /** Resolves as soon as it has printed this. */
  printed(text: RegExp): Promise<void>;
  /** The text of a page. */
  page(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Runs `astro dev` or `astro preview` in a site's folder, on a free port, until it listens. */
export async function startAstro(
  args: readonly ['dev' | 'preview', ...string[]],
  folder: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<AstroServer> {
  const child = spawn(ASTRO, [...args, '--port', '0', '--host', '127.0.0.1'], {
    cwd: folder,
    env: { ...inherited(), ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const find = (text: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const [found] = text.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      };
      look();
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
      child.once('exit', (code) => reject(new Error(`astro ${args[0]} ended with ${code}:\n${output}`)));
    });

  // Servers of adapters name their address without the slash; a warning may name the service's.
  const listening = find(/(?<!\[GET\] )http:\/\/(?:127\.0\.0\.1|localhost):\d+(?=[/\s])/);
  const timer = setTimeout(() => {
    output += `\nIt does not listen after ${START_LIMIT} ms.`;
    child.kill('SIGKILL');
  }, START_LIMIT);
  const { href: url } = new URL(await listening.finally(() => clearTimeout(timer)));
  return {
    url,
    log: () => output,
    printed: async (text) => {
      await find(text);
    },
    page: async (path) => (await fetch(new URL(path, url))).text(),
    close: () => end(child),
  };
}

/**
 * The environment as a person's shell would have it. Vitest's NODE_ENV is `test`, with which Astro's dev
 * server tells no browser to reload; a site's keys are in its own .env, not in what another test set.
 */
function inherited(): NodeJS.ProcessEnv {
  const { VITEST, NODE_ENV, LUID_BASE_URL, LUID_ASSETS_URL, LUID_API_KEY, LUID_DRAFT_API_KEY, ...rest } =
    process.env;
  return rest;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await exit;
  clearTimeout(timer);
}
