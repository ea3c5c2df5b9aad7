import { setImmediate as nextTick } from 'node:timers/promises';
import type { Clock } from '../../src/client/index.ts';
import type { RequestTracker } from './request-tracker.ts';

export class NeverEndsError extends Error {}

/**
 * A simulated clock for loads with real requests: it stops while one is in flight, and jumps to the next
 * timer as soon as everything waits.
 */
export class WaitingClock implements Clock {
  readonly #tracker: RequestTracker;
  #time: number;
  #sleepers: { at: number; wake: () => void }[] = [];

  constructor(tracker: RequestTracker, start: number) {
    this.#tracker = tracker;
    this.#time = start;
  }

  readonly now = () => this.#time;

  readonly sleep = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      const sleeper = { at: this.#time + milliseconds, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      });
    });

  advance(milliseconds: number): void {
    this.#time += milliseconds;
  }

  /** Advances until the promise is settled and there are no timers or requests; rejects if that takes too long. */
  async run<T>(work: Promise<T>, longest: number): Promise<T> {
    const end = this.#time + longest;
    let settled = false;
    const settle = () => {
      settled = true;
    };
    work.then(settle, settle);
    for (;;) {
      for (let round = 0; round < 4; round++) await nextTick();
      if (this.#tracker.isBusy) continue;
      if (this.#sleepers.length === 0 && settled && this.#tracker.open === 0) return work;
      const next = Math.min(...this.#sleepers.map(({ at }) => at));
      if (next === Number.POSITIVE_INFINITY && this.#tracker.open > 0) {
        throw new NeverEndsError('There is no timer, and no response is expected');
      }
      if (next === Number.POSITIVE_INFINITY) continue;
      if (next > end) throw new NeverEndsError(`It takes more than ${longest / 60_000} minutes`);
      this.#time = Math.max(this.#time, next);
      const due = this.#sleepers.filter(({ at }) => at <= this.#time);
      this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#time);
      for (const { wake } of due) wake();
    }
  }
}
