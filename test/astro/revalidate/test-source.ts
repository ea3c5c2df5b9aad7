import type { LiveChange, LiveSource, RefreshOptions } from '../../../src/astro/live/live-sources.ts';

/** Live content that changes when a test changes it. */
export class TestSource implements LiveSource {
  readonly #changes: LiveChange[] = [];
  readonly #listeners = new Set<(change: LiveChange) => void>();
  /** What the next checks find. */
  readonly found: (LiveChange | Error)[] = [];
  refreshes = 0;
  isForPreviews = false;
  models?: readonly string[];
  /** Of the last refresh. */
  options: RefreshOptions | undefined;

  get version(): number {
    return this.#changes.length;
  }

  tagsSince(version: number): readonly string[] {
    return this.#changes.slice(version).flatMap(({ tags }) => tags);
  }

  async refresh(options?: RefreshOptions): Promise<LiveChange> {
    this.refreshes += 1;
    this.options = options;
    const found = this.found.shift() ?? { tags: [], added: 0, changed: 0, removed: 0 };
    if (found instanceof Error) throw found;
    if (found.tags.length > 0) this.#publish(found);
    return found;
  }

  onChange(listener: (change: LiveChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A check in the background finds that items with these tags changed. */
  change(...tags: string[]): void {
    this.#publish({ tags, added: 0, changed: tags.length, removed: 0 });
  }

  #publish(change: LiveChange): void {
    this.#changes.push(change);
    for (const listener of this.#listeners) listener(change);
  }
}
