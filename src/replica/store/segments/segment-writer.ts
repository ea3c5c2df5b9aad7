import pLimit from 'p-limit';

/** Writes mostly wait for the disk or the network. */
const CONCURRENT_WRITES = 8;
/** Characters of segments that wait to be written, in memory. */
const MAX_WAITING = 32 * 2 ** 20;

/** Takes the bodies of new segments by hash: a map, or a writer. */
export interface SegmentSink {
  set(hash: string, body: string): unknown;
}

/** Writes segments while others are still being made, so that their bodies are not all in memory at once. */
export class SegmentWriter implements SegmentSink {
  readonly #write: (hash: string, body: string) => Promise<void>;
  readonly #slots = pLimit(CONCURRENT_WRITES);
  readonly #running = new Set<Promise<void>>();
  #waiting = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(write: (hash: string, body: string) => Promise<void>) {
    this.#write = write;
  }

  /** Starts to write a segment. Waits if there are too many in memory. Fails with `end`. */
  async set(hash: string, body: string): Promise<void> {
    if (this.#failure) return;
    this.#waiting += body.length;
    const writing = this.#slots(() => this.#write(hash, body))
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#running.delete(writing);
        this.#waiting -= body.length;
      });
    this.#running.add(writing);
    while (this.#waiting > MAX_WAITING) await Promise.race(this.#running);
  }

  /** Waits until none is being written any more, and throws if one could not be. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }
}
