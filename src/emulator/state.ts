import type { FieldsBase } from '../models/kinds/kind.ts';
import type { ModelMap } from '../models/types.ts';
import { type Item, isVisible, type View } from './item.ts';
import { own } from './own.ts';
import type { SeedKey } from './seed.ts';

export interface Media {
  readonly id: number;
  readonly file: string;
  readonly alt: { readonly [lang: string]: string };
  readonly archived: boolean;
}

export interface Languages {
  readonly main: string;
  readonly sub: readonly string[];
}

/** One item before and after a change; one of them is absent when it came or went. */
export interface Change {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Changes further back than this are forgotten; who missed them starts over. */
const JOURNAL = 10_000;

/** The space in memory. All changes pass through `put`, `putMedia` and `setModels`. */
export class State {
  readonly languages: Languages;
  readonly spaces: ReadonlySet<string> | undefined;
  readonly keys: ReadonlyMap<string, SeedKey>;
  readonly media = new Map<number, Media>();
  readonly #items = new Map<number, Item>();
  #models: ModelMap;
  #journal: Change[] = [];
  #forgotten = 0;
  /** Grows when more changed than single items: whatever was derived is void. */
  epoch = 0;

  constructor(space: Pick<State, 'languages' | 'spaces' | 'keys'> & { models: ModelMap }) {
    this.languages = space.languages;
    this.spaces = space.spaces;
    this.keys = space.keys;
    this.#models = space.models;
  }

  get models(): ModelMap {
    return this.#models;
  }

  get items(): ReadonlyMap<number, Item> {
    return this.#items;
  }

  /** The fields of a declared model. */
  fields(model: string): FieldsBase | undefined {
    return own(this.#models, model);
  }

  /** The item of an id, if it exists for this key. */
  find(id: unknown, view: Pick<View, 'reads' | 'spaces'>): Item | undefined {
    const item = this.hidden(id);
    return item && isVisible(item, view) ? item : undefined;
  }

  /** The item of an id, if it exists for any key. */
  hidden(id: unknown): Item | undefined {
    const item = this.#items.get(id as number);
    return item && !item.archived && this.fields(item.model) ? item : undefined;
  }

  /** How many single changes there were. */
  get version(): number {
    return this.#forgotten + this.#journal.length;
  }

  /** The changes since a version, or `undefined` if that is too long ago. */
  since(version: number): readonly Change[] | undefined {
    if (version < this.#forgotten) return undefined;
    return this.#journal.slice(version - this.#forgotten);
  }

  put(item: Item): void {
    this.#record({ before: this.#items.get(item.id), after: item });
    this.#items.set(item.id, item);
  }

  remove(id: number): void {
    this.#record({ before: this.#items.get(id), after: undefined });
    this.#items.delete(id);
  }

  putMedia(media: Media): void {
    this.media.set(media.id, media);
  }

  /** Replaces the models, and all items by their counterparts under the new models. */
  setModels(models: ModelMap, convert: (item: Item) => Item): void {
    this.#models = models;
    for (const item of this.#items.values()) this.#items.set(item.id, convert(item));
    this.epoch++;
  }

  #record(change: Change): void {
    this.#journal.push(change);
    if (this.#journal.length < 2 * JOURNAL) return;
    this.#forgotten += JOURNAL;
    this.#journal = this.#journal.slice(JOURNAL);
  }
}
