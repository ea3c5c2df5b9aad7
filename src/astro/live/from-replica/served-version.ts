import type { LiveChange } from '../live-sources.ts';
import type { ContentVersion } from './content-version.ts';
import { contentName } from './stored-versions.ts';
import { VersionState } from './version-state.ts';

/** What differs between two versions, after preparing the next one. */
export type FindChange = (before: VersionState, after: VersionState) => Promise<LiveChange>;

export const NO_CHANGE: LiveChange = { tags: [], added: 0, changed: 0, removed: 0 };
/** Versions whose changes are kept, for requests that began before them. */
const MAX_HISTORY = 1000;

/** The version that is served, and what has changed since earlier ones. The next version replaces it in one step. */
export class ServedVersion {
  readonly #findChange: FindChange;
  readonly #listeners = new Set<(change: LiveChange) => void>();
  readonly #history: { readonly version: number; readonly tags: Set<string> }[] = [];
  #state: VersionState | undefined;
  /** Tags of pages that were rendered while the next version is prepared. */
  #lateTags: Set<string> | undefined;

  constructor(findChange: FindChange) {
    this.#findChange = findChange;
  }

  get state(): VersionState | undefined {
    return this.#state;
  }

  get version(): ContentVersion | undefined {
    return this.#state?.version;
  }

  /** Names the content, equally on all servers. */
  get content(): string {
    return this.#state ? contentName(this.#state.version) : '';
  }

  /** Whether there is content in all of these languages. */
  has(langs: Iterable<string>): boolean {
    return this.#state?.hasLangs(langs) ?? false;
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

  onChange(listener: (change: LiveChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Serves another version from now on, and reports what is different. */
  async replaceWith(next: ContentVersion): Promise<LiveChange> {
    const before = this.#state;
    const after = new VersionState(next);
    const change = before ? await this.#replace(before, after) : NO_CHANGE;
    this.#state = after;
    if (change.tags.length > 0) for (const listener of this.#listeners) listener(change);
    return change;
  }

  async #replace(before: VersionState, after: VersionState): Promise<LiveChange> {
    const late = new Set<string>();
    this.#lateTags = late;
    before.covered = new Set(before.used);
    try {
      const found = await this.#findChange(before, after);
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
}
