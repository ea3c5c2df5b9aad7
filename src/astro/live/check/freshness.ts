import { ageText } from '../../../replica/age.ts';
import { errorMessage, LuidError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';

/** Knows how old the content is, and whether it can be checked for changes. */
export class Freshness {
  readonly #label: string;
  readonly #maxAge: number;
  readonly #logger: Logger;
  #confirmedAt = 0;
  #isFailing = false;

  constructor(label: string, maxAge: number, logger: Logger) {
    this.#label = label;
    this.#maxAge = maxAge;
    this.#logger = logger;
  }

  /** When the content was last known to be that of the service. */
  get confirmedAt(): number {
    return this.#confirmedAt;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** The content was that of the service at this time. */
  confirm(time: number): void {
    this.#confirmedAt = Math.max(this.#confirmedAt, time);
  }

  /** A check has succeeded. */
  succeed(): void {
    if (this.#isFailing) this.#logger.info(`${this.#label}: checking for changes works again`);
    this.#isFailing = false;
  }

  /** A check has failed. Logs the first time. */
  fail(now: number, error: unknown): void {
    if (!this.#isFailing) {
      const age = ageText(now - this.#confirmedAt);
      this.#logger.warn(
        `${this.#label}: cannot check for changes, serving content that is ${age}: ${errorMessage(error)}`,
      );
    }
    this.#isFailing = true;
  }

  /** Whether content could not be checked for longer than is allowed. Checks are made every `interval`. */
  isTooOld(now: number, interval: number, confirmedAt = this.#confirmedAt): boolean {
    const limit = this.#isFailing ? this.#maxAge : Math.max(this.#maxAge, 2 * interval);
    return now - confirmedAt > limit;
  }

  tooOldError(now: number): LuidError {
    const age = ageText(now - this.#confirmedAt);
    return new LuidError(`The content is ${age}, and the service cannot be reached`, {
      hint: 'Content may be older with `onError: "stale"` or `onError: { stale: "7d" }` in defineSpace().',
    });
  }
}
