import type { CollectionRule } from '../entries/collection.ts';
import type { Replica } from '../replica/replica.ts';
import { createOnce } from '../shared/logger.ts';
import { type ContentScope, scopeKey } from './content-scope.ts';

/** What decides which entries a collection has, and their ids. */
export interface LoadedCollection {
  readonly rule: CollectionRule;
  readonly drafts: boolean;
  /** Equal for loader options that mean the same. */
  readonly fingerprint: string;
}

/**
 * What is shared by everything that reads one space: the loaders of its collections, or one command. Each
 * `defineSpace` creates one, and each command. Nothing here outlives the process; the cache does.
 */
export class SpaceRuntime {
  /** The collections of the space by name, for references between them. Astro starts all loaders at once. */
  readonly collections = new Map<string, LoadedCollection>();
  /** For log lines that several collections, or every load of a dev server, would repeat. */
  readonly once = createOnce();

  readonly #syncs = new Map<string, Promise<Replica>>();
  /** By scope: settles when the cache of its last sync is written. */
  readonly #stored = new Map<string, Promise<unknown>>();
  #mainLanguage: Promise<string | undefined> | undefined;

  readonly #shared = new Map<string, object>();

  /** What several loaders share under a name, created by the first that needs it. */
  share<T extends object>(name: string, create: () => T): T {
    const shared = this.#shared.get(name) ?? create();
    this.#shared.set(name, shared);
    return shared as T;
  }

  /** The running sync of a scope; starts one if there is none. */
  sync(scope: ContentScope, start: () => Promise<Replica>): Promise<Replica> {
    const key = scopeKey(scope);
    const sync = this.#syncs.get(key) ?? this.#startSync(key, start).finally(() => this.#syncs.delete(key));
    this.#syncs.set(key, sync);
    return sync;
  }

  /** A sync starts from what the last one stored. */
  async #startSync(key: string, start: () => Promise<Replica>): Promise<Replica> {
    const stored = this.#stored.get(key);
    if (stored) await stored;
    const replica = await start();
    this.#stored.set(key, replica.stored);
    return replica;
  }

  /** The main language that the service reports. Detected again by the next call if it is `undefined`. */
  async mainLanguage(detect: () => Promise<string | undefined>): Promise<string | undefined> {
    this.#mainLanguage ??= detect();
    const language = await this.#mainLanguage;
    if (language === undefined) this.#mainLanguage = undefined;
    return language;
  }
}
