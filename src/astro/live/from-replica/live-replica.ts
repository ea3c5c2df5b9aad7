import { LuidError } from '../../../errors.ts';
import { pluralize } from '../../../format-count.ts';
import { ageText } from '../../../replica/age.ts';
import { type MemoryReplica, readReplica } from '../../../replica/memory/memory-replica.ts';
import { openSnapshotReader, type SnapshotReader } from '../../../replica/memory/snapshot-reader.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { LiveChange, LiveSource } from '../live-sources.ts';
import { liveSources } from '../live-sources.ts';
import { type ContentVersion, replicasOf } from './content-version.ts';
import { Lease } from './lease.ts';
import type { LiveHost } from './live-host.ts';
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
  #interval = Number.POSITIVE_INFINITY;
  #opening: Promise<LiveHost> | undefined;
  readonly #readers = new Map<string | undefined, Promise<SnapshotReader>>();
  #lease: Promise<Lease | undefined> | undefined;
  #state: VersionState | undefined;
  #checking: Promise<LiveChange> | undefined;
  /** When the content was last known to be that of the service. */
  #confirmedAt = 0;
  #tickedAt = Number.NEGATIVE_INFINITY;
  #isFailing = false;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: LiveReplicaOptions) {
    this.#options = options;
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
    this.#opening ??= this.#options.openHost().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** The version to serve a request from: always the same one for a request. */
  async current(): Promise<VersionState> {
    const pinned = liveSources().currentRequest();
    const known = pinned?.get(this.#options.source) as PinnedVersion | undefined;
    if (known) return known.state;
    const state = this.#isReady() ? (this.#state as VersionState) : await this.#startOnce();
    await this.#checkIfDue();
    const served = this.#state ?? state;
    await this.#failIfTooOld();
    const pin: PinnedVersion = { version: served.version.number, state: served };
    pinned?.set(this.#options.source, pin);
    return served;
  }

  /** When the content was last confirmed, if that was too long ago for a check to be merely due. */
  async staleSince(): Promise<number | undefined> {
    const { now } = await this.host();
    return this.#isFailing && now() - this.#confirmedAt > this.#interval ? this.#confirmedAt : undefined;
  }

  tagsSince(version: number): readonly string[] {
    return this.#history.filter((one) => one.version > version).flatMap(({ tags }) => [...tags]);
  }

  /** A response shows a version that was replaced meanwhile, with these tags: it is not to be cached. */
  reportLate(tags: readonly string[]): void {
    const last = this.#history.at(-1);
    for (const tag of tags) last?.tags.add(tag);
  }

  isCurrent(state: VersionState): boolean {
    return state === this.#state;
  }

  /** Checks now. A running check may have begun before the change that the caller knows of, so another one follows. */
  async refresh(): Promise<LiveChange> {
    await this.#checking?.catch(() => {});
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

  #isReady(): boolean {
    return this.#state !== undefined && [...this.#langs].every((lang) => this.#state?.version.sub.has(lang));
  }

  #starting: Promise<VersionState> | undefined;

  #startOnce(): Promise<VersionState> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** The first version: from what is stored, or from the service. */
  async #start(): Promise<VersionState> {
    if (this.#checking) await this.#checking.catch(() => {});
    if (this.#isReady()) return this.#state as VersionState;
    const host = await this.host();
    const stored = await this.#read().catch(() => undefined);
    if (stored && !this.#isReady()) {
      this.#confirmedAt = Math.max(this.#confirmedAt, confirmedAtOf(stored));
      this.#replace(stored);
      const age = ageText(host.now() - this.#confirmedAt);
      host.logger.info(`${this.#options.label}: ${this.#describe()} from the cache, ${age}`);
    } else if (!this.#isReady()) {
      await this.#check({ isForced: false });
      host.logger.info(`${this.#options.label}: ${this.#describe()} from the service`);
      this.#schedule(host);
    }
    if (!this.#isReady()) throw nothingStored();
    return this.#state as VersionState;
  }

  #describe(): string {
    return pluralize(this.#state?.version.main.size ?? 0, 'item');
  }

  /** Starts a check if the last one is too long ago. Only servers without a timer wait for it. */
  async #checkIfDue(): Promise<void> {
    const { now, schedule } = await this.host();
    if (this.#checking || now() - this.#tickedAt < this.#interval) return;
    const check = this.#tick();
    if (!schedule) await check;
  }

  /** A check in the background. Never throws. */
  async #tick(): Promise<void> {
    const host = await this.host();
    try {
      await this.#check({ isForced: false });
      if (this.#isFailing) host.logger.info(`${this.#options.label}: checking for changes works again`);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) {
        const age = ageText(host.now() - this.#confirmedAt);
        host.logger.warn(
          `${this.#options.label}: cannot check for changes, serving content that is ${age}: ${messageOf(error)}`,
        );
      }
      this.#isFailing = true;
    }
    this.#schedule(host);
  }

  #schedule({ schedule }: LiveHost): void {
    this.#cancelTimer?.();
    if (this.#isClosed || !schedule) return;
    this.#cancelTimer = schedule(() => void this.#tick(), this.#delay);
  }

  #delay = MIN_DELAY;

  #check(options: { readonly isForced: boolean }): Promise<LiveChange> {
    this.#checking ??= this.#update(options).finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Syncs, or takes over what another server has synced. */
  async #update({ isForced }: { readonly isForced: boolean }): Promise<LiveChange> {
    const host = await this.host();
    this.#tickedAt = host.now();
    this.#delay = Math.max(MIN_DELAY, this.#interval);
    const lease = await this.#openLease(host);
    if (!lease) {
      await this.#sync(host);
      return this.#adopt(host);
    }
    // Others need some of the interval to take over what this server finds.
    this.#delay *= 1 - 1 / POLLS_PER_INTERVAL;
    const state = await lease.acquire(this.#content()).catch(() => undefined);
    if (!isForced && state?.isOwner === false) {
      this.#delay = Math.max(MIN_DELAY, this.#interval / POLLS_PER_INTERVAL);
      if (state.content === this.#content()) {
        if (state.isRenewed) this.#confirmedAt = host.now();
        return NO_CHANGE;
      }
      return this.#adopt(host, { isConfirmed: state.isRenewed });
    }
    await this.#sync(host);
    const change = await this.#adopt(host);
    if (state?.isOwner) await lease.renew(this.#content()).catch(() => {});
    return change;
  }

  async #sync(host: LiveHost): Promise<void> {
    await host.sync?.([...this.#langs]);
  }

  async #openLease(host: LiveHost): Promise<Lease | undefined> {
    const { storage, now, sync, isShared } = host;
    if (!isShared || !sync) return undefined;
    this.#lease ??= (async () => {
      const reader = await this.#reader(undefined);
      const interval = this.#interval;
      return new Lease({ storage, key: `live:${reader.id}`, owner: this.#owner, interval, now });
    })();
    return this.#lease;
  }

  /** Names the content that is served, equally on all servers. */
  #content(): string {
    const replicas = this.#state ? replicasOf(this.#state.version) : [];
    return replicas.map(({ manifest }) => manifest.generation).join(' ');
  }

  /** Serves what is stored now, if it is something else. */
  async #adopt(host: LiveHost, { isConfirmed = true } = {}): Promise<LiveChange> {
    const next = await this.#read();
    if (!next) throw nothingStored();
    if (isConfirmed && (host.sync || next !== this.#state?.version)) this.#confirmedAt = host.now();
    if (next === this.#state?.version) return NO_CHANGE;
    const change = await this.#prepareAndReplace(next);
    host.keepSegments?.(segmentHashes(next));
    if (change.tags.length > 0) for (const listener of this.#listeners) listener(change);
    return change;
  }

  async #prepareAndReplace(next: ContentVersion): Promise<LiveChange> {
    const before = this.#state;
    const state = new VersionState(next);
    const change = before ? await this.#options.findChange(before, state) : NO_CHANGE;
    this.#replace(next, state);
    this.#history.push({ version: next.number, tags: new Set(change.tags) });
    if (this.#history.length > MAX_HISTORY) this.#history.shift();
    return change;
  }

  #replace(version: ContentVersion, state = new VersionState(version)): void {
    this.#state = state;
  }

  /** The newest stored version; the one that is served if that is the same; `undefined` if not all of it is stored. */
  async #read(): Promise<ContentVersion | undefined> {
    const { models } = this.#options.space;
    const current = this.#state?.version;
    const readOne = async (lang: string | undefined): Promise<MemoryReplica | undefined> => {
      const reader = await this.#reader(lang);
      const before = lang === undefined ? current?.main : current?.sub.get(lang);
      // Another server may replace what is being read.
      for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
        const manifest = await reader.load();
        if (!manifest) return undefined;
        if (manifest.generation === before?.manifest.generation && isEqual(manifest, before.manifest))
          return before;
        const replica = await readReplica(models, reader, manifest, before);
        if (replica) return replica;
      }
      return undefined;
    };
    const langs = [...this.#langs];
    const [main, ...subs] = await Promise.all([undefined, ...langs].map(readOne));
    if (!main || subs.some((replica) => replica === undefined)) return undefined;
    const sub = new Map(langs.map((lang, index) => [lang, subs[index] as MemoryReplica]));
    const isSame = current?.main === main && langs.every((lang) => current.sub.get(lang) === sub.get(lang));
    return isSame ? current : { number: this.version + 1, main, sub };
  }

  async #reader(lang: string | undefined): Promise<SnapshotReader> {
    const known = this.#readers.get(lang);
    if (known) return known;
    const { models, settings } = this.#options.space;
    const { storage, baseUrl, apiKey } = await this.host();
    const opening = openSnapshotReader(storage, models, { baseUrl, apiKey, space: settings.space, lang });
    this.#readers.set(lang, opening);
    return opening;
  }

  async #failIfTooOld(): Promise<void> {
    const { now } = await this.host();
    const age = now() - this.#confirmedAt;
    if (!this.#isFailing || age <= this.#options.maxAge) return;
    throw new LuidError(`The content is ${ageText(age)}, and the service cannot be reached`, {
      hint: 'Content may be older with `onError: "stale"` or `onError: { stale: "7d" }` in defineSpace().',
    });
  }
}

const READ_ATTEMPTS = 3;

/** The version of a request: the middleware reads its number. */
interface PinnedVersion {
  readonly version: number;
  readonly state: VersionState;
}

function isEqual(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function segmentHashes(version: ContentVersion): Set<string> {
  return new Set(
    replicasOf(version).flatMap((replica) => [...replica.allSegments()].map(({ hash }) => hash)),
  );
}

/** When everything that is stored was known to be right: the time of the last full read, which is the least certain. */
function confirmedAtOf(version: ContentVersion): number {
  const times = replicasOf(version).flatMap(({ manifest }) =>
    Object.values(manifest.models).map(({ readAt }) => readAt),
  );
  return Math.min(...times);
}

function nothingStored(): LuidError {
  return new LuidError('There is no stored content to serve', {
    hint: 'Run `luid sync` or a build with the same `cache.storage` first, or let a Node server fill it.',
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
