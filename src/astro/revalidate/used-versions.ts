import { ANY_TAG, type LiveSource, type LiveSources, type RequestVersions } from '../live/live-sources.ts';

/** What one request was rendered from. */
export class UsedVersions {
  readonly #pinned: RequestVersions;
  readonly #atStart: ReadonlyMap<LiveSource, number>;

  constructor(sources: LiveSources, pinned: RequestVersions) {
    this.#pinned = pinned;
    this.#atStart = new Map(sources.all().map((source) => [source, source.version]));
  }

  /** Those of the tags whose content changed after the request had read it. */
  outdated(tags: readonly string[]): string[] {
    const changed = new Set(
      [...this.#pinned].flatMap(([source, pinned]) => source.tagsSince(this.#versionOf(source, pinned))),
    );
    if (changed.has(ANY_TAG)) return [...tags];
    return tags.filter((tag) => changed.has(tag));
  }

  /** Versions only grow, so without its number the version is at least the one at the start of the request. */
  #versionOf(source: LiveSource, pinned: unknown): number {
    const version = typeof pinned === 'object' && pinned !== null && 'version' in pinned && pinned.version;
    return typeof version === 'number' ? version : (this.#atStart.get(source) ?? 0);
  }
}
