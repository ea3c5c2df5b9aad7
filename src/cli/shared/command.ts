import { printable } from '../../shared/printable.ts';
import { nearest } from '../../shared/suggest.ts';
import { parseArgs } from './node-util.ts';
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

/** An argument without a name. */
export interface Positional {
  /** Its name in the help. */
  readonly argument: string;
  readonly about: string;
  readonly isOptional?: boolean;
}

/** What was passed without a name, in the order of `positionals`. */
export interface Passed {
  readonly positionals: readonly string[];
}

export interface CommandDefinition<S extends Options> {
  readonly name: string;
  /** The help above and below the list of options. */
  readonly about: string;
  readonly notes: string;
  readonly positionals?: readonly Positional[];
  readonly options: S;
}

/**
 * A command: takes the arguments after its name, and returns the exit code. `--help` prints its help; invalid arguments
 * throw `UsageError`.
 */
export function defineCommand<const S extends Options, More extends unknown[] = []>(
  definition: CommandDefinition<S>,
  run: (options: Values<S> & Passed, ...more: More) => Promise<number>,
): (args: string[], ...more: More) => Promise<number> {
  return async (args, ...more) => {
    const { help, ...options } = parse(definition, args);
    if (!help) return run(options as unknown as Values<S> & Passed, ...more);
    print(helpOf(definition));
    return 0;
  };
}

/** The column where the descriptions of options begin. */
const COLUMN = 24;

function helpOf({ name, about, notes, options, positionals = [] }: CommandDefinition<Options>): string {
  const line = (usage: string, text: string) =>
    `  ${usage}`.padEnd(COLUMN) + text.replaceAll('\n', `\n${' '.repeat(COLUMN)}`);
  const lines = [
    ...positionals.map((one) => line(one.isOptional ? `[${one.argument}]` : one.argument, one.about)),
    ...Object.entries(options).map(([option, spec]) =>
      line(`--${option}${'argument' in spec ? ` ${spec.argument}` : ''}`, spec.about),
    ),
  ];
  return `luid ${name}: ${about}\n\n${lines.join('\n')}\n\n${notes}\n`;
}

function parse(
  { name: command, options: spec, positionals = [] }: CommandDefinition<Options>,
  args: string[],
) {
  const { given, passed } = splitArguments(command, spec, args, positionals.length > 0);
  const values = Object.entries(spec).map(([name, option]) => {
    const value = given[name];
    if (!('parse' in option)) return [name, value === true];
    if (value === undefined) return [name, undefined];
    const parsed = option.parse(String(value));
    if (parsed !== undefined) return [name, parsed];
    const shown = printable(JSON.stringify(value));
    throw new UsageError(command, `--${name} must be ${option.expected}, got ${shown}`);
  });
  if (given.help !== true) checkPositionals(command, positionals, passed);
  return { ...Object.fromEntries(values), positionals: passed, help: given.help === true };
}

function checkPositionals(command: string, positionals: readonly Positional[], passed: readonly string[]) {
  const missing = positionals.find((one, index) => !one.isOptional && !passed[index]);
  if (missing) throw new UsageError(command, `${missing.argument} is missing: ${missing.about}`);
  const extra = passed[positionals.length];
  if (extra === undefined) return;
  throw new UsageError(command, `unexpected argument ${printable(JSON.stringify(extra))}`);
}

function splitArguments(
  command: string,
  spec: Options,
  args: string[],
  allowPositionals: boolean,
): { given: Record<string, unknown>; passed: readonly string[] } {
  const kinds = Object.entries(spec).map(([name, option]) => {
    return [name, { type: 'parse' in option ? 'string' : 'boolean' }] as const;
  });
  try {
    const options = { ...Object.fromEntries(kinds), help: { type: 'boolean', short: 'h' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals });
    return { given: values, passed: positionals };
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
