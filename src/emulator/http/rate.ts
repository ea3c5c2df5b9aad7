import { LIMITS } from '../../contract/limits.ts';
import { Refusal } from './refusal.ts';

const WINDOW = 60_000;
const LIMIT = { read: LIMITS.readsPerMinute, write: LIMITS.writesPerMinute } as const;
type Kind = keyof typeof LIMIT;

/** §8: requests in any 60 seconds, for each key, reads and writes apart. */
export class RateLimit {
  readonly #windows = new Map<string, number[]>();

  /** Counts a request and gives how many more would pass; or refuses it with a 429, and does not count it. */
  count(key: string, kind: Kind, now: number): number {
    const recent = this.#recent(key, kind, now);
    const oldest = recent[recent.length - LIMIT[kind]];
    if (oldest !== undefined) {
      throw new Refusal(429, { retryAfter: Math.max(1, Math.ceil((oldest + WINDOW - now) / 1000)) });
    }
    recent.push(now);
    return LIMIT[kind] - recent.length;
  }

  /** How many more requests would pass now. */
  remaining(key: string, kind: Kind, now: number): number {
    return Math.max(0, LIMIT[kind] - this.#recent(key, kind, now).length);
  }

  #recent(key: string, kind: Kind, now: number): number[] {
    const id = `${kind} ${key}`;
    // Times ahead of now are there when the clock was set back.
    const recent = (this.#windows.get(id) ?? []).filter((at) => at > now - WINDOW && at <= now);
    this.#windows.set(id, recent);
    return recent;
  }
}
