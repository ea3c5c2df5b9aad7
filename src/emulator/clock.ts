import { parseInstant } from '../contract/instant.ts';
import { LuidConfigError } from '../errors.ts';

/** The emulator's time: the real one until it is set or advanced; then it stands still. */
export class Clock {
  readonly #source: () => number;
  #stopped: number | undefined;

  constructor(source: () => number = Date.now) {
    this.#source = source;
  }

  now(): number {
    return this.#stopped ?? this.#source();
  }

  set(time: number | string): void {
    const at = typeof time === 'number' ? time : parseInstant(time);
    if (at === undefined || !Number.isFinite(at)) {
      throw new LuidConfigError(`clock.set: ${JSON.stringify(time)} is no time`, {
        hint: 'Give milliseconds since 1970, or ISO 8601 with Z or an offset.',
      });
    }
    this.#stopped = at;
  }

  advance(ms: number): void {
    this.#stopped = this.now() + ms;
  }
}
