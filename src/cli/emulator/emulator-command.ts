import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type SeedKey, startEmulator } from '../../emulator/index.ts';
import { errorMessage, LuidConfigError } from '../../errors.ts';
import {
  flag,
  headerName,
  list,
  nonEmpty,
  onOff,
  parseOptions,
  UsageError,
  wholeNumber,
} from '../shared/command-options.ts';
import { logError, logInfo, print } from '../shared/output.ts';
import { openInBrowser } from './open-in-browser.ts';
import { formatRequest } from './request-line.ts';
import { startMessage } from './start-message.ts';

const HELP = `luid emulator: run a CMS space locally, for tests and offline work

  --seed FILE           the space to serve, as JSON (default: a bundled sample magazine)
  --data FILE           keep changes across restarts; once FILE exists, it replaces the seed
  --port N              default: any free port
  --host H              default: 127.0.0.1, reachable from this machine only
  --allowed-hosts A,B   also accept these names in the Host header
  --log                 log each request: status, CDN hit or miss, remaining rate limit
  --latency MS          delay every response
  --rate-limit on|off   600 reads and 30 writes per minute per key (default: on)
  --cdn on|off          cache responses to published-only keys (default: on)
  --header NAME         the API key header (default: X-SERVICE-API-KEY)
  --studio on|off       a page to see the content and change it, at / (default: on)
  --open                open the studio in the browser

Prints "ready BASE_URL ASSETS_URL" to stdout once it listens; keys, lines for .env, the
URL of the studio and the log go to stderr. The seed format is described in docs/reference/seed.md of the package;
editors can use node_modules/astro-luid/dist/emulator/seed.schema.json.

  luid emulator --open
  luid emulator --port 4010 --log
  luid emulator --seed ./space.json --rate-limit off --latency 80
  luid emulator --seed ./space.json --data ./space.data.json
`;

const OPTIONS = {
  seed: nonEmpty('a file'),
  port: wholeNumber(65_535),
  host: nonEmpty('a host name or IP address'),
  latency: wholeNumber(600_000),
  'rate-limit': onOff,
  cdn: onOff,
  header: headerName,
  data: nonEmpty('a file'),
  'allowed-hosts': list('host names such as cms.test,.example.test'),
  log: flag,
  studio: onOff,
  open: flag,
};

/** Runs until SIGINT or SIGTERM and returns the exit code. */
export async function emulatorCommand(args: string[]): Promise<number> {
  const options = parseOptions('emulator', OPTIONS, args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  if (options.open && options.studio === false) {
    throw new UsageError('emulator', '--open opens the studio, which --studio off turns off');
  }
  const { seed, directory } = options.seed === undefined ? {} : await readSeedFile(options.seed);
  const isStored = options.data !== undefined && existsSync(options.data);
  let keys: readonly SeedKey[] = [];
  const running = await startEmulator(seed, {
    ...options,
    rateLimit: options['rate-limit'],
    allowedHosts: options['allowed-hosts'],
    studio: options.studio ?? true,
    directory,
    onError: (error) => logError(describeError(error)),
    onRequest: options.log ? (entry) => logInfo(formatRequest(entry, keys)) : undefined,
  });
  keys = running.snapshot().keys;
  const stopped = waitForSignal();
  logInfo(
    startMessage({
      baseUrl: running.baseUrl,
      assetsUrl: running.assetsUrl,
      studioUrl: running.studioUrl,
      keys,
      source: isStored ? `the data file ${options.data}` : (options.seed ?? 'the bundled sample'),
      header: options.header,
      hasPort: options.port !== undefined,
    }),
  );
  print(`ready ${running.baseUrl} ${running.assetsUrl}`);
  if (options.open && running.studioUrl !== undefined) {
    openInBrowser(running.studioUrl).catch((error: Error) => logError(error.message));
  }
  await stopped;
  try {
    await running.close();
    return 0;
  } catch (error) {
    logError(`Not every change is in the data file: ${errorMessage(error)}`);
    return 1;
  }
}

/** Errors of the emulator itself need no stack trace. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.startsWith('The emulator') ? error.message : (error.stack ?? error.message);
}

async function readSeedFile(file: string): Promise<{ seed: unknown; directory: string }> {
  const path = resolve(file);
  const hint =
    'Pass a JSON file in the seed format (docs/reference/seed.md), or omit --seed to serve the sample.';
  const content = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new LuidConfigError(`Cannot read the seed ${file}: ${cause.message}`, { hint, cause });
  });
  try {
    return { seed: JSON.parse(content), directory: dirname(path) };
  } catch (cause) {
    throw new LuidConfigError(`The seed ${file} is not valid JSON: ${(cause as Error).message}`, {
      hint,
      cause,
    });
  }
}

function waitForSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
}
