import type { Storage } from 'unstorage';

/**
 * Remembers up to which content pages in a cache outside of this process were invalidated. A process that is killed after
 * content is stored, and before the pages that show it are invalidated, leaves old pages behind: the next one starts from
 * the new content, and has nothing to compare it with. All servers share it: what one of them has invalidated, another
 * one may still render for a moment, and invalidates itself when it takes over the new content.
 */
export class InvalidatedContent {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #key: string;
  #stored: string | undefined;
  /** One after the other, so that the newest is stored last. */
  #writes: Promise<void> = Promise.resolve();

  /** `id` names what is stored: a space, as one key sees it, in some languages. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, id: string) {
    this.#storage = storage;
    this.#key = `live-invalidated:${id}`;
  }

  /** Whether pages may show other content than this. Nothing is known of pages from before the first start. */
  async mayHaveOlderPages(content: string): Promise<boolean> {
    const stored: unknown = await this.#storage.getItem(this.#key).catch(() => null);
    if (typeof stored !== 'string') return false;
    this.#stored = stored;
    return stored !== content;
  }

  /** This server has invalidated all pages that show older content than this. */
  confirm(content: string): void {
    if (this.#stored === content) return;
    this.#stored = content;
    // If it cannot be stored, the next start invalidates more than it has to.
    const store = () => this.#storage.setItem(this.#key, content).catch(() => {});
    this.#writes = this.#writes.then(store);
  }
}
