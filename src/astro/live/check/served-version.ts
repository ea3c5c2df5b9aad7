import type { Content } from '../../../replica/content/content.ts';
import { ANY_TAG, type LiveChange } from '../live-sources.ts';
import { contentName } from './stored-content.ts';
import { VersionState } from './version-state.ts';

/** What differs between two versions, after preparing the next one. Before the first, there may be pages of others. */
export type FindChange = (before: VersionState | undefined, after: VersionState) => Promise<LiveChange>;

export const NO_CHANGE: LiveChange = { tags: [], added: 0, changed: 0, removed: 0 };
/** Versions whose changes are kept, for requests that began before them: so many, with so many tags in total. */
const MAX_HISTORY = 1000;
const MAX_TAGS = 50_000;

/** The version that is served, and what has changed since earlier ones. The next version replaces it in one step. */
export class ServedVersion {
  readonly #findChange: FindChange;
  readonly #listeners = new Set<(change: LiveChange) => void>();
  readonly #history: { readonly version: number; readonly tags: readonly string[] }[] = [];
  /** The newest version whose changes are not kept any more. */
  #forgotten = 0;
  #state: VersionState | undefined;

  constructor(findChange: FindChange) {
    this.#findChange = findChange;
  }

  get state(): VersionState | undefined {
    return this.#state;
  }

  get content(): Content | undefined {
    return this.#state?.content;
  }

  /** Names the content, equally on all servers. */
  get name(): string {
    return this.content ? contentName(this.content) : '';
  }

  /** Whether the version that is served has this content, in the same languages. */
  isServing(content: Content): boolean {
    return this.name === contentName(content);
  }

  /** Whether there is content in all of these languages. */
  has(langs: Iterable<string>): boolean {
    return this.#state?.hasLangs(langs) ?? false;
  }

  tagsSince(version: number): readonly string[] {
    const tags = this.#history.filter((one) => one.version > version).flatMap((one) => one.tags);
    return version < this.#forgotten ? [ANY_TAG, ...tags] : tags;
  }

  onChange(listener: (change: LiveChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Serves another version from now on, and reports what is different. */
  async replaceWith(next: Content): Promise<LiveChange> {
    const before = this.#state;
    const after = new VersionState((before?.number ?? 0) + 1, next);
    const change = before ? await this.#replace(before, after) : await this.#start(after);
    if (change.tags.length > 0) for (const listener of this.#listeners) listener(change);
    return change;
  }

  async #start(first: VersionState): Promise<LiveChange> {
    const change = await this.#findChange(undefined, first);
    if (change.tags.length > 0) this.#remember(first.number, change.tags);
    this.#state = first;
    return change;
  }

  async #replace(before: VersionState, after: VersionState): Promise<LiveChange> {
    before.covered = new Set(before.used);
    try {
      const change = await this.#findChange(before, after);
      this.#remember(after.number, change.tags);
      this.#state = after;
      return change;
    } catch (error) {
      before.covered = undefined;
      throw error;
    }
  }

  #remember(version: number, tags: readonly string[]): void {
    this.#history.push({ version, tags });
    let count = this.#history.reduce((sum, one) => sum + one.tags.length, 0);
    while (this.#history.length > MAX_HISTORY || (this.#history.length > 1 && count > MAX_TAGS)) {
      const oldest = this.#history.shift();
      this.#forgotten = oldest?.version ?? 0;
      count -= oldest?.tags.length ?? 0;
    }
  }
}
