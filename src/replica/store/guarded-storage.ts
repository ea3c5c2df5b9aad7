import type { Storage } from 'unstorage';
import { limitTime } from '../../shared/limit-time.ts';

/** A storage that has not responded by then is not reachable: some drivers wait until it is. */
const TIME_LIMIT = 3000;

/**
 * Calls a storage that may not be reachable. After it has failed, calls fail at once, until a call in the background
 * succeeds.
 */
export class GuardedStorage {
  readonly #storage: Storage;
  readonly #timeLimit: number;
  #failure: { readonly error: unknown } | undefined;
  #probing: Promise<void> | undefined;

  constructor(storage: Storage, timeLimit = TIME_LIMIT) {
    this.#storage = storage;
    this.#timeLimit = timeLimit;
  }

  async call<T>(use: (storage: Storage) => Promise<T>): Promise<T> {
    if (this.#failure) {
      this.#probe();
      throw this.#failure.error;
    }
    try {
      return await limitTime(use(this.#storage), this.#timeLimit, () => this.#tooLate());
    } catch (error) {
      this.#failure = { error };
      this.#probe();
      throw error;
    }
  }

  #tooLate(): Error {
    return new Error(`The storage has not responded for ${this.#timeLimit / 1000} s`);
  }

  #probe(): void {
    this.#probing ??= limitTime(this.#storage.hasItem('probe'), this.#timeLimit)
      .then(
        () => {
          this.#failure = undefined;
        },
        () => {},
      )
      .finally(() => {
        this.#probing = undefined;
      });
  }
}
