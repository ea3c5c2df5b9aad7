import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/client/index.ts';
import type { Traffic } from './traffic.ts';

/** Work that does not come to an end. */
export class Endless extends Error {}

/**
 * Time for loads whose requests are real: it stands still while one is under way, and jumps to the next
 * thing due as soon as all that goes on is waiting.
 */
export class WaitingClock implements Clock {
  readonly #traffic: Traffic;
  #time: number;
  #sleepers: { at: number; wake: () => void }[] = [];

  constructor(traffic: Traffic, start: number) {
    this.#traffic = traffic;
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

  /** Lets time pass until the promise is settled and nobody sleeps or asks any more; rejects if it takes too long. */
  async run<T>(work: Promise<T>, longest: number): Promise<T> {
    const end = this.#time + longest;
    let settled = false;
    const settle = () => {
      settled = true;
    };
    work.then(settle, settle);
    for (;;) {
      for (let round = 0; round < 4; round++) await turn();
      if (this.#traffic.isBusy) continue;
      if (this.#sleepers.length === 0 && settled && this.#traffic.open === 0) return work;
      const next = Math.min(...this.#sleepers.map(({ at }) => at));
      if (next === Number.POSITIVE_INFINITY && this.#traffic.open > 0) {
        throw new Endless('Nothing is due, and no answer is on its way');
      }
      if (next === Number.POSITIVE_INFINITY) continue;
      if (next > end) throw new Endless(`It goes on for more than ${longest / 60_000} minutes`);
      this.#time = Math.max(this.#time, next);
      const due = this.#sleepers.filter(({ at }) => at <= this.#time);
      this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#time);
      for (const { wake } of due) wake();
    }
  }
}
