import { LuidError } from '../../errors.ts';

/** Astro prints the `hint` of an error below its message, and our messages end with theirs: it is printed once. */
export function throwWithOneHint(error: unknown): never {
  if (LuidError.is(error)) Object.defineProperty(error, 'hint', { value: undefined });
  throw error;
}

/** Runs a check for Astro. */
export function withOneHint<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    return throwWithOneHint(error);
  }
}
