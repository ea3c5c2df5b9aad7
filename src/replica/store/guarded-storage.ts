import type { Storage } from 'unstorage';

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
      return await limitTime(use(this.#storage), this.#timeLimit);
    } catch (error) {
      this.#failure = { error };
      this.#probe();
      throw error;
    }
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

async function limitTime<T>(running: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The storage has not responded for ${milliseconds / 1000} s`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([running, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
