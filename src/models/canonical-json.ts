import { isRecord } from '../shared/is-record.ts';

/** JSON with sorted keys: equal for values that differ in the order of their properties only. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
