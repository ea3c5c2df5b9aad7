import { LuidConfigError } from '../../shared/errors.ts';
import { headerName } from '../../shared/options.ts';
import { type Duration, milliseconds } from '../../space/duration.ts';

/** An option without a value. */
export interface Flag {
  /** Its line in the help. */
  readonly about: string;
}

/** An option with a value. */
export interface Option<T> extends Flag {
  /** The name of the value in the help. */
  readonly argument: string;
  /** Describes a valid value, for the error message. */
  readonly expected: string;
  /** Returns `undefined` for an invalid value. */
  readonly parse: (value: string) => T | undefined;
}

export const flag = (about: string): Flag => ({ about });

/** Any non-empty string. */
export function text(argument: string, about: string, expected: string): Option<string> {
  return { argument, about, expected, parse: (value) => value || undefined };
}

/** A list such as `a,b`. What is named twice counts once. */
export function list(argument: string, about: string, expected: string): Option<string[]> {
  const parse = (value: string) => {
    const names = [...new Set(value.split(',').map((one) => one.trim()))].filter(Boolean);
    return names.length > 0 ? names : undefined;
  };
  return { argument, about, expected, parse };
}

export function wholeNumber(argument: string, about: string, most: number): Option<number> {
  const parse = (value: string) => (/^\d+$/.test(value) && Number(value) <= most ? Number(value) : undefined);
  return { argument, about, expected: `a whole number from 0 to ${most}`, parse };
}

/** A number of things, of which none makes no sense. */
export function atLeastOne(argument: string, about: string): Option<number> {
  const parse = (value: string) => (/^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined);
  return { argument, about, expected: 'a whole number of at least 1', parse };
}

export function oneOf<const T extends string>(
  argument: string,
  about: string,
  names: readonly T[],
): Option<T> {
  const parse = (value: string) => names.find((name) => name === value);
  return { argument, about, expected: `one of ${names.join(', ')}`, parse };
}

export function onOff(about: string): Option<boolean> {
  const parse = (value: string) => (value === 'on' ? true : value === 'off' ? false : undefined);
  return { argument: 'on|off', about, expected: 'on or off', parse };
}

/** A time such as `30s`, parsed to milliseconds. */
export function duration(about: string): Option<number> {
  const parse = (value: string) => {
    try {
      return milliseconds(value as Duration, '');
    } catch (error) {
      if (!LuidConfigError.is(error)) throw error;
      return undefined;
    }
  };
  return { argument: 'TIME', about, expected: 'a duration such as 30s, 10min or 24h', parse };
}

/** The name of the HTTP header that carries the API key. */
export const apiKeyHeader: Option<string> = {
  argument: 'NAME',
  about: 'the API key header (default: X-SERVICE-API-KEY)',
  expected: headerName.expected,
  parse: (value) => (headerName.accepts(value) ? value : undefined),
};
