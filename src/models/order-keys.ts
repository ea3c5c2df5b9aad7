import { parseInstant } from '../contract/instant.ts';

export type OrderKey = string | number;

/** What strings, numbers and booleans are sorted by; `undefined` if empty. */
export function valueOrderKey(value: unknown): OrderKey | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What ISO 8601 times are sorted by. */
export function timeOrderKey(value: unknown): OrderKey | undefined {
  return typeof value === 'string' ? parseInstant(value, { assumeUtc: true }) : undefined;
}
