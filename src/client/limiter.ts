import pLimit, { type LimitFunction } from 'p-limit';
import { LIMITS } from '../contract/limits.ts';
import type { Connection } from './connection.ts';

/** What everything that uses one key in this process shares: the slots, and one pause for all on a 429. */
interface Limiter {
  readonly slots: LimitFunction;
  pausedUntil: number;
}

const DEFAULT_CONCURRENCY = 16;
const LONGEST_PAUSE = 60_000;
const limiters = new Map<string, Limiter>();

function limiterOf({ baseUrl, apiKey, network }: Connection): Limiter {
  const name = `${baseUrl} ${apiKey}`;
  const known = limiters.get(name);
  if (known) return known;
  const limiter: Limiter = { slots: pLimit(network.concurrency ?? DEFAULT_CONCURRENCY), pausedUntil: 0 };
  limiters.set(name, limiter);
  return limiter;
}

/** Runs a task when the key has a free slot and is not paused. A task must not take a second slot. */
export function withSlot<T>(connection: Connection, task: () => Promise<T>): Promise<T> {
  const limiter = limiterOf(connection);
  return limiter.slots(async () => {
    for (let wait = limiter.pausedUntil - Date.now(); wait > 0; wait = limiter.pausedUntil - Date.now()) {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    return task();
  });
}

/** A 429 concerns the key, so it holds back every request of the key, for at most a minute (§8). */
export function pause(connection: Connection, seconds: number): void {
  const limiter = limiterOf(connection);
  const wait = Math.min(Math.max(seconds, 0) * 1000, LONGEST_PAUSE);
  limiter.pausedUntil = Math.max(limiter.pausedUntil, Date.now() + wait);
}

/** Seconds from `retry-after`, in seconds or as a date; the share of the limit that one request has if it says neither. */
export function retryAfter(header: string | null): number {
  const seconds = header === null || header.trim() === '' ? Number.NaN : Number(header);
  if (Number.isFinite(seconds)) return seconds;
  const date = Date.parse(header ?? '');
  return Number.isNaN(date) ? 60 / LIMITS.readsPerMinute : (date - Date.now()) / 1000;
}
