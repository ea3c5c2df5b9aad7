import { parseArgs } from 'node:util';
import { LuidConfigError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { type Duration, milliseconds } from '../../space/duration.ts';
import { nearest } from '../../suggest.ts';

/** A use of a command that cannot work: said in one line, exit code 2. */
export class BadOption extends Error {
  constructor(command: string, problem: string) {
    super(`luid ${command}: ${problem} (see luid ${command} --help)`);
  }
}

/** How the text of an option is read. */
export interface Option<T> {
  readonly type: 'string';
  /** What a good value is, for the message about a bad one. */
  readonly wants: string;
  /** Throws, or gives `undefined`, for a text that is none. */
  readonly read: (text: string) => T | undefined;
}

export interface Flag {
  readonly type: 'boolean';
}

/** An option without a value: given or not. */
export const flag: Flag = { type: 'boolean' };

/** Any text but none. */
export function text(wants: string): Option<string> {
  return { type: 'string', wants, read: (value) => value || undefined };
}

/** A list such as `a,b`. */
export function list(wants: string): Option<string[]> {
  const split = (value: string) =>
    value
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
  return {
    type: 'string',
    wants,
    read: (value) => (split(value).length > 0 ? split(value) : undefined),
  };
}

export function wholeNumber(most: number): Option<number> {
  return {
    type: 'string',
    wants: `a whole number from 0 to ${most}`,
    read: (value) => (/^\d+$/.test(value) && Number(value) <= most ? Number(value) : undefined),
  };
}

export const onOff: Option<boolean> = {
  type: 'string',
  wants: 'on or off',
  read: (value) => ({ on: true, off: false })[value],
};

/** Milliseconds, from a text such as `30s`. */
export const duration: Option<number> = {
  type: 'string',
  wants: 'a time such as 30s, 10min or 24h',
  read: (value) => milliseconds(value as Duration, ''),
};

export function oneOf<const T extends string>(names: readonly T[]): Option<T> {
  return {
    type: 'string',
    wants: `one of ${names.join(', ')}`,
    read: (value) => names.find((name) => name === value),
  };
}

export type Options = Readonly<Record<string, Flag | Option<unknown>>>;

/** What was given. A flag that was not is `false`, everything else that was not is `undefined`. */
export type Values<S extends Options> = {
  readonly [K in keyof S]: S[K] extends Option<infer T> ? T | undefined : boolean;
} & {
  /** Help was asked for, and nothing else matters. */
  readonly help: boolean;
};

/** Reads the arguments of a command, `--help` and `-h` among them. Throws `BadOption`. */
export function parseOptions<const S extends Options>(command: string, spec: S, args: string[]): Values<S> {
  const given = parse(command, spec, args);
  const values = Object.entries(spec).map(([name, option]) => {
    const value = given[name];
    if (option.type === 'boolean') return [name, value === true];
    return [name, value === undefined ? undefined : read(command, name, option, String(value))];
  });
  return { ...Object.fromEntries(values), help: given.help === true } as Values<S>;
}

function parse(command: string, spec: Options, args: string[]): Record<string, unknown> {
  const types = Object.entries(spec).map(([name, { type }]) => [name, { type }] as const);
  try {
    const options = { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!isParseError(error)) throw error;
    throw new BadOption(command, problemOf(error, Object.keys({ ...spec, help: flag })));
  }
}

function read(command: string, name: string, { wants, read: readText }: Option<unknown>, given: string) {
  let value: unknown;
  try {
    value = readText(given);
  } catch (error) {
    if (!LuidConfigError.is(error)) throw error;
  }
  if (value !== undefined) return value;
  throw new BadOption(command, `--${name} is ${printable(JSON.stringify(given))}: pass ${wants}`);
}

interface ParseError extends TypeError {
  readonly code: string;
}

function isParseError(error: unknown): error is ParseError {
  return (
    error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
  );
}

/** What is wrong with the arguments, in one line. */
function problemOf({ code, message }: ParseError, names: readonly string[]): string {
  const [, given = ''] = /'(.*?)'/s.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const name = given.replace(/^-+/, '');
    const meant = nearest(name, names);
    return `unknown option ${printable(given)}${meant === undefined ? '' : `; did you mean --${meant}?`}`;
  }
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return `unexpected argument ${printable(JSON.stringify(given))}`;
  return printable(message.split('\n')[0] ?? '');
}
