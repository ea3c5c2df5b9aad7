import { parseInstant } from '../../contract/instant.ts';
import { describe } from '../../models/field-types/field-type.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';

/** Reports an invalid seed, or invalid values in the format of a seed, with the path of the problem. */
export function throwSeedError(path: string, problem: string): never {
  throw new LuidConfigError(`${path} ${problem}`, {
    field: path,
    hint: 'Correct the value at that path.',
  });
}

/** An object with no keys other than `knownKeys`. */
export function parseObject(
  value: unknown,
  path: string,
  knownKeys: readonly string[],
): Record<string, unknown> {
  if (!isRecord(value)) return throwSeedError(path, `must be an object, not ${describe(value)}`);
  const unknownKey = Object.keys(value).find((key) => !knownKeys.includes(key));
  if (unknownKey !== undefined) {
    return throwSeedError(
      `${path}[${JSON.stringify(unknownKey)}]`,
      `is an unknown key; expected one of ${knownKeys.join(', ')}`,
    );
  }
  return value;
}

export function parseList(value: unknown, path: string): unknown[] {
  return Array.isArray(value) ? value : throwSeedError(path, `must be a list, not ${describe(value)}`);
}

export function parseTime(value: unknown, path: string): number {
  const time = typeof value === 'string' ? parseInstant(value) : undefined;
  return time ?? throwSeedError(path, `must be an ISO 8601 time with Z or an offset, not ${describe(value)}`);
}
