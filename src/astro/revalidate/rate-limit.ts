export interface RateLimitOptions {
  readonly max: number;
  /** Milliseconds. */
  readonly window: number;
  readonly now?: () => number;
}

/** Allows a number of events within any period of a length. */
export class RateLimit {
  readonly #max: number;
  readonly #window: number;
  readonly #now: () => number;
  readonly #times: number[] = [];

  constructor({ max, window, now = () => performance.now() }: RateLimitOptions) {
    this.#max = max;
    this.#window = window;
    this.#now = now;
  }

  /** Milliseconds until the next event is allowed: 0 if it is now. */
  get wait(): number {
    const [oldest] = this.#times;
    if (oldest === undefined || this.#times.length < this.#max) return 0;
    return Math.max(0, oldest + this.#window - this.#now());
  }

  record(): void {
    this.#times.push(this.#now());
    if (this.#times.length > this.#max) this.#times.shift();
  }
}

/** An event was not allowed. */
export class RateLimitError extends Error {
  readonly wait: number;

  constructor(wait: number) {
    super('too many requests');
    this.wait = wait;
  }
}
