import { LIMITS } from '../../contract/limits.ts';
import { HttpError } from './http-error.ts';

const WINDOW = 60_000;
const LIMIT = { read: LIMITS.readsPerMinute, write: LIMITS.writesPerMinute } as const;
type Kind = keyof typeof LIMIT;

/** §8: limits the requests per key in any 60 seconds, reads and writes separately. */
export class RateLimit {
  readonly #windows = new Map<string, number[]>();

  /** Counts a request and returns how many more are allowed. Throws a 429, without counting, if none is. */
  count(key: string, kind: Kind, now: number): number {
    const recent = this.#recent(key, kind, now);
    const oldest = recent[recent.length - LIMIT[kind]];
    if (oldest !== undefined) {
      throw new HttpError(429, { retryAfter: Math.max(1, Math.ceil((oldest + WINDOW - now) / 1000)) });
    }
    recent.push(now);
    return LIMIT[kind] - recent.length;
  }

  /** How many more requests are allowed now. */
  remaining(key: string, kind: Kind, now: number): number {
    return Math.max(0, LIMIT[kind] - this.#recent(key, kind, now).length);
  }

  #recent(key: string, kind: Kind, now: number): number[] {
    const id = `${kind} ${key}`;
    // Times are in the future after the clock was set back.
    const recent = (this.#windows.get(id) ?? []).filter((at) => at > now - WINDOW && at <= now);
    this.#windows.set(id, recent);
    return recent;
  }
}
