import { LuidError } from '../../../errors.ts';
import { pluralize } from '../../../format-count.ts';
import { ageText } from '../../../replica/age.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { LiveChange, LiveSource } from '../live-sources.ts';
import { liveSources } from '../live-sources.ts';
import type { ContentVersion } from './content-version.ts';
import { Freshness } from './freshness.ts';
import { Lease, type LeaseState } from './lease.ts';
import type { LiveHost } from './live-host.ts';
import { confirmedAtOf, contentName, StoredVersions, storedHashes } from './stored-versions.ts';
import { VersionState } from './version-state.ts';

export interface LiveReplicaOptions {
  readonly space: Pick<SpaceCore, 'models' | 'settings'>;
  readonly openHost: () => Promise<LiveHost>;
  /** Milliseconds after which content that could not be checked is an error. */
  readonly maxAge: number;
  /** How the process knows this source. */
  readonly source: LiveSource;
  /** Named in log lines: `Content`, `Drafts`. */
  readonly label: string;
  /** What differs between two versions, after preparing the next one. */
  readonly findChange: (before: VersionState, after: VersionState) => Promise<LiveChange>;
}

const NO_CHANGE: LiveChange = { tags: [], added: 0, changed: 0, removed: 0 };
/** Versions whose changes are kept, for requests that began before them. */
const MAX_HISTORY = 1000;
/** With a shared storage, the others see a change this many times within the interval. */
const POLLS_PER_INTERVAL = 10;
const MIN_DELAY = 100;
/** A server that has seen no successful check of another one for this many intervals checks itself. */
const LATE_INTERVALS = 5;
/** A request for content that is too old waits this long for a check. */
const LONGEST_WAIT = 10_000;

/**
 * The content of a space in memory, for pages that are rendered on request. A check for changes runs in the background;
 * what it finds replaces the version that is served in one step.
 */
export class LiveReplica implements LiveSource {
  readonly #options: LiveReplicaOptions;
  readonly #langs = new Set<string>();
  readonly #listeners = new Set<(change: LiveChange) => void>();
  readonly #history: { readonly version: number; readonly tags: Set<string> }[] = [];
  readonly #owner = globalThis.crypto.randomUUID();
  readonly #freshness: Freshness;
  #interval = Number.POSITIVE_INFINITY;
  #opening: Promise<{ readonly host: LiveHost; readonly stored: StoredVersions }> | undefined;
  #lease: { readonly key: string; readonly lease: Lease } | undefined;
  #state: VersionState | undefined;
  /** Tags of pages that were rendered while the next version is prepared. */
  #lateTags: Set<string> | undefined;
  /** Ends when nothing replaces the version any more: one task at a time does. */
  #lastTask: Promise<unknown> = Promise.resolve();
  #starting: Promise<void> | undefined;
  #checking: Promise<LiveChange> | undefined;
  /** When the running check was started, for those who wait for it. */
  #checkStart = 0;
  #tickedAt = Number.NEGATIVE_INFINITY;
  #delay = MIN_DELAY;
  /** Since when another server is expected to check. */
  #followsSince: number | undefined;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: LiveReplicaOptions) {
    this.#options = options;
    this.#freshness = new Freshness(options.label, options.maxAge);
  }

  get version(): number {
    return this.#state?.version.number ?? 0;
  }

  /** Milliseconds between two checks: the shortest that a collection asks for. */
  get interval(): number {
    return this.#interval;
  }

  /** Makes sure that content is checked this often, in these languages. */
  require(interval: number, langs: readonly string[]): void {
    this.#interval = Math.min(this.#interval, interval);
    for (const lang of langs) this.#langs.add(lang);
  }

  async host(): Promise<LiveHost> {
    return (await this.#open()).host;
  }

  /** The version to serve a request from, with these languages: always the same one for a request. */
  async current(langs: readonly string[] = [...this.#langs]): Promise<VersionState> {
    const pinned = liveSources().currentRequest();
    const known = pinned?.get(this.#options.source) as PinnedVersion | undefined;
    if (known && hasLangs(known.state, langs)) return known.state;
    if (!this.#hasLangs(langs)) await this.#startOnce();
    const host = await this.host();
    await this.#checkIfDue(host);
    await this.#failIfTooOld(host);
    const state = this.#state as VersionState;
    const pin: PinnedVersion = { version: state.version.number, state };
    pinned?.set(this.#options.source, pin);
    return state;
  }

  /** When the content was last confirmed, if that was too long ago for a check to be merely due. */
  async staleSince(): Promise<number | undefined> {
    const { now } = await this.host();
    const { isFailing, confirmedAt } = this.#freshness;
    return isFailing && now() - confirmedAt > this.#interval ? confirmedAt : undefined;
  }

  tagsSince(version: number): readonly string[] {
    return this.#history.filter((one) => one.version > version).flatMap(({ tags }) => [...tags]);
  }

  /**
   * A response shows a version that is being replaced, or was, with tags that the search for changes did not cover: it
   * is not to be cached.
   */
  reportLate(tags: readonly string[]): void {
    const late = this.#lateTags ?? this.#history.at(-1)?.tags;
    for (const tag of tags) late?.add(tag);
  }

  /** Checks now. A running check may have begun before the change that the caller knows of, so another one follows. */
  async refresh(): Promise<LiveChange> {
    while (this.#checking) await this.#checking.catch(() => {});
    return this.#check({ isForced: true });
  }

  onChange(listener: (change: LiveChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends background work. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }

  #open(): Promise<{ readonly host: LiveHost; readonly stored: StoredVersions }> {
    this.#opening ??= this.#options
      .openHost()
      .then((host) => ({ host, stored: new StoredVersions(this.#options.space, host) }))
      .catch((error: unknown) => {
        this.#opening = undefined;
        throw error;
      });
    return this.#opening;
  }

  #hasLangs(langs: Iterable<string>): boolean {
    return this.#state !== undefined && hasLangs(this.#state, langs);
  }

  #isReady(): boolean {
    return this.#hasLangs(this.#langs);
  }

  #startOnce(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Serves the first version with all languages: what is stored, or what the service has. */
  async #start(): Promise<void> {
    const host = await this.host();
    await this.#alone(() => this.#startFromStorage(host));
    if (this.#isReady()) return;
    await this.#check({ isForced: false });
    if (!this.#isReady()) throw nothingStored();
    host.logger.info(`${this.#options.label}: ${this.#describe()} from the service`);
    this.#schedule(host);
  }

  async #startFromStorage(host: LiveHost): Promise<void> {
    if (this.#isReady()) return;
    const stored = await this.#read().catch(() => undefined);
    if (!stored) return;
    this.#freshness.confirm(confirmedAtOf(stored));
    await this.#serve(host, stored);
    const age = ageText(host.now() - this.#freshness.confirmedAt);
    host.logger.info(`${this.#options.label}: ${this.#describe()} from the cache, ${age}`);
  }

  #describe(): string {
    return pluralize(this.#state?.version.main.size ?? 0, 'item');
  }

  /** Starts a check if the last one is too long ago. Only servers without a timer wait for it. */
  async #checkIfDue({ now, schedule }: LiveHost): Promise<void> {
    if (this.#checking || now() - this.#tickedAt < this.#interval) return;
    const check = this.#tick();
    if (!schedule) await check;
  }

  /** A check in the background. Never throws. */
  async #tick(): Promise<void> {
    const checking = this.#check({ isForced: false });
    const host = await this.host();
    try {
      await checking;
      this.#freshness.succeed(host);
    } catch (error) {
      this.#freshness.fail(host, error);
    }
    this.#schedule(host);
  }

  #schedule({ schedule }: LiveHost): void {
    this.#cancelTimer?.();
    if (this.#isClosed || !schedule) return;
    this.#cancelTimer = schedule(() => void this.#tick(), this.#delay);
  }

  #check(options: { readonly isForced: boolean }): Promise<LiveChange> {
    if (this.#checking) return this.#checking;
    this.#checkStart = performance.now();
    this.#checking = this.#alone(() => this.#update(options)).finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Runs after all other tasks that replace the version. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    const running = this.#lastTask.then(task);
    this.#lastTask = running.catch(() => {});
    return running;
  }

  /** Syncs, or takes over what another server has synced. */
  async #update({ isForced }: { readonly isForced: boolean }): Promise<LiveChange> {
    const host = await this.host();
    this.#tickedAt = host.now();
    this.#delay = Math.max(MIN_DELAY, this.#interval);
    const lease = await this.#openLease(host);
    if (!lease) return this.#sync(host);
    // Others need some of the interval to take over what this server finds.
    this.#delay *= 1 - 1 / POLLS_PER_INTERVAL;
    const state = await this.#acquire(host, lease, isForced).catch(() => undefined);
    if (state?.isOwner) return this.#syncAsOwner(host, lease);
    const followed = state && !isForced ? await this.#follow(host, state) : undefined;
    if (followed) {
      this.#delay = Math.max(MIN_DELAY, this.#interval / POLLS_PER_INTERVAL);
      return followed;
    }
    const [start, isLate] = [host.now(), this.#isLate(host)];
    const change = await this.#sync(host);
    if (state && isLate) await lease.takeOver(this.#content(), start).catch(() => {});
    return change;
  }

  /** While nothing can be served, waits for the check of another server. */
  async #acquire(host: LiveHost, lease: Lease, isForced: boolean): Promise<LeaseState> {
    const start = host.now();
    for (;;) {
      const state = await lease.acquire(this.#content());
      if (isForced || state.isOwner || this.#isEnough(host, state)) return state;
      if (host.now() - start > LATE_INTERVALS * this.#interval) return state;
      await new Promise((resolve) => {
        setTimeout(resolve, MIN_DELAY);
      });
    }
  }

  /** Whether what other servers have checked can be served. */
  #isEnough({ now }: LiveHost, { confirmedAt }: LeaseState & { readonly isOwner: false }): boolean {
    if (!this.#isReady()) return confirmedAt !== undefined;
    return (
      this.#freshness.isFailing ||
      !this.#freshness.isTooOld(
        now(),
        this.#interval,
        Math.max(confirmedAt ?? 0, this.#freshness.confirmedAt),
      )
    );
  }

  async #syncAsOwner(host: LiveHost, lease: Lease): Promise<LiveChange> {
    this.#followsSince = undefined;
    const start = host.now();
    const stop = this.#keepLease(host, lease);
    try {
      const change = await this.#sync(host);
      await lease.renew(this.#content(), start).catch(() => {});
      return change;
    } catch (error) {
      // Others wait for the first sync.
      if (!this.#isReady()) await lease.release().catch(() => {});
      throw error;
    } finally {
      stop();
    }
  }

  /** Keeps the lease until the returned function is called. */
  #keepLease({ schedule }: LiveHost, lease: Lease): () => void {
    let cancel = () => {};
    const keep = () => {
      lease.keep().catch(() => {});
      wait();
    };
    const wait = () => {
      if (schedule) cancel = schedule(keep, this.#interval);
    };
    wait();
    return () => cancel();
  }

  /** Serves what another server has stored. `undefined` if this server has to sync itself. */
  async #follow(
    host: LiveHost,
    { content, confirmedAt = 0 }: LeaseState & { readonly isOwner: false },
  ): Promise<LiveChange | undefined> {
    this.#followsSince ??= host.now();
    let change = NO_CHANGE;
    // What is stored may be older than what this server read itself while it could not reach the storage.
    const isNewer = confirmedAt >= this.#freshness.confirmedAt && content !== this.#content();
    if (isNewer || !this.#isReady()) {
      const next = await this.#read().catch(() => undefined);
      if (!next) return undefined;
      if (contentName(next) === content || !this.#isReady()) change = await this.#serve(host, next);
    }
    if (content === this.#content()) this.#freshness.confirm(confirmedAt);
    return this.#isLate(host) ? undefined : change;
  }

  /** Whether other servers have not succeeded for long. */
  #isLate({ now }: LiveHost): boolean {
    const since = Math.max(this.#freshness.confirmedAt, this.#followsSince ?? now());
    return now() - since > LATE_INTERVALS * this.#interval;
  }

  /** Brings the storage up to date, and serves what is stored then. */
  async #sync(host: LiveHost): Promise<LiveChange> {
    const start = host.now();
    const langs = [...this.#langs];
    await host.sync?.(langs);
    let next = await this.#read();
    if (!next && host.sync) {
      await host.sync(langs, { isRepair: true });
      next = await this.#read();
    }
    if (!next) throw nothingStored();
    const isNew = next !== this.#state?.version;
    const change = await this.#serve(host, next);
    // Without a sync, what is stored says nothing about the service, unless it is new.
    if (host.sync || isNew) this.#freshness.confirm(start);
    return change;
  }

  /** What only some servers need has a lease of its own: its owner would not sync it otherwise. */
  async #openLease({ storage, now, sync, isShared }: LiveHost): Promise<Lease | undefined> {
    if (!isShared || !sync) return undefined;
    const { stored } = await this.#open();
    const key = `live:${await stored.idOf(this.#langs)}`;
    if (this.#lease?.key !== key) {
      const interval = () => this.#interval;
      this.#lease = { key, lease: new Lease({ storage, key, owner: this.#owner, interval, now }) };
      this.#followsSince = undefined;
    }
    return this.#lease.lease;
  }

  /** Names the content that is served, equally on all servers. */
  #content(): string {
    return this.#state ? contentName(this.#state.version) : '';
  }

  async #read(): Promise<ContentVersion | undefined> {
    const { host, stored } = await this.#open();
    const current = this.#state?.version;
    const next = await stored.read([...this.#langs], current);
    // What was read and cannot be served may be damaged.
    if (!next) host.keepSegments?.(current ? storedHashes(current) : new Set());
    return next;
  }

  /** Serves a version from now on, and reports what is different. */
  async #serve(host: LiveHost, next: ContentVersion): Promise<LiveChange> {
    const before = this.#state;
    if (next === before?.version) return NO_CHANGE;
    const state = new VersionState(next);
    const change = before ? await this.#replace(before, state) : NO_CHANGE;
    this.#state = state;
    host.keepSegments?.(storedHashes(next));
    if (change.tags.length > 0) for (const listener of this.#listeners) listener(change);
    return change;
  }

  async #replace(before: VersionState, after: VersionState): Promise<LiveChange> {
    const late = new Set<string>();
    this.#lateTags = late;
    before.covered = new Set(before.used);
    try {
      const found = await this.#options.findChange(before, after);
      const change = { ...found, tags: [...new Set([...found.tags, ...late])] };
      this.#history.push({ version: after.version.number, tags: new Set(change.tags) });
      if (this.#history.length > MAX_HISTORY) this.#history.shift();
      // In the same step: a request sees the version before, with its tags reported, or this one.
      this.#state = after;
      return change;
    } catch (error) {
      before.covered = undefined;
      throw error;
    } finally {
      this.#lateTags = undefined;
    }
  }

  /** Waits for a check if the content is too old, for example because the process was suspended. */
  async #failIfTooOld({ now, sync }: LiveHost): Promise<void> {
    const isTooOld = () => this.#freshness.isTooOld(now(), this.#interval);
    // A server that does not sync itself cannot know.
    if (!isTooOld() || (!sync && !this.#freshness.isFailing)) return;
    const waited = performance.now() - this.#checkStart;
    if (this.#checking && !this.#freshness.isFailing && waited < LONGEST_WAIT) {
      await settledWithin(this.#checking, LONGEST_WAIT - waited);
    }
    if (isTooOld()) throw this.#freshness.tooOldError(now());
  }
}

/** The version of a request: the middleware reads its number. */
interface PinnedVersion {
  readonly version: number;
  readonly state: VersionState;
}

function hasLangs({ version }: VersionState, langs: Iterable<string>): boolean {
  return [...langs].every((lang) => version.sub.has(lang));
}

async function settledWithin(running: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([running.catch(() => {}), timeUp]);
  clearTimeout(timer);
}

function nothingStored(): LuidError {
  return new LuidError('There is no stored content to serve', {
    hint: 'Run `luid sync` or a build with the same `cache.storage` first, or let a Node server fill it.',
  });
}
