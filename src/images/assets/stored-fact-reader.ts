import type { Storage } from 'unstorage';
import { errorMessage } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { type AssetFacts, type FactReader, selectFacts } from './fact-reader.ts';

export interface StoredFactReaderOptions<T extends object> {
  readonly storage: Storage;
  /** See {@link FACT_FOLDERS}. */
  readonly folder: string;
  /** The text of a stored file; `undefined` if it is damaged, forged or of another key. */
  readonly open: (name: string, stored: string) => Promise<string | undefined>;
  /** Called for each fact that was found. */
  readonly onKnown?: (url: string, fact: T) => void;
}

/** Facts that a build, `luid sync` or a server on Node has stored. Makes no requests to assets, and runs on any server. */
export class StoredFactReader<T extends object> implements FactReader<T> {
  readonly #options: StoredFactReaderOptions<T>;
  readonly #files = new Set<string>();
  readonly #known = new Map<string, T | null>();
  /** What was requested and is not stored yet. */
  readonly #missing = new Set<string>();
  #reading: Promise<void> | undefined;

  constructor(options: StoredFactReaderOptions<T>) {
    this.#options = options;
  }

  async read(urls: Iterable<string>, logger: Logger): Promise<AssetFacts<T>> {
    const requested = [...new Set(urls)];
    if (requested.some((url) => !this.#known.has(url))) await this.#readNew(logger);
    for (const url of requested) if (!this.#known.has(url)) this.#missing.add(url);
    return selectFacts(requested, this.#known);
  }

  /** Whether something is stored by now that was missing before. */
  async findMissing(logger: Logger): Promise<boolean> {
    const { size } = this.#missing;
    if (size === 0) return false;
    await this.#readNew(logger);
    for (const url of this.#missing) if (this.#known.has(url)) this.#missing.delete(url);
    return this.#missing.size < size;
  }

  /** Pages are shown without facts that cannot be read. */
  #readNew(logger: Logger): Promise<void> {
    const { folder } = this.#options;
    this.#reading ??= this.#readFiles()
      .catch((error: unknown) => {
        logger.warn(`What is known of images cannot be read (${folder}): ${errorMessage(error)}`);
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #readFiles(): Promise<void> {
    const { storage, folder, open, onKnown } = this.#options;
    for (const key of await storage.getKeys(folder)) {
      const name = key.slice(key.lastIndexOf(':') + 1);
      if (this.#files.has(name)) continue;
      const content = await open(name, String((await storage.getItem(`${folder}:${name}`)) ?? ''));
      // Another process may also have merged and removed the file meanwhile.
      if (content === undefined) continue;
      this.#files.add(name);
      for (const [url, fact] of JSON.parse(content) as [string, T | null][]) {
        this.#known.set(url, fact);
        if (fact) onKnown?.(url, fact);
      }
    }
  }
}
