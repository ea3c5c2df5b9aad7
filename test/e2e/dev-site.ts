import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { createSite } from './site.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface DevSite {
  readonly service: RunningEmulator;
  readonly url: string;
  /** All that the dev server printed. */
  log(): string;
  /** The text of a page. */
  page(path: string): Promise<string>;
  /** Resolves as soon as a page has a text; rejects if it still has not after that many milliseconds. */
  shows(path: string, text: string, within: number): Promise<void>;
  close(): Promise<void>;
}

/** A site of these files under a real `astro dev`, with an emulator of its own. */
export async function startDevSite(
  files: Record<string, string>,
  environment: NodeJS.ProcessEnv = {},
): Promise<DevSite> {
  const { seed, directory } = sampleSeed();
  const service = await startEmulator(seed, { directory });
  // Astro finds keys in .env; what was set for another test must not be seen.
  const { folder, remove } = createSite(
    {
      '.env': [
        `LUID_BASE_URL=${service.baseUrl}`,
        `LUID_ASSETS_URL=${service.assetsUrl}`,
        'LUID_API_KEY=published-key',
        'LUID_DRAFT_API_KEY=draft-key',
      ].join('\n'),
      ...files,
    },
    {},
  );
  const { VITEST, LUID_BASE_URL, LUID_ASSETS_URL, LUID_API_KEY, LUID_DRAFT_API_KEY, ...inherited } =
    process.env;
  const child = spawn(
    join(ROOT, 'node_modules/.bin/astro'),
    ['dev', '--port', '0', '--host', '127.0.0.1', '--ignore-lock'],
    {
      cwd: folder,
      env: { ...inherited, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const close = async () => {
    await ended(child);
    await service.close();
    remove();
  };
  const url = await addressOf(child, () => output).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const page = async (path: string) => (await fetch(new URL(path, url))).text();

  return {
    service,
    url,
    log: () => output,
    page,
    async shows(path, text, within) {
      const end = Date.now() + within;
      for (;;) {
        const found = await page(path);
        if (found.includes(text)) return;
        if (Date.now() > end)
          throw new Error(`no ${JSON.stringify(text)} within ${within} ms in ${found}\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    close,
  };
}

/** The address that Astro prints once it listens. */
function addressOf(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const [url] = /http:\/\/(?:127\.0\.0\.1|localhost):\d+\//.exec(output()) ?? [];
      if (url) resolve(url);
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => reject(new Error(`astro dev ended with ${code}:\n${output()}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await exit;
  clearTimeout(timer);
}
