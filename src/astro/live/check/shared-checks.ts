import { openSigner } from '../../../replica/content/web-crypto.ts';
import { hasChanged, type LiveChange } from '../live-sources.ts';
import type { CheckOptions } from './background-checks.ts';
import type { ContentUpdates, ContentUpdatesOptions } from './content-updates.ts';
import { Lease, type LeaseState } from './lease.ts';
import { NO_CHANGE } from './served-version.ts';
import { contentName } from './stored-content.ts';

type OthersCheck = LeaseState & { readonly isOwner: false };

/** The others see a change this many times within the interval. */
const POLLS_PER_INTERVAL = 10;
/** A server that has seen no successful check of another one for this many intervals checks itself. */
const LATE_INTERVALS = 5;
/** While nothing can be served. */
const SHORTEST_POLL = 100;

/** The checks of servers that share a storage: one of them syncs, and the others take over what it has stored. */
export class SharedChecks {
  readonly #options: ContentUpdatesOptions;
  readonly #updates: ContentUpdates;
  readonly #owner = globalThis.crypto.randomUUID();
  #lease: { readonly key: string; readonly lease: Lease } | undefined;
  /** Since when another server is expected to check. */
  #followsSince: number | undefined;
  /** When this server last saw the service; before that, when it started. */
  #syncedAt: number;
  #isFollowing = false;

  constructor(options: ContentUpdatesOptions, updates: ContentUpdates) {
    this.#options = options;
    this.#updates = updates;
    this.#syncedAt = options.host.now();
  }

  /** Milliseconds until the next check. */
  get delay(): number {
    const poll = this.#options.needs.interval / POLLS_PER_INTERVAL;
    // Others need some of the interval to take over what this server finds.
    return this.#isFollowing ? poll : this.#options.needs.interval - poll;
  }

  /** Syncs, or takes over what another server has synced. */
  async check(how: CheckOptions): Promise<LiveChange> {
    const { isForced } = how;
    const { host, served } = this.#options;
    this.#isFollowing = false;
    const lease = await this.#openLease();
    const state = await this.#acquire(lease, isForced).catch(() => undefined);
    if (state?.isOwner) return this.#syncAsOwner(lease, how);
    // Whatever others confirm: one of them may see less of the service.
    const mayFollow = !isForced && host.now() - this.#syncedAt < this.#options.verifyAfter;
    const followed = state && mayFollow ? await this.#follow(state) : undefined;
    if (followed) {
      this.#isFollowing = true;
      return followed;
    }
    const [start, isLate] = [host.now(), this.#isLate()];
    const change = await this.#sync(how);
    // Of several servers, an event reaches one: the others are to take over what it announced.
    const isNews = how.isAfterEvent && hasChanged(change);
    if (state && (isLate || isNews)) await lease.takeOver(served.name, start).catch(() => {});
    return change;
  }

  async #sync(how: CheckOptions): Promise<LiveChange> {
    const start = this.#options.host.now();
    const change = await this.#updates.sync(how);
    this.#syncedAt = start;
    return change;
  }

  /** What only some servers need has a lease of its own: its owner would not sync it otherwise. */
  async #openLease(): Promise<Lease> {
    const { host, stored, needs } = this.#options;
    const key = `live:${await stored.idOf(needs.langs)}`;
    if (this.#lease?.key !== key) {
      const { storage, apiKey, now } = host;
      const signer = await openSigner(apiKey, 'astro-luid live lease');
      const interval = () => needs.interval;
      this.#lease = { key, lease: new Lease({ storage, key, signer, owner: this.#owner, interval, now }) };
      this.#followsSince = undefined;
    }
    return this.#lease.lease;
  }

  /** While nothing can be served, waits for the check of another server. */
  async #acquire(lease: Lease, isForced: boolean): Promise<LeaseState> {
    const { host, served, needs } = this.#options;
    const start = host.now();
    for (;;) {
      const state = await lease.acquire(served.name);
      if (isForced || state.isOwner || this.#isEnough(state)) return state;
      if (host.now() - start > LATE_INTERVALS * needs.interval) return state;
      await new Promise((resolve) => {
        setTimeout(resolve, SHORTEST_POLL);
      });
    }
  }

  /** Whether what other servers have checked can be served. */
  #isEnough({ confirmedAt }: OthersCheck): boolean {
    if (!this.#updates.isReady) return confirmedAt !== undefined;
    const { host, freshness, needs } = this.#options;
    const newest = Math.max(confirmedAt ?? 0, freshness.confirmedAt);
    return freshness.isFailing || !freshness.isTooOld(host.now(), needs.interval, newest);
  }

  async #syncAsOwner(lease: Lease, how: CheckOptions): Promise<LiveChange> {
    const { host, served } = this.#options;
    this.#followsSince = undefined;
    const start = host.now();
    const stop = this.#keep(lease);
    try {
      const change = await this.#sync(how);
      await lease.renew(served.name, start).catch(() => {});
      return change;
    } catch (error) {
      // Others wait for the first sync.
      if (!this.#updates.isReady) await lease.release().catch(() => {});
      throw error;
    } finally {
      stop();
    }
  }

  /** Keeps the lease until the returned function is called. */
  #keep(lease: Lease): () => void {
    const { host } = this.#options;
    let cancel = () => {};
    const keep = () => {
      lease.keep().catch(() => {});
      wait();
    };
    const wait = () => {
      if (host.schedule) cancel = host.schedule(keep, lease.keepInterval);
    };
    wait();
    return () => cancel();
  }

  /** Serves what another server has stored. `undefined` if this server has to sync itself. */
  async #follow({ content, confirmedAt = 0 }: OthersCheck): Promise<LiveChange | undefined> {
    const { host, served, freshness } = this.#options;
    this.#followsSince ??= host.now();
    let change = NO_CHANGE;
    // What is stored may be older than what this server read itself while it could not reach the storage.
    const isNewer = confirmedAt >= freshness.confirmedAt && content !== served.name;
    if (isNewer || !this.#updates.isReady) {
      const next = await this.#updates.read().catch(() => undefined);
      if (!next) return undefined;
      if (contentName(next) === content || !this.#updates.isReady) change = await this.#updates.serve(next);
    }
    if (content === served.name) freshness.confirm(confirmedAt);
    return this.#isLate() ? undefined : change;
  }

  /** Whether other servers have not succeeded for long. */
  #isLate(): boolean {
    const { host, freshness, needs } = this.#options;
    const since = Math.max(freshness.confirmedAt, this.#followsSince ?? host.now());
    return host.now() - since > LATE_INTERVALS * needs.interval;
  }
}
