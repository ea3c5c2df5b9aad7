import { parseArgs } from 'node:util';
import { LuidConfigError } from '../../errors.ts';
import { headerName as HEADER_NAME } from '../../options.ts';
import { printable } from '../../printable.ts';
import { type Duration, milliseconds } from '../../space/duration.ts';
import { nearest } from '../../suggest.ts';

/** Invalid command-line arguments: reported in one line, exit code 2. */
export class UsageError extends Error {
  constructor(command: string, problem: string) {
    super(`luid ${command}: ${problem} (see luid ${command} --help)`);
  }
}

/** How the value of an option is parsed. */
export interface Option<T> {
  readonly type: 'string';
  /** Describes a valid value, for the error message. */
  readonly expected: string;
  /** Throws or returns `undefined` for an invalid value. */
  readonly parse: (value: string) => T | undefined;
}

export interface Flag {
  readonly type: 'boolean';
}

/** An option without a value. */
export const flag: Flag = { type: 'boolean' };

/** Any non-empty string. */
export function nonEmpty(expected: string): Option<string> {
  return { type: 'string', expected, parse: (value) => value || undefined };
}

/** The name of an HTTP header. */
export const headerName: Option<string> = {
  type: 'string',
  expected: HEADER_NAME.expected,
  parse: (value) => (HEADER_NAME.accepts(value) ? value : undefined),
};

/** A list such as `a,b`. What is named twice counts once. */
export function list(expected: string): Option<string[]> {
  return {
    type: 'string',
    expected,
    parse(value) {
      const names = [...new Set(value.split(',').map((one) => one.trim()))].filter(Boolean);
      return names.length > 0 ? names : undefined;
    },
  };
}

export function wholeNumber(most: number): Option<number> {
  return {
    type: 'string',
    expected: `a whole number from 0 to ${most}`,
    parse: (value) => (/^\d+$/.test(value) && Number(value) <= most ? Number(value) : undefined),
  };
}

export const onOff: Option<boolean> = {
  type: 'string',
  expected: 'on or off',
  parse: (value) => (value === 'on' ? true : value === 'off' ? false : undefined),
};

/** A string such as `30s`, parsed to milliseconds. */
export const duration: Option<number> = {
  type: 'string',
  expected: 'a duration such as 30s, 10min or 24h',
  parse: (value) => milliseconds(value as Duration, ''),
};

export function oneOf<const T extends string>(names: readonly T[]): Option<T> {
  return {
    type: 'string',
    expected: `one of ${names.join(', ')}`,
    parse: (value) => names.find((name) => name === value),
  };
}

export type Options = Readonly<Record<string, Flag | Option<unknown>>>;

/** Parsed values. A flag that was not passed is `false`, any other option `undefined`. */
export type Values<S extends Options> = {
  readonly [K in keyof S]: S[K] extends Option<infer T> ? T | undefined : boolean;
} & {
  /** `--help` was passed; other options are ignored. */
  readonly help: boolean;
};

/** Parses the arguments of a command, including `--help` and `-h`. Throws `UsageError`. */
export function parseOptions<const S extends Options>(command: string, spec: S, args: string[]): Values<S> {
  const given = splitArguments(command, spec, args);
  const values = Object.entries(spec).map(([name, option]) => {
    const value = given[name];
    if (option.type === 'boolean') return [name, value === true];
    return [name, value === undefined ? undefined : parseValue(command, name, option, String(value))];
  });
  return { ...Object.fromEntries(values), help: given.help === true } as Values<S>;
}

function splitArguments(command: string, spec: Options, args: string[]): Record<string, unknown> {
  const types = Object.entries(spec).map(([name, { type }]) => [name, { type }] as const);
  try {
    const options = { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!isParseError(error)) throw error;
    throw new UsageError(command, describeParseError(error, Object.keys({ ...spec, help: flag })));
  }
}

function parseValue(command: string, name: string, { expected, parse }: Option<unknown>, given: string) {
  let value: unknown;
  try {
    value = parse(given);
  } catch (error) {
    if (!LuidConfigError.is(error)) throw error;
  }
  if (value !== undefined) return value;
  throw new UsageError(command, `--${name} must be ${expected}, got ${printable(JSON.stringify(given))}`);
}

interface ParseError extends TypeError {
  readonly code: string;
}

function isParseError(error: unknown): error is ParseError {
  return (
    error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
  );
}

/** Describes a parse error in one line. */
function describeParseError({ code, message }: ParseError, names: readonly string[]): string {
  const [, given = ''] = /'(.*?)'/s.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const name = given.replace(/^-+/, '');
    const suggestion = nearest(name, names);
    return `unknown option ${printable(given)}${suggestion === undefined ? '' : `; did you mean --${suggestion}?`}`;
  }
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return `unexpected argument ${printable(JSON.stringify(given))}`;
  if (message.endsWith('argument missing')) return `${printable(given.split(' ')[0] ?? '')} requires a value`;
  return printable(message.split('\n')[0] ?? '');
}
