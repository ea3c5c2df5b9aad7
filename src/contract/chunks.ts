import { LIMITS } from './limits.ts';

/** A list in parts that fit in one request. */
export function chunks<T>(list: readonly T[], size: number = LIMITS.pageSize): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) =>
    list.slice(n * size, (n + 1) * size),
  );
}
