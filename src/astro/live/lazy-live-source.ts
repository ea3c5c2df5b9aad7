import { shareInProcess } from '../../process-registry.ts';
import { type LiveChange, type LiveSource, liveSources } from './live-sources.ts';

/** A live source that is opened by its first use: defining a loader must not load the code that serves it. */
export class LazyLiveSource implements LiveSource {
  readonly #open: () => Promise<LiveSource & { close(): void }>;
  readonly #listeners = new Set<(change: LiveChange) => void>();
  readonly #loaders: (() => Promise<unknown>)[] = [];
  #opened: (LiveSource & { close(): void }) | undefined;

  constructor(open: () => Promise<LiveSource & { close(): void }>) {
    this.#open = open;
  }

  get version(): number {
    return this.#opened?.version ?? 0;
  }

  tagsSince(version: number): readonly string[] {
    return this.#opened?.tagsSince(version) ?? [];
  }

  async refresh(): Promise<LiveChange> {
    await Promise.all(this.#loaders.map((open) => open()));
    return (this.#opened ?? (await this.#open())).refresh();
  }

  resume(): void {
    this.#opened?.resume?.();
  }

  /** Opened before the source is: the loaders decide what it contains. */
  onOpen(open: () => Promise<unknown>): void {
    this.#loaders.push(open);
  }

  onChange(listener: (change: LiveChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Uses this source from now on. */
  attach(source: LiveSource & { close(): void }): void {
    this.#opened = source;
    source.onChange((change) => {
      for (const listener of this.#listeners) listener(change);
    });
  }

  close(): void {
    this.#opened?.close();
    liveSources().delete(this);
  }
}

/**
 * Adds a source to those of the process. A dev server evaluates the same definition again after each change of a file:
 * the new source replaces the one before, and ends its checks.
 */
export function addLiveSource(definition: string, source: LazyLiveSource): void {
  const byDefinition = shareInProcess('live-definitions', () => new Map<string, LazyLiveSource>());
  if (isDev()) byDefinition.get(definition)?.close();
  byDefinition.set(definition, source);
  liveSources().add(source);
}

function isDev(): boolean {
  return (import.meta as { env?: { DEV?: boolean } }).env?.DEV === true;
}
