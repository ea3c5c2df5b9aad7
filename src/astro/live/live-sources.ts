import { shareInProcess } from '../../shared/process.ts';

/** What a check for changes found. */
export interface LiveChange {
  /** Cache tags of everything that shows something else than before. */
  readonly tags: readonly string[];
  /** Numbers of items. */
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export function hasChanged({ tags, added, changed, removed }: LiveChange): boolean {
  return tags.length > 0 || added + changed + removed > 0;
}

export interface RefreshOptions {
  /** An event has announced a change: the CDN may not show it yet. */
  readonly isAfterEvent?: boolean;
}

/** Returned by `tagsSince` if earlier changes were forgotten: every tag counts as changed. Never sent to a cache. */
export const ANY_TAG = 'luid:*';

/**
 * A tag of pages that are not cached: they show a version that is replaced, and something that was not compared with the
 * next one. Never sent to a cache.
 */
export const LATE_TAG = 'luid:late';

/** Content that is served from a replica and checked for changes in the background. */
export interface LiveSource {
  /** Starts at 0, before anything is served, and counts the versions. */
  readonly version: number;
  /** Only previews show it. They check it themselves while one is open, and report their own failures. */
  readonly isForPreviews?: boolean;
  /** Cache tags of everything that changed after a version, with {@link ANY_TAG} if there may be more. */
  tagsSince(version: number): readonly string[];
  /** The models whose items it may contain. Default: all. */
  readonly models?: readonly string[];
  /** Checks for changes now. What it returns is served when the promise resolves. */
  refresh(options?: RefreshOptions): Promise<LiveChange>;
  /** Called when the first preview is opened: content that only previews show is not checked while there are none. */
  resume?(): void;
  /** Resolves when no check is running. */
  settled?(): Promise<void>;
  /** Called when all pages that showed something older than this version are invalidated. */
  confirmInvalidated?(version: number): void;
  /** Called after each new version that shows something else. Returns a function that ends it. */
  onChange(listener: (change: LiveChange) => void): () => void;
}

/** What checks in the background until it is closed. */
export interface Closable {
  close(): void;
  /** Used again. */
  reopen(): void;
}

/** The versions that one request sees, so that all its entries are of the same time; of each, the oldest that it has shown. */
export type RequestVersions = Map<LiveSource, { readonly version: number }>;

/** Those of the tags whose content changed after a request had read it, so that its page must not be cached. */
export function outdatedTags(versions: RequestVersions, tags: readonly string[]): string[] {
  const changed = new Set([...versions].flatMap(([source, { version }]) => source.tagsSince(version)));
  return changed.has(ANY_TAG) ? [...tags] : tags.filter((tag) => tag === LATE_TAG || changed.has(tag));
}

/** The `AsyncLocalStorage` of the middleware, which not every runtime has. */
interface RequestScope {
  getStore(): RequestVersions | undefined;
  run<T>(versions: RequestVersions, callback: () => T): T;
  exit<T>(callback: () => T): T;
}

/** All live content of this process. Loaders add their sources; the integration's middleware and endpoint use them. */
export class LiveSources {
  readonly #sources = new Set<LiveSource>();
  readonly #listeners = new Set<(source: LiveSource) => void>();
  readonly #eventListeners = new Set<() => void>();
  #openPreviews = 0;
  /** The last source of each definition. */
  readonly byDefinition = new Map<string, Closable>();
  /** Whether pages are cached outside of this process, where they may be older than it, or of another server. */
  hasOutsideCache = false;
  /**
   * How many tags a page or a change has at most in such a cache. CloudFront keeps 50 of a page; the providers of hosts add
   * two of their own, for its path and the version of the site.
   */
  maxTags = 48;
  /** Set by the middleware. */
  requests: RequestScope | undefined;
  /** The versions of the current request; `undefined` outside of the middleware. */
  currentRequest: () => RequestVersions | undefined = () => this.requests?.getStore();
  /** Runs a function that starts a timer: what a timer runs is not part of the request, whose version it would keep. */
  outsideRequests: <T>(run: () => T) => T = (run) => (this.requests ? this.requests.exit(run) : run());

  all(): readonly LiveSource[] {
    return [...this.#sources];
  }

  /** Those that visitors see: what only previews show must not make a refresh of the site fail. */
  forVisitors(): readonly LiveSource[] {
    return this.all().filter(({ isForPreviews = false }) => !isForPreviews);
  }

  /** How many previews are open in browsers. */
  get openPreviews(): number {
    return this.#openPreviews;
  }

  set openPreviews(count: number) {
    const isFirst = this.#openPreviews === 0 && count > 0;
    this.#openPreviews = count;
    if (isFirst) for (const source of this.#sources) source.resume?.();
  }

  /** An event of the service has announced a change. */
  reportEvent(): void {
    for (const listener of this.#eventListeners) listener();
  }

  /** Called for every event. */
  onEvent(listener: () => void): void {
    this.#eventListeners.add(listener);
  }

  add(source: LiveSource): void {
    this.#sources.add(source);
    for (const listener of this.#listeners) listener(source);
  }

  delete(source: LiveSource): void {
    this.#sources.delete(source);
  }

  /** Called for every source: those that exist, and those that are added later. */
  forEach(listener: (source: LiveSource) => void): void {
    for (const source of this.#sources) listener(source);
    this.#listeners.add(listener);
  }
}

export const liveSources = (): LiveSources => shareInProcess('live-sources', () => new LiveSources());
