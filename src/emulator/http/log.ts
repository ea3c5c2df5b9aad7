/** One request. Never holds the key itself. */
export interface LogEntry {
  /** By the emulator's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  /** 0: no answer was given. */
  readonly status: number;
  readonly cdn: 'hit' | 'miss' | 'pass';
  /** It counts against the rate limit. */
  readonly counted: boolean;
  readonly bytes: number;
  /** Which of the keys it carried: 0 is the first key of the seed. Absent: none, or one that is not known. */
  readonly key?: number | undefined;
  /** What is left of the key's rate limit for requests of this kind. Absent: without a key, or with the limit off. */
  readonly remaining?: number | undefined;
  /** Milliseconds that it took, by the real clock. */
  readonly duration: number;
}

/** Bounds memory; the oldest go first. */
const MOST_ENTRIES = 100_000;

export class RequestLog {
  entries: LogEntry[] = [];

  add(entry: LogEntry): void {
    this.entries.push(entry);
    if (this.entries.length > 1.1 * MOST_ENTRIES) this.entries = this.entries.slice(-MOST_ENTRIES);
  }

  clear(): void {
    this.entries = [];
  }
}
