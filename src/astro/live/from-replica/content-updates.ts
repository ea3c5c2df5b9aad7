import { LuidError } from '../../../errors.ts';
import type { LiveChange } from '../live-sources.ts';
import type { ContentVersion } from './content-version.ts';
import type { Freshness } from './freshness.ts';
import type { LiveHost } from './live-host.ts';
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
    this.#options.freshness.confirm(confirmedAtOf(stored));
    await this.serve(stored);
  }

  /** Brings the storage up to date, and serves what is stored then. */
  async sync(): Promise<LiveChange> {
    const { host, needs, served, freshness } = this.#options;
    const start = host.now();
    const { langs } = needs;
    await host.sync?.(langs);
    let next = await this.read();
    if (!next && host.sync) {
      await host.sync(langs, { isRepair: true });
      next = await this.read();
    }
    if (!next) throw nothingStored();
    const isNew = next !== served.version;
    const change = await this.serve(next);
    // Without a sync, what is stored says nothing about the service, unless it is new.
    if (host.sync || isNew) freshness.confirm(start);
    return change;
  }

  /** What is stored; `undefined` if not all of it is. */
  async read(): Promise<ContentVersion | undefined> {
    const { host, stored, served, needs } = this.#options;
    const current = served.version;
    const next = await stored.read(needs.langs, current);
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
