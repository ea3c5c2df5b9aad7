import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { startEmulator } from '../emulator/index.ts';
import { sampleSeed } from '../emulator/sample.ts';
import { LuidConfigError } from '../errors.ts';
import { type Option, onOff, parseOptions, text, wholeNumber } from './options.ts';
import { print } from './talk.ts';

const HELP = `luid emulator: the service on this machine, for tests and offline work

  --seed FILE           the space to serve, as JSON (default: a small sample)
  --port N              default: a free one
  --host H              default: 127.0.0.1, which only this machine reaches
  --latency MS          let every answer take longer
  --rate-limit on|off   600 reads and 30 writes a minute and key (default: on)
  --cdn on|off          cache answers to published-only keys (default: on)
  --header NAME         the header of the API key (default: X-SERVICE-API-KEY)
  --data FILE           keep changes across restarts: once FILE is there, it is the space

Prints "ready BASE_URL ASSETS_URL" once it listens.

  luid emulator
  luid emulator --seed ./space.json --port 4010
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
};

/** Runs until SIGINT or SIGTERM and answers the exit code. */
export async function emulatorCommand(args: string[]): Promise<number> {
  const options = parseOptions('emulator', OPTIONS, args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  const { seed, directory } = options.seed === undefined ? sampleSeed() : await readSeedFile(options.seed);
  // Without a seed, what is stored knows best where its media lie.
  const stored = options.seed === undefined && options.data !== undefined && existsSync(options.data);
  const running = await startEmulator(seed, {
    ...options,
    rateLimit: options['rate-limit'],
    directory: stored ? undefined : directory,
  });
  const stopped = stopSignal();
  print(`ready ${running.baseUrl} ${running.assetsUrl}`);
  await stopped;
  await running.close();
  return 0;
}

async function readSeedFile(file: string): Promise<{ seed: unknown; directory: string }> {
  const path = resolve(file);
  const hint = 'Give a JSON file in the form of a seed, or leave --seed out for the sample.';
  const content = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new LuidConfigError(`The seed ${file} cannot be read: ${cause.message}`, { hint, cause });
  });
  try {
    return { seed: JSON.parse(content), directory: dirname(path) };
  } catch (cause) {
    throw new LuidConfigError(`The seed ${file} is no JSON: ${(cause as Error).message}`, { hint, cause });
  }
}

function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
}
