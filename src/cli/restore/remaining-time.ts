import { LIMITS } from '../../contract/limits.ts';

/** What the client waits for between the first and the last write that one minute allows (§8), in milliseconds. */
const WINDOW = 61_000;

/**
 * How long a number of writes takes, in milliseconds: as many as the limit allows at once, then the rest when the first
 * are a minute old. `sent`: when the last writes were sent, oldest first. `each`: how long one takes.
 */
export function remainingTime(writes: number, sent: readonly number[], now: number, each: number): number {
  const times = sent.slice(-LIMITS.writesPerMinute);
  let at = now;
  for (let write = 0; write < writes; write++) {
    const blocking = times.length < LIMITS.writesPerMinute ? undefined : times.shift();
    at = Math.max(at, (blocking ?? Number.NEGATIVE_INFINITY) + WINDOW);
    times.push(at);
    at += each;
  }
  return at - now;
}
