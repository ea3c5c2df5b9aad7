import { LuidError } from '../../../errors.ts';
import type { LiveChange } from '../live-sources.ts';
import type { ContentVersion } from './content-version.ts';
import type { Freshness } from './freshness.ts';
import type { IsSynced, LiveHost } from './live-host.ts';
import type { LiveNeeds } from './live-needs.ts';
import { NO_CHANGE, type ServedVersion } from './served-version.ts';
import { confirmedAtOf, type StoredVersions, storedHashes } from './stored-versions.ts';

export interface ContentUpdatesOptions {
  readonly host: LiveHost;
  readonly stored: StoredVersions;
  readonly served: ServedVersion;
  readonly freshness: Freshness;
  readonly needs: LiveNeeds;
}

/** Other servers may store something else during each sync. */
const SYNC_ATTEMPTS = 4;

/** Brings the version that is served up to date: with what is stored, and what is stored with the service. */
export class ContentUpdates {
  readonly #options: ContentUpdatesOptions;

  constructor(options: ContentUpdatesOptions) {
    this.#options = options;
  }

  /** Whether there is content in all languages that collections need. */
  get isReady(): boolean {
    const { served, needs } = this.#options;
    return served.has(needs.langs);
  }

  /** Serves what is stored, if anything is. */
  async startFromStorage(): Promise<void> {
    const stored = await this.read().catch(() => undefined);
    if (!stored) return;
    const { host, freshness } = this.#options;
    // The clock may have been set back since.
    freshness.confirm(Math.min(confirmedAtOf(stored), host.now()));
    await this.serve(stored);
  }

  /** Brings the storage up to date, and serves what is stored then. */
  async sync(): Promise<LiveChange> {
    const { host, needs, served, freshness } = this.#options;
    const start = host.now();
    const { next, isCurrent } = await this.#readSynced(needs.langs);
    const isNew = next !== served.version;
    const change = await this.serve(next);
    // Without a sync, what is stored says nothing about the service, unless it is new.
    if (isCurrent && (host.sync || isNew)) freshness.confirm(start);
    return change;
  }

  /**
   * Syncs, and reads what is stored then. If that is not what was found, another server has stored what it may have
   * read earlier: the next sync starts from that. If it is what was stored before, the storage does not show yet what
   * this server has just stored, as some do: a later check finds it.
   */
  async #readSynced(
    langs: readonly string[],
  ): Promise<{ readonly next: ContentVersion; readonly isCurrent: boolean }> {
    const { host, served } = this.#options;
    let isRepair = false;
    for (let attempt = 0; attempt < SYNC_ATTEMPTS; attempt++) {
      const isSynced: IsSynced | undefined = await host.sync?.(langs, { isRepair });
      const next = await this.read(langs);
      if (!next && (!host.sync || isRepair)) throw nothingStored();
      const isCurrent = next !== undefined && (!isSynced || isSynced(next));
      if (next && (isCurrent || next === served.version)) return { next, isCurrent };
      isRepair = !next;
    }
    throw new LuidError('Other servers kept storing other content during the check', {
      hint: 'The next check starts from what they have stored.',
    });
  }

  /** What is stored in these languages; `undefined` if not all of it is. */
  async read(langs = this.#options.needs.langs): Promise<ContentVersion | undefined> {
    const { host, stored, served } = this.#options;
    const current = served.version;
    const next = await stored.read(langs, current);
    // What was read and cannot be served may be damaged.
    if (!next) host.keepSegments?.(current ? storedHashes(current) : new Set());
    return next;
  }

  /** Serves a version from now on, and reports what is different. */
  async serve(next: ContentVersion): Promise<LiveChange> {
    const { host, served } = this.#options;
    if (next === served.version) return NO_CHANGE;
    const change = await served.replaceWith(next);
    host.keepSegments?.(storedHashes(next));
    return change;
  }
}

export function nothingStored(): LuidError {
  return new LuidError('There is no stored content to serve', {
    hint: 'Run `luid sync` or a build with the same `cache.storage` first, or let a Node server fill it.',
  });
}
