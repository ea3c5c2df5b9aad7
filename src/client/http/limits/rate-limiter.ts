import pLimit, { type LimitFunction } from 'p-limit';
import { LIMITS } from '../../../contract/limits.ts';
import { shareInProcess } from '../../../shared/process.ts';
import { neverBack } from '../clock.ts';
import type { Connection } from '../connection.ts';
import { warnAboutHttp } from '../warn-about-http.ts';
import { type ByteBudget, createByteBudget } from './byte-budget.ts';
import { createSlidingWindow, type SlidingWindow } from './sliding-window.ts';
import { untilAborted } from './until-aborted.ts';

export type RequestKind = 'read' | 'write';

/**
 * Measured with 101 pages at 50 ms latency: 1 takes 6.5 s, 8 take 1.0 s, 16 take 0.65 s, 32 take 0.43 s.
 * More would save little, and crowd out other users of a service that allows 10 reads per second.
 */
export const CONCURRENT_READS = 16;
/** What the CDN serves does not count towards the rate limit. */
const CONCURRENT_PUBLISHED_READS = 64;
const CONCURRENT_WRITES = 4;

/**
 * A minute and a margin: latency varies, so requests that are sent a little more than a minute apart
 * may reach the service less than a minute apart.
 */
const WINDOW = 61_000;

const LONGEST_PAUSE = 60_000;

/** Far more than pages of content need; parsed, they take several times as much memory. */
const BYTES_IN_FLIGHT = 128 * 2 ** 20;

interface ScheduleOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when the task is delayed; `delay` settles when the delay is over. */
  readonly onWait?: ((delay: Promise<unknown>) => void) | undefined;
}

/** Shared by everything in this process that uses one key. */
export interface RateLimiter {
  /** Runs a task as soon as the limits allow. A task must not schedule another one and wait for it. */
  schedule<T>(kind: RequestKind, task: () => Promise<T>, options?: ScheduleOptions): Promise<T>;
  /** The bytes of the responses that are being read. */
  readonly bytes: ByteBudget;
  /** Delays every request of the key, as a 429 demands; for a minute at most (§8). */
  pause(milliseconds: number): void;
}

/** The limiter of a host and a key. The first request to a host warns if it sends its key unencrypted. */
export function rateLimiterFor(connection: Connection): RateLimiter {
  const { baseUrl, apiKey } = connection;
  const hosts = shareInProcess('rate-limiters', () => new Map<string, Map<string, RateLimiter>>());
  const { host } = new URL(baseUrl);
  if (!hosts.has(host) && apiKey !== '') warnAboutHttp(baseUrl);
  const limiters = hosts.get(host) ?? new Map<string, RateLimiter>();
  hosts.set(host, limiters);
  const limiter = limiters.get(apiKey) ?? createRateLimiter(connection);
  limiters.set(apiKey, limiter);
  return limiter;
}

/** How many reads of a connection are sent in parallel. */
export function concurrentReads({ network, readsPublished }: Connection): number {
  return network.concurrency ?? (readsPublished ? CONCURRENT_PUBLISHED_READS : CONCURRENT_READS);
}

function createRateLimiter(connection: Connection): RateLimiter {
  const { clock, network } = connection;
  const now = neverBack(() => clock.now());
  const queues: Record<RequestKind, { slots: LimitFunction; window: SlidingWindow }> = {
    read: {
      slots: pLimit(concurrentReads(connection)),
      window: createSlidingWindow(network.requestsPerMinute ?? LIMITS.readsPerMinute, WINDOW, now),
    },
    write: {
      slots: pLimit(CONCURRENT_WRITES),
      window: createSlidingWindow(LIMITS.writesPerMinute, WINDOW, now),
    },
  };
  let pausedUntil = 0;

  return {
    bytes: createByteBudget(BYTES_IN_FLIGHT),
    schedule(kind, task, { signal, onWait } = {}) {
      const { slots, window } = queues[kind];
      const scheduled = slots(async () => {
        for (;;) {
          signal?.throwIfAborted();
          const milliseconds = Math.max(pausedUntil - now(), window.delay());
          if (milliseconds <= 0) break;
          const delay = clock.sleep(milliseconds, signal);
          onWait?.(delay);
          await delay;
        }
        window.add();
        return task();
      });
      // An aborted request frees its place in the queue when its turn comes.
      return signal ? untilAborted(scheduled, signal) : scheduled;
    },
    pause(milliseconds) {
      const length = Math.min(Math.max(milliseconds, 0), LONGEST_PAUSE);
      pausedUntil = Math.max(pausedUntil, now() + length);
    },
  };
}
