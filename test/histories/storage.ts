import { createStorage, type Driver, type Storage } from 'unstorage';

/** A cache storage that can be copied, restored and cleared, and that a process loses when it ends. */
export class CacheStorage {
  #values = new Map<string, unknown>();

  /** The storage as one process sees it: what it writes after `end` is lost. */
  open(): { storage: Storage; end: () => void } {
    let ended = false;
    const set = (key: string, value: unknown) => {
      if (!ended) this.#values.set(key, value);
    };
    const driver: Driver = {
      name: 'histories',
      hasItem: (key) => this.#values.has(key),
      getItem: (key) => (this.#values.get(key) ?? null) as string | null,
      getItemRaw: (key) => this.#values.get(key) ?? null,
      setItem: set,
      setItemRaw: set,
      removeItem: (key) => {
        if (!ended) this.#values.delete(key);
      },
      getKeys: () => [...this.#values.keys()],
      clear: () => {
        if (!ended) this.#values.clear();
      },
    };
    return {
      storage: createStorage({ driver }),
      end: () => {
        ended = true;
      },
    };
  }

  copy(): ReadonlyMap<string, unknown> {
    return new Map(this.#values);
  }

  restore(copy: ReadonlyMap<string, unknown>): void {
    this.#values = new Map(copy);
  }

  /** Flips a bit of the values with these keys. */
  damage(isDamaged: (key: string) => boolean): void {
    for (const [key, value] of this.#values) {
      if (!isDamaged(key)) continue;
      const bytes = Uint8Array.from(
        typeof value === 'string' ? new TextEncoder().encode(value) : (value as Uint8Array),
      );
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      this.#values.set(key, bytes);
    }
  }

  clear(): void {
    this.#values = new Map();
  }
}
