import type { Storage } from 'unstorage';
import type { Signer } from '../../../replica/content/web-crypto.ts';

/** What the server that checks for changes writes, before and after each check. */
interface LeaseRecord {
  readonly owner: string;
  /** Higher than in every record that its writer has seen. */
  readonly count: number;
  /** By the owner's clock. */
  readonly at: number;
  /** When the last check began that succeeded, by the clock of the server that made it. */
  readonly checkedAt: number | null;
  /** Names the content that was stored then. */
  readonly content: string;
}

export type LeaseState =
  /** This server is to check for changes. */
  | { readonly isOwner: true }
  | {
      /** Another server does. */
      readonly isOwner: false;
      /** When the content was last known to be that of the service; `undefined` before the first check has ended. */
      readonly confirmedAt: number | undefined;
      /** Names that content. */
      readonly content: string;
    };

export interface LeaseOptions {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly key: string;
  /** Of those who know the API key: others may be able to write to the storage. */
  readonly signer: Signer;
  /** Unique among all servers. */
  readonly owner: string;
  /** Milliseconds between two checks. */
  readonly interval: () => number;
  readonly now: () => number;
  readonly wait?: ((milliseconds: number) => Promise<void>) | undefined;
}

/** An owner that has not written for this many intervals is gone. */
const LOST_INTERVALS = 2.5;
/** The interval until a check has succeeded, if that of the checks is longer: others may have nothing to serve. */
const FIRST_CHECK_INTERVAL = 5000;
const MAX_CLOCK_DIFFERENCE = 5000;
/** Of several servers that take the lease at once, the last one to write has it: by then all of them have written. */
const SETTLING_TIME = 50;

/**
 * Lets one of the servers that share a storage check for changes, so that the others need no requests. It is a matter of
 * cost only: if two of them hold it for a moment, both check, and the result of one is stored. A record counts if it is
 * signed, of about this time, and not older than one that was seen before: an old one may be written again.
 */
export class Lease {
  readonly #options: LeaseOptions;
  /** The highest count so far, and since when it is known. */
  #newest = { count: 0, at: 0 };
  #confirmed: { readonly checkedAt: number; readonly at: number } | undefined;
  /** When the record was last read. */
  #readAt = 0;
  /** Changes are made one after the other: each writes what it has read before. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /**
   * Takes the lease if it is free, or its owner is gone. `content` names what this server has. Throws if the storage is
   * not reachable.
   */
  async acquire(content: string): Promise<LeaseState> {
    const { owner, wait = waitFor } = this.#options;
    const { record, lastReadAt } = await this.#readAgain();
    if (record && record.owner !== owner && !this.#isLost(record)) return this.#stateOf(record, lastReadAt);
    const isOwn = record?.owner === owner;
    // What another owner has confirmed is not confirmed once more.
    await this.#write(isOwn ? record : { content, checkedAt: null });
    if (isOwn) return { isOwner: true };
    await wait(SETTLING_TIME);
    const settled = await this.#readAgain();
    return settled.record && settled.record.owner !== owner
      ? this.#stateOf(settled.record, settled.lastReadAt)
      : { isOwner: true };
  }

  /** Milliseconds between two calls of `keep`. */
  get keepInterval(): number {
    return Math.min(this.#options.interval(), FIRST_CHECK_INTERVAL);
  }

  /** Keeps the lease while a check takes long. */
  keep(): Promise<void> {
    return this.#change(async (record) => {
      if (record?.owner === this.#options.owner) await this.#write(record);
    });
  }

  /** Reports to the other servers that what is stored is up to date since a time. */
  renew(content: string, checkedAt: number): Promise<void> {
    return this.#change(async (record) => {
      if (record && record.owner !== this.#options.owner) return;
      await this.#write({ content, checkedAt });
    });
  }

  /** The same, for a server that found what the owner has not. */
  takeOver(content: string, checkedAt: number): Promise<void> {
    return this.#change(() => this.#write({ content, checkedAt }));
  }

  /** Lets another server check at once. */
  release(): Promise<void> {
    const { storage, key, owner } = this.#options;
    return this.#change(async (record) => {
      if (record?.owner === owner) await storage.removeItem(key);
    });
  }

  #change(change: (record: LeaseRecord | undefined) => Promise<void>): Promise<void> {
    const changed = this.#lastChange.then(async () => change(await this.#read()));
    this.#lastChange = changed.catch(() => {});
    return changed;
  }

  /**
   * Clocks of servers may differ. So a check is known to have ended after this server last read the record without it,
   * and to have begun as long before that as it took. The first record can only be taken by its own time.
   */
  #stateOf({ at, checkedAt, content }: LeaseRecord, lastReadAt: number): LeaseState {
    if (checkedAt === null) return { isOwner: false, confirmedAt: undefined, content };
    const known = this.#confirmed;
    if (known?.checkedAt === checkedAt) return { isOwner: false, confirmedAt: known.at, content };
    const confirmedAt = known
      ? Math.max(known.at, lastReadAt - Math.max(0, at - checkedAt))
      : Math.min(checkedAt, this.#options.now());
    this.#confirmed = { checkedAt, at: confirmedAt };
    return { isOwner: false, confirmedAt, content };
  }

  /** What counts is for how long there was no newer record; and its own time if that is far off. */
  #isLost(record: LeaseRecord): boolean {
    const { now, interval } = this.#options;
    const unchanged = LOST_INTERVALS * (record.checkedAt === null ? this.keepInterval : interval());
    // Not by the shorter time: the clock of an owner could be that far off.
    const farOff = LOST_INTERVALS * interval() + MAX_CLOCK_DIFFERENCE;
    return now() - this.#newest.at > unchanged || Math.abs(now() - record.at) > farOff;
  }

  async #readAgain(): Promise<{ record: LeaseRecord | undefined; lastReadAt: number }> {
    const [readAt, lastReadAt] = [this.#options.now(), this.#readAt];
    const record = await this.#read();
    this.#readAt = readAt;
    return { record, lastReadAt };
  }

  /** `undefined` if there is none, it is forged, or it is older than one that was read before. */
  async #read(): Promise<LeaseRecord | undefined> {
    const { storage, key, signer, now } = this.#options;
    const { signature, ...record } = ((await storage.getItem(key)) ?? {}) as Record<string, unknown>;
    if (!isRecord(record) || typeof signature !== 'string') return undefined;
    if (record.count < this.#newest.count) return undefined;
    if (!(await signer.verify(this.#signedText(record), signature))) return undefined;
    if (record.count > this.#newest.count) this.#newest = { count: record.count, at: now() };
    return record;
  }

  async #write({ content, checkedAt }: Pick<LeaseRecord, 'content' | 'checkedAt'>): Promise<void> {
    const { storage, key, signer, owner, now } = this.#options;
    const at = now();
    this.#newest = { count: this.#newest.count + 1, at };
    const record: LeaseRecord = { owner, count: this.#newest.count, at, checkedAt, content };
    const signature = await signer.sign(this.#signedText(record));
    await storage.setItem(key, { ...record, signature } as never);
  }

  /** The key is of the content that servers need: a record of other content does not pass for one of this. */
  #signedText({ owner, count, at, checkedAt, content }: LeaseRecord): string {
    return JSON.stringify([this.#options.key, owner, count, at, checkedAt, content]);
  }
}

function isRecord(value: unknown): value is LeaseRecord {
  const { owner, count, at, checkedAt, content } = (value ?? {}) as Partial<LeaseRecord>;
  return (
    [owner, content].every((one) => typeof one === 'string') &&
    [count, at].every(Number.isFinite) &&
    (checkedAt === null || Number.isFinite(checkedAt))
  );
}

function waitFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
