import { parseInstant } from '../../contract/instant.ts';
import { LuidConfigError } from '../../errors.ts';
import { describe, isRecord } from '../../models/field-types/field-type.ts';

/** Refuses a seed, or a change in the shape of one, naming the place. */
export function refuse(place: string, problem: string): never {
  throw new LuidConfigError(`${place} ${problem}`, {
    field: place,
    hint: 'Correct what is at that place.',
  });
}

/** An object that has no other keys than these. */
export function record(value: unknown, place: string, known: readonly string[]): Record<string, unknown> {
  if (!isRecord(value)) return refuse(place, `must be an object, not ${describe(value)}`);
  const strange = Object.keys(value).find((key) => !known.includes(key));
  if (strange !== undefined) {
    return refuse(`${place}[${JSON.stringify(strange)}]`, `is not known here; there are ${known.join(', ')}`);
  }
  return value;
}

export function list(value: unknown, place: string): unknown[] {
  return Array.isArray(value) ? value : refuse(place, `must be a list, not ${describe(value)}`);
}

export function instantAt(value: unknown, place: string): number {
  const time = typeof value === 'string' ? parseInstant(value) : undefined;
  return time ?? refuse(place, `is ${describe(value)}; write ISO 8601 with Z or an offset`);
}
