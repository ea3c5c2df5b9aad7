/** One request that was answered, or cut. Never holds the key. */
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
