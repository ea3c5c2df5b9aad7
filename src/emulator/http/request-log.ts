/** One request. Never contains the key itself. */
export interface LogEntry {
  /** By the emulator's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  /** 0: there was no response. */
  readonly status: number;
  readonly cdn: 'hit' | 'miss' | 'pass';
  /** Whether it counts against the rate limit. */
  readonly counted: boolean;
  readonly bytes: number;
  /** The index of its key in the seed. Absent without a key or with an unknown one. */
  readonly key?: number | undefined;
  /** How many more requests of this kind the rate limit allows. Absent without a key or without a limit. */
  readonly remaining?: number | undefined;
  /** Duration in milliseconds, by the real clock. */
  readonly duration: number;
}

/** Limits memory; the oldest entries are dropped first. */
const MAX_ENTRIES = 100_000;

export class RequestLog {
  entries: LogEntry[] = [];
  /** The number of requests since the start, which `clear` does not reset. */
  total = 0;

  add(entry: LogEntry): void {
    this.total++;
    this.entries.push(entry);
    if (this.entries.length > 1.1 * MAX_ENTRIES) this.entries = this.entries.slice(-MAX_ENTRIES);
  }

  clear(): void {
    this.entries = [];
  }
}
