import type { Storage } from 'unstorage';

/** What the server that checks for changes writes, each time that it has. */
interface LeaseRecord {
  readonly owner: string;
  readonly count: number;
  /** By the owner's clock. */
  readonly at: number;
  /** Names the content that is stored. */
  readonly content: string;
}

export type LeaseState =
  /** This server is to check for changes. */
  | { readonly isOwner: true }
  /** Another server does. `isRenewed`: it has done so since the last call. */
  | { readonly isOwner: false; readonly isRenewed: boolean; readonly content: string };

export interface LeaseOptions {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly key: string;
  /** Unique among all servers. */
  readonly owner: string;
  /** Milliseconds between two checks. */
  readonly interval: number;
  readonly now: () => number;
}

/** An owner that has not renewed its lease for this many intervals is gone. */
const LOST_INTERVALS = 2.5;

/**
 * Lets one of the servers that share a storage check for changes, so that the others need no requests. It is a matter of
 * cost only: if two of them hold it for a moment, both check, and both store the same.
 */
export class Lease {
  readonly #options: LeaseOptions;
  #seen: { readonly record: string; readonly at: number } | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /**
   * Takes the lease if it is free, or its owner is gone. `content` names what this server has. Throws if the storage is
   * not reachable.
   */
  async acquire(content: string): Promise<LeaseState> {
    const { owner } = this.#options;
    const record = await this.#read();
    if (record && record.owner !== owner) {
      const isRenewed = this.#seen?.record !== JSON.stringify(record);
      if (!this.#isLost(record)) return { isOwner: false, isRenewed, content: record.content };
    }
    await this.#write(content, record?.count ?? 0);
    return { isOwner: true };
  }

  /** Tells the other servers that what is stored is up to date. */
  async renew(content: string): Promise<void> {
    const record = await this.#read();
    if (record && record.owner !== this.#options.owner) return;
    await this.#write(content, record?.count ?? 0);
  }

  /** Clocks of servers may differ, so what counts is how long a record did not change; and its own time if far off. */
  #isLost(record: LeaseRecord): boolean {
    const { now, interval } = this.#options;
    const text = JSON.stringify(record);
    if (this.#seen?.record !== text) this.#seen = { record: text, at: now() };
    const limit = LOST_INTERVALS * interval;
    return now() - this.#seen.at > limit || now() - record.at > limit + MAX_CLOCK_DIFFERENCE;
  }

  async #read(): Promise<LeaseRecord | undefined> {
    const { storage, key } = this.#options;
    const record: unknown = await storage.getItem(key);
    return isRecord(record) ? record : undefined;
  }

  async #write(content: string, count: number): Promise<void> {
    const { storage, key, owner, now } = this.#options;
    await storage.setItem(key, { owner, count: count + 1, at: now(), content });
  }
}

const MAX_CLOCK_DIFFERENCE = 5000;

function isRecord(value: unknown): value is LeaseRecord {
  const { owner, count, at, content } = (value ?? {}) as Partial<LeaseRecord>;
  return [owner, content].every((one) => typeof one === 'string') && [count, at].every(Number.isFinite);
}
