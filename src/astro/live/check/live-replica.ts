import { ageText } from '../../../replica/age.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { pluralize } from '../../../shared/format-count.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { SpaceCore } from '../../../space/space.ts';
import { type LiveChange, type LiveSource, liveSources, type RefreshOptions } from '../live-sources.ts';
import { BackgroundChecks } from './background-checks.ts';
import { ContentUpdates, nothingStored } from './content-updates.ts';
import { Freshness } from './freshness.ts';
import { InvalidatedContent } from './invalidated-content.ts';
import type { LiveHost } from './live-host.ts';
import { LiveNeeds } from './live-needs.ts';
import { NO_CHANGE, ServedVersion } from './served-version.ts';
import { SharedChecks } from './shared-checks.ts';
import { contentName, StoredContent } from './stored-content.ts';
import type { VersionState } from './version-state.ts';

export interface LiveReplicaOptions {
  readonly space: Pick<SpaceCore, 'models' | 'settings'>;
  readonly openHost: () => Promise<LiveHost>;
  /** Milliseconds after which content that could not be checked is an error. */
  readonly maxAge: number;
  /** See {@link ContentUpdatesOptions}. */
  readonly verifyAfter: number;
  /** How the process knows this source. */
  readonly source: LiveSource;
  /** Named in log lines: `Content`, `Drafts`. */
  readonly label: string;
  readonly logger: Logger;
  readonly findChange: (before: VersionState, after: VersionState) => Promise<LiveChange>;
  /** The tags of all pages in a cache outside of this process. */
  readonly everyTag: () => readonly string[];
}

/** What is known once the host is: there is nothing to check before. */
interface OpenedReplica {
  readonly host: LiveHost;
  readonly updates: ContentUpdates;
  /** Absent if this server checks alone. */
  readonly shared: SharedChecks | undefined;
  readonly stored: StoredContent;
}

/**
 * The content of a space in memory, for pages that are rendered on request. A check for changes runs in the background;
 * what it finds replaces the version that is served in one step.
 */
export class LiveReplica implements LiveSource {
  readonly #options: LiveReplicaOptions;
  readonly #needs = new LiveNeeds();
  readonly #freshness: Freshness;
  readonly #served: ServedVersion;
  readonly #checks: BackgroundChecks;
  #opened: OpenedReplica | undefined;
  #opening: Promise<OpenedReplica> | undefined;
  #starting: Promise<void> | undefined;
  /** Why the last start has failed. */
  #startProblem: string | undefined;
  /** With a cache outside of this process. */
  #invalidated: InvalidatedContent | undefined;
  /** All pages that showed something older were invalidated. */
  #invalidatedVersion = 0;

  constructor(options: LiveReplicaOptions) {
    this.#options = options;
    this.#freshness = new Freshness(options.label, options.maxAge, options.logger);
    this.#served = new ServedVersion((before, after) =>
      before ? options.findChange(before, after) : this.#findMissed(after),
    );
    this.#checks = new BackgroundChecks({
      host: () => this.host(),
      needs: this.#needs,
      isPreviewed: () => liveSources().openPreviews > 0,
      freshness: this.#freshness,
      check: async (how) => {
        const { shared, updates } = await this.#open();
        const change = await (shared ? shared.check(how) : updates.sync(how));
        this.#confirmIfInvalidated();
        return change;
      },
      sharedDelay: () => this.#opened?.shared?.delay,
    });
  }

  get version(): number {
    return this.#served.state?.number ?? 0;
  }

  /** Makes sure that content is checked this often, in these languages. */
  require(interval: number, langs: readonly string[], options: { readonly isPreview: boolean }): void {
    this.#needs.add(interval, langs, options);
  }

  async host(): Promise<LiveHost> {
    return (await this.#open()).host;
  }

  /** The version to serve a request from, with these languages: always the same one for a request. */
  async current(langs: readonly string[] = this.#needs.langs): Promise<VersionState> {
    const request = liveSources().currentRequest();
    const pinned = () => request?.get(this.#options.source) as PinnedVersion | undefined;
    if (!pinned()?.state.hasLangs(langs)) await this.#prepare(langs);
    // Looked up again: a request that loads several things at once may have got its version meanwhile.
    const known = pinned();
    if (known?.state.hasLangs(langs)) return known.state;
    const state = this.#served.state as VersionState;
    // A page that has shown an older version, without these languages, stays as old as that.
    const pin: PinnedVersion = { version: known?.version ?? state.number, state };
    request?.set(this.#options.source, pin);
    return state;
  }

  /** Makes sure that a version with these languages is served, which is not too old. */
  async #prepare(langs: readonly string[]): Promise<void> {
    if (!this.#served.has(langs)) await this.#startOnce();
    // That start may have begun before these languages were needed; the next one has them.
    if (!this.#served.has(langs)) await this.#startOnce();
    if (!this.#served.has(langs)) throw nothingStored();
    const host = await this.host();
    await this.#checks.checkIfDue(host);
    await this.#checks.waitIfLate(host);
    await this.#checks.failIfTooOld(host);
  }

  /** When the content was last confirmed, if that was too long ago for a check to be merely due. */
  async staleSince(): Promise<number | undefined> {
    const { now } = await this.host();
    const { isFailing, confirmedAt } = this.#freshness;
    return isFailing && now() - confirmedAt > this.#needs.interval ? confirmedAt : undefined;
  }

  tagsSince(version: number): readonly string[] {
    return this.#served.tagsSince(version);
  }

  async refresh(options?: RefreshOptions): Promise<LiveChange> {
    // An earlier process may have filled a cache outside of it: what it served is compared with what is found.
    if (this.version === 0) await this.#serveStored();
    return this.#checks.checkNow(options);
  }

  onChange(listener: (change: LiveChange) => void): () => void {
    return this.#served.onChange(listener);
  }

  confirmInvalidated(version: number): void {
    this.#invalidatedVersion = Math.max(this.#invalidatedVersion, version);
    this.#confirmIfInvalidated();
  }

  resume(): void {
    if (this.version > 0) this.#checks.resume();
  }

  /** Resolves when no check is running. */
  settled(): Promise<void> {
    return this.#checks.settled();
  }

  /** Background work goes on after `close()`. */
  reopen(): void {
    this.#checks.reopen();
  }

  /** Ends background work. */
  close(): void {
    this.#checks.close();
  }

  #open(): Promise<OpenedReplica> {
    this.#opening ??= this.#openOnce().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #openOnce(): Promise<OpenedReplica> {
    const { openHost, space, verifyAfter } = this.#options;
    const host = await openHost();
    const stored = new StoredContent(space, host);
    const state = { served: this.#served, freshness: this.#freshness, needs: this.#needs };
    const parts = { host, stored, ...state, verifyAfter };
    const updates = new ContentUpdates(parts);
    const shared = host.isShared && host.sync ? new SharedChecks(parts, updates) : undefined;
    this.#opened = { host, updates, shared, stored };
    return this.#opened;
  }

  /** What changed since pages in a cache outside of this process were last invalidated: anything, if that is unknown. */
  async #findMissed({ content }: VersionState): Promise<LiveChange> {
    if (!liveSources().hasOutsideCache) return NO_CHANGE;
    const { host, stored } = await this.#open();
    const id = await stored.idOf(content.sub.keys());
    this.#invalidated = new InvalidatedContent(host.storage, id);
    const isMissed = await this.#invalidated.mayHaveOlderPages(contentName(content));
    return isMissed ? { ...NO_CHANGE, tags: this.#options.everyTag() } : NO_CHANGE;
  }

  /** Remembers what is served, if no page shows anything older. */
  #confirmIfInvalidated(): void {
    if (!this.#invalidated || this.version === 0) return;
    if (this.tagsSince(this.#invalidatedVersion).length > 0) return;
    this.#invalidated.confirm(this.#served.name);
  }

  #startOnce(): Promise<void> {
    this.#starting ??= this.#startAndReport().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Logs why content cannot be loaded, once: each request tries again, and pages need not show their errors. */
  async #startAndReport(): Promise<void> {
    try {
      await this.#start();
      this.#startProblem = undefined;
    } catch (error) {
      const problem = errorMessage(error);
      const { label, logger } = this.#options;
      if (problem !== this.#startProblem) logger.warn(`${label}: cannot be loaded: ${problem}`);
      this.#startProblem = problem;
      throw error;
    }
  }

  /** Serves the first version with all languages that are needed by now: what is stored, or what the service has. */
  async #start(): Promise<void> {
    const { host } = await this.#open();
    const { langs } = this.#needs;
    await this.#serveStored();
    if (this.#served.has(langs)) return;
    await this.#checks.check({ isForced: false });
    if (!this.#served.has(langs)) throw nothingStored();
    this.#log('from the service');
    this.#checks.schedule(host);
  }

  /** Serves what is stored, unless a version with all languages that are needed is served. */
  async #serveStored(): Promise<void> {
    const { host, updates } = await this.#open();
    await this.#checks.alone(async () => {
      if (updates.isReady) return;
      await updates.startFromStorage();
      const age = ageText(host.now() - this.#freshness.confirmedAt);
      if (updates.isReady) this.#log(`from the cache, ${age}`);
      this.#confirmIfInvalidated();
    });
  }

  #log(origin: string): void {
    const { label, logger } = this.#options;
    const items = pluralize(this.#served.content?.main.size ?? 0, 'item');
    logger.info(`${label}: ${items} ${origin}`);
  }
}

/** The version of a request. */
interface PinnedVersion {
  /** The oldest that it has shown. The middleware reads it. */
  readonly version: number;
  readonly state: VersionState;
}
