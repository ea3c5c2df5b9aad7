import { vi } from 'vitest';

/** After this time a test stops waiting and fails. Generous, because it must not depend on the speed of the machine. */
export const WAIT_LIMIT = 60_000;

/** Waits until a function returns something truthy. An error of the function ends the wait. */
export function until<T>(isTrue: () => T | Promise<T>, interval = 50) {
  return vi.waitUntil(isTrue, { timeout: WAIT_LIMIT, interval });
}

/** Waits until a function does not throw, and otherwise rejects with its last error. */
export function untilPasses<T>(check: () => T | Promise<T>, interval = 50): Promise<T> {
  return vi.waitFor(check, { timeout: WAIT_LIMIT, interval });
}
