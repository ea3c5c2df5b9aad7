import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { type Item, isVisible, type View } from './item.ts';
import { getOwn } from './own-property.ts';
import type { SeedKey, SeedWebhook } from './seed-types.ts';

export interface Media {
  readonly id: number;
  /** Path in the seed's directory; for an uploaded file, its name. */
  readonly file: string;
  readonly alt: { readonly [lang: string]: string };
  readonly archived: boolean;
  /** Whether it was uploaded by a request: then `Uploads` has its bytes, not the seed's directory. */
  readonly uploaded: boolean;
}

export interface Languages {
  readonly main: string;
  readonly sub: readonly string[];
}

/** One item before and after a change: `before` is absent if it was created, `after` if it was removed. */
export interface ItemChange {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The ids of the next content item and the next media. */
export interface NextIds {
  readonly content: number;
  readonly media: number;
}

/** The highest id: the next one must be a safe integer, too. */
export const MAX_ID = Number.MAX_SAFE_INTEGER - 1;

/** At least this many changes are kept. A list that is older is rebuilt. */
const JOURNAL_LENGTH = 10_000;

/** The space in memory. */
export class State {
  readonly languages: Languages;
  readonly spaces: ReadonlySet<string> | undefined;
  readonly keys: ReadonlyMap<string, SeedKey>;
  readonly #items = new Map<number, Item>();
  readonly #media = new Map<number, Media>();
  #models: ModelMap;
  #webhooks: readonly SeedWebhook[] = [];
  #journal: ItemChange[] = [];
  #droppedChanges = 0;
  /** Incremented when the models change: everything computed from items is then invalid. */
  modelsVersion = 0;
  /** Incremented by every change of items, media or models. */
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

  get webhooks(): readonly SeedWebhook[] {
    return this.#webhooks;
  }

  setWebhooks(webhooks: readonly SeedWebhook[]): void {
    this.#webhooks = webhooks;
    this.revision++;
  }

  /** The fields of a declared model. */
  fields(model: string): FieldsBase | undefined {
    return getOwn(this.#models, model);
  }

  /** The item with this id, if the key can read it. */
  findVisible(id: unknown, view: Pick<View, 'reads' | 'spaces'>): Item | undefined {
    const item = this.findForAnyKey(id);
    return item && isVisible(item, view) ? item : undefined;
  }

  /** The item with this id, unless it is archived. */
  findForAnyKey(id: unknown): Item | undefined {
    const item = this.#items.get(id as number);
    return item?.archived === false ? item : undefined;
  }

  /** The number of item changes so far. */
  get itemVersion(): number {
    return this.#droppedChanges + this.#journal.length;
  }

  /** The changes since an `itemVersion`; `undefined` if they are no longer known. */
  changesSince(version: number): readonly ItemChange[] | undefined {
    if (version < this.#droppedChanges) return undefined;
    return this.#journal.slice(version - this.#droppedChanges);
  }

  get nextIds(): NextIds {
    return { ...this.#next };
  }

  /** An id that was never used before, not even by something that was removed. */
  allocateId(kind: keyof NextIds): number {
    if (this.#next[kind] > MAX_ID) {
      throw new LuidConfigError(`Cannot create ${kind}: the highest id, ${MAX_ID}, is in use`, {
        hint: 'Use lower ids in the seed.',
      });
    }
    return this.#next[kind]++;
  }

  /** Makes sure that lower ids are not allocated again. */
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

  /** Replaces the models and converts all items to them; `undefined` removes an item. */
  setModels(models: ModelMap, convert: (item: Item) => Item | undefined): void {
    this.#models = models;
    for (const [id, item] of this.#items) {
      const converted = convert(item);
      if (converted) this.#items.set(id, converted);
      else this.#items.delete(id);
    }
    this.modelsVersion++;
    this.revision++;
  }

  #record(change: ItemChange): void {
    this.revision++;
    this.#journal.push(change);
    if (this.#journal.length < 2 * JOURNAL_LENGTH) return;
    this.#droppedChanges += JOURNAL_LENGTH;
    this.#journal = this.#journal.slice(JOURNAL_LENGTH);
  }
}

/** The last part of the path of a media, as in its URL. */
export function mediaFileName({ file }: Media): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
