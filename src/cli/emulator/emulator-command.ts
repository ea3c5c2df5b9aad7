import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type SeedKey, startEmulator } from '../../emulator/index.ts';
import { LuidConfigError } from '../../errors.ts';
import {
  flag,
  list,
  type Option,
  onOff,
  parseOptions,
  text,
  wholeNumber,
} from '../shared/command-options.ts';
import { fail, note, print } from '../shared/output.ts';
import { describeRequest } from './request-line.ts';
import { describeStart } from './start-message.ts';

const HELP = `luid emulator: a headless CMS space on this machine, for tests and offline work

  --seed FILE           the space to serve, as JSON (default: a small bundled magazine)
  --data FILE           keep changes across restarts: once FILE exists, it is the space
  --port N              default: any free port
  --host H              default: 127.0.0.1, which only this machine can reach
  --allowed-hosts A,B   names in the Host header to accept besides localhost and --host
  --log                 print each request: status, CDN hit or miss, rate limit left
  --latency MS          delay every response
  --rate-limit on|off   600 reads and 30 writes per minute and key (default: on)
  --cdn on|off          cache responses to published-only keys (default: on)
  --header NAME         the header of the API key (default: X-SERVICE-API-KEY)

Prints "ready BASE_URL ASSETS_URL" on stdout once it listens; the keys, lines for .env
and the log go to stderr. The seed format: docs/emulator.md of the package's repository,
and node_modules/astro-luid/dist/emulator/seed.schema.json for editors.

  luid emulator
  luid emulator --port 4010 --log
  luid emulator --seed ./space.json --rate-limit off --latency 80
  luid emulator --seed ./space.json --data ./space.data.json
`;

const headerName: Option<string> = {
  type: 'string',
  wants: 'the name of a header',
  read: (name) => (/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? name : undefined),
};

const OPTIONS = {
  seed: text('a file'),
  port: wholeNumber(65_535),
  host: text('a name or an address'),
  latency: wholeNumber(600_000),
  'rate-limit': onOff,
  cdn: onOff,
  header: headerName,
  data: text('a file'),
  'allowed-hosts': list('names such as cms.test,.example.test'),
  log: flag,
};

/** Runs until SIGINT or SIGTERM and returns the exit code. */
export async function emulatorCommand(args: string[]): Promise<number> {
  const options = parseOptions('emulator', OPTIONS, args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  const { seed, directory } = options.seed === undefined ? {} : await readSeedFile(options.seed);
  const isStored = options.data !== undefined && existsSync(options.data);
  let keys: readonly SeedKey[] = [];
  const running = await startEmulator(seed, {
    ...options,
    rateLimit: options['rate-limit'],
    allowedHosts: options['allowed-hosts'],
    directory,
    onError: (error) => fail(describeFailure(error)),
    onRequest: options.log ? (entry) => note(describeRequest(entry, keys)) : undefined,
  });
  keys = running.snapshot().keys;
  const stopped = stopSignal();
  note(
    describeStart({
      baseUrl: running.baseUrl,
      assetsUrl: running.assetsUrl,
      keys,
      source: isStored ? `the data file ${options.data}` : (options.seed ?? 'the bundled sample'),
      header: options.header,
      hasPort: options.port !== undefined,
    }),
  );
  print(`ready ${running.baseUrl} ${running.assetsUrl}`);
  await stopped;
  await running.close();
  return 0;
}

/** A failure of the emulator itself; its own messages need no stack. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.startsWith('The emulator') ? error.message : (error.stack ?? error.message);
}

async function readSeedFile(file: string): Promise<{ seed: unknown; directory: string }> {
  const path = resolve(file);
  const hint =
    'Pass a JSON file in the seed format (docs/emulator.md), or leave --seed out to serve the sample.';
  const content = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new LuidConfigError(`The seed ${file} cannot be read: ${cause.message}`, { hint, cause });
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

function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
}
