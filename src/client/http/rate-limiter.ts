import pLimit, { type LimitFunction } from 'p-limit';
import { LIMITS } from '../../contract/limits.ts';
import { type ByteBudget, byteBudget } from './byte-budget.ts';
import type { Connection } from './connection.ts';
import { type SlidingWindow, slidingWindow } from './sliding-window.ts';

export type Kind = 'read' | 'write';

/**
 * Measured with 101 pages at 50 ms latency: 1 takes 6.5 s, 8 take 1.0 s, 16 take 0.65 s, 32 take 0.43 s.
 * More than 16 save a blink and crowd out the other users of a service that allows 10 reads a second.
 */
export const CONCURRENT_READS = 16;
const CONCURRENT_WRITES = 4;

/**
 * The limit is counted where requests arrive, which they do unevenly: one sent a little over a minute
 * after another may arrive less than a minute after it.
 */
const WINDOW = 61_000;

const LONGEST_PAUSE = 60_000;

/** Pages of honest content in flight are far below this together; parsed, they take several times as much. */
const BYTES_IN_FLIGHT = 128 * 2 ** 20;

/** One who waits for a turn. */
interface Waiting {
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((over: Promise<unknown>) => void) | undefined;
}

/** What everything that uses one key in this process shares. */
export interface Limiter {
  /** Runs a task when its turn comes, and not during a pause. A task must not ask for a turn itself. */
  turn<T>(kind: Kind, task: () => Promise<T>, who?: Waiting): Promise<T>;
  /** What the responses hold that are being read. */
  readonly bytes: ByteBudget;
  /** A 429 concerns the key, so it holds back every request of the key; for a minute at most (§8). */
  pause(milliseconds: number): void;
}

/** Several copies of this module may run in one process: Astro has one in Vite and one outside of it. */
const registry = Symbol.for('astro-luid.limiters');

export function limiterOf(connection: Connection): Limiter {
  const holder = globalThis as { [registry]?: Map<string, Limiter> };
  const limiters = holder[registry] ?? new Map<string, Limiter>();
  holder[registry] = limiters;
  const name = `${new URL(connection.baseUrl).host} ${connection.apiKey}`;
  const limiter = limiters.get(name) ?? createLimiter(connection);
  limiters.set(name, limiter);
  return limiter;
}

function createLimiter({ clock, network }: Connection): Limiter {
  const lanes: Record<Kind, { slots: LimitFunction; window: SlidingWindow }> = {
    read: {
      slots: pLimit(network.concurrency ?? CONCURRENT_READS),
      window: slidingWindow(network.requestsPerMinute ?? LIMITS.readsPerMinute, WINDOW),
    },
    write: { slots: pLimit(CONCURRENT_WRITES), window: slidingWindow(LIMITS.writesPerMinute, WINDOW) },
  };
  let pausedUntil = 0;

  return {
    bytes: byteBudget(BYTES_IN_FLIGHT),
    turn(kind, task, { signal, onWait } = {}) {
      const { slots, window } = lanes[kind];
      const inTurn = slots(async () => {
        for (;;) {
          signal?.throwIfAborted();
          const now = clock.now();
          const wait = Math.max(pausedUntil - now, window.wait(now));
          if (wait <= 0) break;
          const over = clock.sleep(wait, signal);
          onWait?.(over);
          await over;
        }
        window.add(clock.now());
        return task();
      });
      return signal ? untilAborted(inTurn, signal) : inTurn;
    },
    pause(milliseconds) {
      const length = Math.min(Math.max(milliseconds, 0), LONGEST_PAUSE);
      pausedUntil = Math.max(pausedUntil, clock.now() + length);
    },
  };
}

/** Whoever aborts is answered at once; a place in the queue is given up when it comes. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
