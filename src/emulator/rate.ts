import { LIMITS } from '../contract/limits.ts';
import { Refusal } from './refusal.ts';

const WINDOW = 60_000;

/** §8: requests in any 60 seconds, for each key, reads and writes apart. */
export class RateLimit {
  readonly #windows = new Map<string, number[]>();

  /** Counts a request, or refuses it with a 429. A refused one is not counted. */
  count(key: string, kind: 'read' | 'write', now: number): void {
    const id = `${kind} ${key}`;
    const limit = kind === 'read' ? LIMITS.readsPerMinute : LIMITS.writesPerMinute;
    // Times ahead of now are there when the clock was set back.
    const recent = (this.#windows.get(id) ?? []).filter((at) => at > now - WINDOW && at <= now);
    this.#windows.set(id, recent);
    const oldest = recent[recent.length - limit];
    if (oldest !== undefined) throw new Refusal(429, Math.max(1, Math.ceil((oldest + WINDOW - now) / 1000)));
    recent.push(now);
  }
}
