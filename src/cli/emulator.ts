import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmulator } from '../emulator/index.ts';
import { sampleSeed } from '../emulator/sample.ts';
import { LuidConfigError, LuidError } from '../errors.ts';

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

/** Runs until SIGINT or SIGTERM and answers the exit code: 1 for a seed, data file or port that cannot work, 2 for bad options. */
export async function emulatorCommand(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if (typeof options === 'number') return options;
  try {
    const { seed, directory } = options.seed === undefined ? sampleSeed() : await readSeedFile(options.seed);
    // Without a seed, what is stored knows best where its media lie.
    const stored = options.seed === undefined && options.data !== undefined && existsSync(options.data);
    const running = await startEmulator(seed, { ...options, directory: stored ? undefined : directory });
    const stopped = stopSignal();
    process.stdout.write(`ready ${running.baseUrl} ${running.assetsUrl}\n`);
    await stopped;
    await running.close();
    return 0;
  } catch (error) {
    if (!LuidError.is(error)) throw error;
    process.stderr.write(`luid emulator: ${error.message}\n`);
    return 1;
  }
}

interface Options {
  seed: string | undefined;
  port: number;
  host: string | undefined;
  latency: number;
  rateLimit: boolean;
  cdn: boolean;
  header: string | undefined;
  data: string | undefined;
}

/** The options, or the exit code if there is nothing to run. */
function parseOptions(args: string[]): Options | number {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      args,
      options: {
        seed: text,
        port: text,
        host: text,
        latency: text,
        'rate-limit': text,
        cdn: text,
        header: text,
        data: text,
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    if (values.data === '') throw new BadOption('--data is empty: name a file');
    return {
      seed: values.seed,
      port: readNumber('--port', values.port, 65_535),
      host: values.host,
      latency: readNumber('--latency', values.latency, 600_000),
      rateLimit: readSwitch('--rate-limit', values['rate-limit']),
      cdn: readSwitch('--cdn', values.cdn),
      header: readHeader(values.header),
      data: values.data,
    };
  } catch (error) {
    if (!(error instanceof BadOption) && !isParseError(error)) throw error;
    const [problem = ''] = (error as Error).message.split('\n');
    process.stderr.write(`luid emulator: ${problem} (see luid emulator --help)\n`);
    return 2;
  }
}

class BadOption extends Error {}

function isParseError(error: unknown): boolean {
  return (
    error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
  );
}

function readNumber(name: string, text: string | undefined, most: number): number {
  if (text === undefined) return 0;
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
  throw new BadOption(`${name} is ${JSON.stringify(text)}: give a whole number from 0 to ${most}`);
}

function readSwitch(name: string, text: string | undefined): boolean {
  if (text === undefined || text === 'on') return true;
  if (text === 'off') return false;
  throw new BadOption(`${name} is ${JSON.stringify(text)}: give on or off`);
}

function readHeader(name: string | undefined): string | undefined {
  if (name === undefined || /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return name;
  throw new BadOption(`--header is ${JSON.stringify(name)}, which is no name of a header`);
}

async function readSeedFile(file: string): Promise<{ seed: unknown; directory: string }> {
  const path = resolve(file);
  const hint = 'Give a JSON file in the form of a seed, or leave --seed out for the sample.';
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new LuidConfigError(`The seed ${file} cannot be read: ${cause.message}`, { hint, cause });
  });
  try {
    return { seed: JSON.parse(text), directory: dirname(path) };
  } catch (cause) {
    throw new LuidConfigError(`The seed ${file} is no JSON: ${(cause as Error).message}`, { hint, cause });
  }
}

function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
}
