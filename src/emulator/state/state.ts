import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { ModelMap } from '../../models/types.ts';
import { type Item, isVisible, type View } from './item.ts';
import { own } from './own.ts';
import type { SeedKey } from './seed.ts';

export interface Media {
  readonly id: number;
  /** Its path in the seed's directory; of an uploaded one, its name. */
  readonly file: string;
  readonly alt: { readonly [lang: string]: string };
  readonly archived: boolean;
  /** It came with a request: its bytes are with the uploads, not in the seed's directory. */
  readonly uploaded: boolean;
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

/** The ids that the next content and the next media get. */
export interface NextIds {
  readonly content: number;
  readonly media: number;
}

/** Changes further back than this are forgotten; who missed them starts over. */
const JOURNAL = 10_000;

/** The space in memory. All changes pass through `put`, `remove`, their likes for media, and `setModels`. */
export class State {
  readonly languages: Languages;
  readonly spaces: ReadonlySet<string> | undefined;
  readonly keys: ReadonlyMap<string, SeedKey>;
  readonly #items = new Map<number, Item>();
  readonly #media = new Map<number, Media>();
  #models: ModelMap;
  #journal: Change[] = [];
  #forgotten = 0;
  /** Grows when more changed than single items: whatever was derived is void. */
  epoch = 0;
  /** Grows with every change. */
  revision = 0;
  readonly #next = { content: 1, media: 1 };

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

  get media(): ReadonlyMap<number, Media> {
    return this.#media;
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

  get nextIds(): NextIds {
    return { ...this.#next };
  }

  /** An id that was never given before, even if what had the highest one is gone. */
  claimId(of: keyof NextIds): number {
    return this.#next[of]++;
  }

  /** Makes sure that ids below are not given again. */
  reserveIds({ content, media }: NextIds): void {
    this.#next.content = Math.max(this.#next.content, content);
    this.#next.media = Math.max(this.#next.media, media);
  }

  put(item: Item): void {
    this.reserveIds({ content: item.id + 1, media: 0 });
    this.#record({ before: this.#items.get(item.id), after: item });
    this.#items.set(item.id, item);
  }

  remove(id: number): void {
    this.#record({ before: this.#items.get(id), after: undefined });
    this.#items.delete(id);
  }

  putMedia(media: Media): void {
    this.reserveIds({ content: 0, media: media.id + 1 });
    this.#media.set(media.id, media);
    this.revision++;
  }

  removeMedia(id: number): void {
    this.#media.delete(id);
    this.revision++;
  }

  /** Replaces the models, and all items by their counterparts under the new models. */
  setModels(models: ModelMap, convert: (item: Item) => Item): void {
    this.#models = models;
    for (const item of this.#items.values()) this.#items.set(item.id, convert(item));
    this.epoch++;
    this.revision++;
  }

  #record(change: Change): void {
    this.revision++;
    this.#journal.push(change);
    if (this.#journal.length < 2 * JOURNAL) return;
    this.#forgotten += JOURNAL;
    this.#journal = this.#journal.slice(JOURNAL);
  }
}
