import { parseArgs } from 'node:util';
import { printable } from '../../shared/printable.ts';
import { nearest } from '../../shared/suggest.ts';
import type { Flag, Option } from './option-kinds.ts';
import { print } from './output.ts';

/** Invalid command-line arguments: reported in one line, exit code 2. */
export class UsageError extends Error {
  constructor(command: string, problem: string) {
    super(`luid ${command}: ${problem} (see luid ${command} --help)`);
  }
}

export type Options = Readonly<Record<string, Flag | Option<unknown>>>;

/** Parsed values. A flag that was not passed is `false`, any other option `undefined`. */
export type Values<S extends Options> = {
  readonly [K in keyof S]: S[K] extends Option<infer T> ? T | undefined : boolean;
};

export interface CommandDefinition<S extends Options> {
  readonly name: string;
  /** The help above and below the list of options. */
  readonly about: string;
  readonly notes: string;
  readonly options: S;
}

/**
 * A command: takes the arguments after its name, and returns the exit code. `--help` prints its help; invalid arguments
 * throw `UsageError`.
 */
export function defineCommand<const S extends Options, More extends unknown[] = []>(
  definition: CommandDefinition<S>,
  run: (options: Values<S>, ...more: More) => Promise<number>,
): (args: string[], ...more: More) => Promise<number> {
  return async (args, ...more) => {
    const { help, ...options } = parse(definition, args);
    if (!help) return run(options as Values<S>, ...more);
    print(helpOf(definition));
    return 0;
  };
}

/** The column where the descriptions of options begin. */
const COLUMN = 24;

function helpOf({ name, about, notes, options }: CommandDefinition<Options>): string {
  const lines = Object.entries(options).map(([option, spec]) => {
    const usage = `  --${option}${'argument' in spec ? ` ${spec.argument}` : ''}`;
    return usage.padEnd(COLUMN) + spec.about.replaceAll('\n', `\n${' '.repeat(COLUMN)}`);
  });
  return `luid ${name}: ${about}\n\n${lines.join('\n')}\n\n${notes}\n`;
}

function parse({ name: command, options: spec }: CommandDefinition<Options>, args: string[]) {
  const given = splitArguments(command, spec, args);
  const values = Object.entries(spec).map(([name, option]) => {
    const value = given[name];
    if (!('parse' in option)) return [name, value === true];
    if (value === undefined) return [name, undefined];
    const parsed = option.parse(String(value));
    if (parsed !== undefined) return [name, parsed];
    const shown = printable(JSON.stringify(value));
    throw new UsageError(command, `--${name} must be ${option.expected}, got ${shown}`);
  });
  return { ...Object.fromEntries(values), help: given.help === true };
}

function splitArguments(command: string, spec: Options, args: string[]): Record<string, unknown> {
  const kinds = Object.entries(spec).map(([name, option]) => {
    return [name, { type: 'parse' in option ? 'string' : 'boolean' }] as const;
  });
  try {
    const options = { ...Object.fromEntries(kinds), help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new UsageError(command, describeParseError(code, message, [...Object.keys(spec), 'help']));
  }
}

/** Describes an error of `parseArgs` in one line. */
function describeParseError(code: string, message: string, names: readonly string[]): string {
  const [, given = ''] = /'(.*?)'/s.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const suggestion = nearest(given.replace(/^-+/, ''), names);
    return `unknown option ${printable(given)}${suggestion === undefined ? '' : `; did you mean --${suggestion}?`}`;
  }
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return `unexpected argument ${printable(JSON.stringify(given))}`;
  if (message.endsWith('argument missing')) return `${printable(given.split(' ')[0] ?? '')} requires a value`;
  return printable(message.split('\n')[0] ?? '');
}
