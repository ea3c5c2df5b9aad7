import { parseInstant } from '../contract/instant.ts';
import { LuidConfigError } from '../shared/errors.ts';

/** The emulator's time: the real time until it is set or advanced; from then on it is fixed. */
export class Clock {
  readonly #source: () => number;
  #fixed: number | undefined;

  constructor(source: () => number = Date.now) {
    this.#source = source;
  }

  now(): number {
    return this.#fixed ?? this.#source();
  }

  set(time: number | string): void {
    const at = typeof time === 'number' ? time : parseInstant(time);
    if (at === undefined || !Number.isFinite(at)) {
      throw new LuidConfigError(`clock.set: ${JSON.stringify(time)} is not a valid time`, {
        hint: 'Pass milliseconds since 1970, or an ISO 8601 string with Z or an offset.',
      });
    }
    this.#fixed = at;
  }

  advance(ms: number): void {
    this.#fixed = this.now() + ms;
  }
}
