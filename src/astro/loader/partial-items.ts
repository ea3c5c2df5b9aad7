import type { WireContent } from '../../contract/content.ts';
import type { ItemLookup } from '../../entries/language-items.ts';
import type { ItemIndex } from '../../replica/item-index.ts';
import type { Replica } from '../../replica/replica.ts';

/** Thrown if an item is used that was not read: which items are needed was determined wrongly. */
export class ItemNotReadError extends Error {}

/** Some items of a replica. Knows which others exist, and never passes one off as missing. */
export class PartialItems implements ItemLookup {
  readonly #replica: Replica;
  readonly #index: ItemIndex;
  readonly #items = new Map<number, WireContent>();

  private constructor(replica: Replica, index: ItemIndex) {
    this.#replica = replica;
    this.#index = index;
  }

  static async open(replica: Replica): Promise<PartialItems> {
    return new PartialItems(replica, await replica.index());
  }

  get index(): ItemIndex {
    return this.#index;
  }

  /** Reads those of these items that exist. */
  async read(ids: Iterable<number>): Promise<void> {
    const missing = [...ids].filter((id) => !this.#items.has(id));
    for (const [id, item] of await this.#replica.itemsById(missing)) this.#items.set(id, item);
  }

  has(id: number): boolean {
    return this.#items.has(id) || this.#index.get(id) !== undefined;
  }

  get(id: number): WireContent | undefined {
    const item = this.#items.get(id);
    if (!item && this.#index.get(id)) throw new ItemNotReadError(`Content ${id} was not read`);
    return item;
  }

  values(): never {
    throw new ItemNotReadError('Not all content was read');
  }
}
