import {
  type Closable,
  type LiveChange,
  type LiveSource,
  liveSources,
  type RefreshOptions,
} from './live-sources.ts';

type ClosableSource = LiveSource & Closable;

/** A live source that is opened by its first use: defining a loader must not load the code that serves it. */
export class LazyLiveSource implements LiveSource, Closable {
  readonly #open: () => Promise<ClosableSource>;
  readonly #listeners = new Set<(change: LiveChange) => void>();
  #opened: ClosableSource | undefined;
  #isClosed = false;
  readonly models?: readonly string[];
  /** Until a live collection uses it, too. */
  isForPreviews = true;

  constructor(open: () => Promise<ClosableSource>, models?: readonly string[]) {
    this.#open = open;
    if (models) this.models = models;
  }

  get version(): number {
    return this.#opened?.version ?? 0;
  }

  tagsSince(version: number): readonly string[] {
    return this.#opened?.tagsSince(version) ?? [];
  }

  async refresh(options?: RefreshOptions): Promise<LiveChange> {
    // Loaders decide which languages it contains, and how often it is checked.
    const source = await this.#open();
    return source.refresh(options);
  }

  resume(): void {
    this.#opened?.resume?.();
  }

  async settled(): Promise<void> {
    await this.#opened?.settled?.();
  }

  confirmInvalidated(version: number): void {
    this.#opened?.confirmInvalidated?.(version);
  }

  onChange(listener: (change: LiveChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Uses this source from now on. */
  attach(source: ClosableSource): void {
    this.#opened = source;
    // It was opening when a new definition replaced it.
    if (this.#isClosed) source.close();
    source.onChange((change) => {
      for (const listener of this.#listeners) listener(change);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#opened?.close();
    liveSources().delete(this);
  }

  /** Used again: a dev server has removed its last collection, and added one again. */
  reopen(): void {
    if (!this.#isClosed) return;
    this.#isClosed = false;
    this.#opened?.reopen();
    liveSources().add(this);
  }
}

/**
 * Adds a source to those of the process. A dev server evaluates the same definition again after each change of a file:
 * the new source replaces the one before, and ends its checks. With other models it may be a second space: then, with
 * `revalidate`, the names of the collections show which sources are used (collection-names.ts).
 */
export function addLiveSource(definition: string, source: LazyLiveSource, isDev: boolean): void {
  const sources = liveSources();
  if (isDev) sources.byDefinition.get(definition)?.close();
  sources.byDefinition.set(definition, source);
  sources.add(source);
}
