import type { Content } from '../../../replica/content/content.ts';
import { LuidError } from '../../../shared/errors.ts';
import type { LiveChange, RefreshOptions } from '../live-sources.ts';
import type { Freshness } from './freshness.ts';
import type { LiveHost } from './live-host.ts';
import type { LiveNeeds } from './live-needs.ts';
import { NO_CHANGE, type ServedVersion } from './served-version.ts';
import { confirmedAtOf, type StoredContent, storedHashes } from './stored-content.ts';

export interface ContentUpdatesOptions {
  readonly host: LiveHost;
  readonly stored: StoredContent;
  readonly served: ServedVersion;
  readonly freshness: Freshness;
  readonly needs: LiveNeeds;
  /** Milliseconds after which a server checks itself, whatever others have confirmed. */
  readonly verifyAfter: number;
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
    const { host, freshness } = this.#options;
    // The clock may have been set back since.
    freshness.confirm(Math.min(confirmedAtOf(stored), host.now()));
    await this.serve(stored);
  }

  /** Serves what the service has now, and stores it; where that is not possible, serves what others have stored. */
  async sync(options: RefreshOptions): Promise<LiveChange> {
    const { host, needs, served, freshness } = this.#options;
    const start = host.now();
    const next = await (host.sync ? host.sync(needs.langs, served.content, options) : this.read());
    if (!next) throw nothingStored();
    const isNew = !served.isServing(next);
    const change = await this.serve(next);
    // Without a sync, what is stored says nothing about the service, unless it is new.
    if (host.sync || isNew) freshness.confirm(start);
    return change;
  }

  /** What is stored in these languages; `undefined` if not all of it is. */
  async read(langs = this.#options.needs.langs): Promise<Content | undefined> {
    const { host, stored, served } = this.#options;
    const current = served.content;
    const next = await stored.read(langs, current);
    // What was read and cannot be served may be damaged.
    if (!next) host.keepSegments?.(current ? storedHashes(current) : new Set());
    return next;
  }

  /** Serves this content from now on, and reports what is different. */
  async serve(next: Content): Promise<LiveChange> {
    const { host, served } = this.#options;
    if (served.isServing(next) && !(await host.hasNewImages?.())) return NO_CHANGE;
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
