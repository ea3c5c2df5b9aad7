import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type SeedKey, type SeedWebhook, startEmulator } from '../../emulator/index.ts';
import { errorMessage, LuidConfigError } from '../../shared/errors.ts';
import { folderSource } from '../backup/files.ts';
import { readExport, toSeed } from '../backup/read-export.ts';
import { defineCommand, UsageError, type Values } from '../shared/command.ts';
import { apiKeyHeader, flag, list, onOff, text, wholeNumber } from '../shared/option-kinds.ts';
import { logError, logInfo, print } from '../shared/output.ts';
import { formatRequest } from './request-line.ts';
import { startMessage } from './start-message.ts';

const OPTIONS = {
  seed: text(
    'FILE',
    'the space to serve, as JSON or a folder of luid export (default: a bundled\nsample magazine)',
    'a file or folder',
  ),
  data: text('FILE', 'keep changes across restarts; once FILE exists, it replaces the seed', 'a file'),
  port: wholeNumber('N', 'default: any free port', 65_535),
  host: text('H', 'default: 127.0.0.1, reachable from this machine only', 'a host name or IP address'),
  'allowed-hosts': list(
    'A,B',
    'also accept these names in the Host header',
    'host names such as cms.test,.example.test',
  ),
  log: flag('log each request: status, CDN hit or miss, remaining rate limit'),
  latency: wholeNumber('MS', 'delay every response', 600_000),
  'max-response': wholeNumber('BYTES', 'respond with 500 instead of longer content', 1_000_000_000),
  'time-per-item': wholeNumber('MS', 'delay lists for each of their items', 600_000),
  'rate-limit': onOff('600 reads and 30 writes per minute per key (default: on)'),
  cdn: onOff('cache responses to published-only keys (default: on)'),
  header: apiKeyHeader,
  webhook: text(
    'URL',
    'send a POST request there for each change of content; LUID_REFRESH_SECRET is\nsent as x-luid-secret',
    'a URL',
  ),
  studio: onOff('a page to see the content and change it, at / (default: on)'),
  open: flag('open the studio in the browser'),
};

const NOTES = `Prints "ready BASE_URL ASSETS_URL" to stdout once it listens; keys, lines for .env, the
URL of the studio and the log go to stderr. The seed format is described in docs/reference/seed.md of the package;
editors can use node_modules/astro-luid/dist/emulator/seed.schema.json.

  luid emulator --open
  luid emulator --port 4010 --log
  LUID_REFRESH_SECRET=… luid emulator --webhook http://localhost:4321/_luid/refresh
  luid emulator --seed ./space.json --rate-limit off --latency 80
  luid emulator --seed ./space.json --data ./space.data.json`;

export const emulatorCommand = defineCommand(
  {
    name: 'emulator',
    about: 'run a CMS space locally, for tests and offline work',
    options: OPTIONS,
    notes: NOTES,
  },
  runEmulator,
);

/** Runs until SIGINT or SIGTERM and returns the exit code. */
async function runEmulator(options: Values<typeof OPTIONS>): Promise<number> {
  if (options.open && options.studio === false) {
    throw new UsageError('emulator', '--open opens the studio, which --studio off turns off');
  }
  const { seed, directory } = options.seed === undefined ? {} : await readSeedFile(options.seed);
  const isStored = options.data !== undefined && existsSync(options.data);
  let keys: readonly SeedKey[] = [];
  const running = await startEmulator(seed, {
    ...options,
    rateLimit: options['rate-limit'],
    maxResponse: options['max-response'],
    timePerItem: options['time-per-item'],
    allowedHosts: options['allowed-hosts'],
    studio: options.studio ?? true,
    directory,
    webhooks: options.webhook === undefined ? [] : [refreshWebhook(options.webhook)],
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

/** A webhook for `/_luid/refresh`, or for any other URL. */
function refreshWebhook(url: string): SeedWebhook {
  const { LUID_REFRESH_SECRET: secret } = process.env;
  return { url, ...(secret && { headers: { 'x-luid-secret': secret } }) };
}

/** Errors of the emulator itself need no stack trace. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.startsWith('The emulator') ? error.message : (error.stack ?? error.message);
}

async function readSeedFile(file: string): Promise<{ seed: unknown; directory: string }> {
  const path = resolve(file);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return { seed: toSeed(await readExport(folderSource(path))), directory: path };
  }
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

/** The system's program that opens a URL, by platform. */
const PROGRAMS: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  // The first argument of `start` in quotes would be the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
};

/** Opens a URL in the browser of the user. Rejects if that is not possible, for example on a server. */
function openInBrowser(url: string): Promise<void> {
  const [program = '', ...args] = PROGRAMS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new Error(`Cannot open a browser (${reason}). Open the URL of the studio above yourself.`));
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => (code === 0 ? resolve() : fail(`${program} ended with code ${code}`)));
    child.unref();
  });
}
