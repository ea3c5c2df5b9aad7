import { LuidConfigError } from '../shared/errors.ts';
import { type OptionRule, showValue } from '../shared/options.ts';

/** Milliseconds, or a string such as `90s`, `10min`, `24h`, `7d` or `1y`. */
export type Duration = number | `${number}${'s' | 'min' | 'h' | 'd' | 'y'}`;

const UNITS = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000, y: 365 * 86_400_000 };

const EXPECTED = "milliseconds or a string such as '90s', '10min', '24h' or '7d'";

/** Throws for anything else; `name` is the option that has the value. */
export function milliseconds(value: Duration, name: string): number {
  const time = parseDuration(value);
  if (time !== undefined) return time;
  throw new LuidConfigError(`${name} must be ${EXPECTED}, got ${showValue(value)}`);
}

function parseDuration(value: unknown): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(s|min|h|d|y)$/.exec(String(value)) ?? [];
  const time = typeof value === 'number' ? value : Number(amount) * UNITS[unit as keyof typeof UNITS];
  return time >= 0 ? time : undefined;
}

export const duration: OptionRule = {
  expected: EXPECTED,
  accepts: (value) => parseDuration(value) !== undefined,
};
