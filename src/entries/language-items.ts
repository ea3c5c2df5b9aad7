import type { WireContent } from '../contract/content.ts';

/** Items by id. */
export interface ItemLookup {
  get(id: number): WireContent | undefined;
  /** Whether `get` finds the item, without reading it. */
  has(id: number): boolean;
  values(): Iterable<WireContent>;
}

/** The items of a space in one language. */
export interface LanguageItems extends ItemLookup {
  /** The language key; `undefined` if the space has no languages. */
  readonly lang: string | undefined;
  /** Whether the item has no data in this language, so that the main language's is used. */
  isFallback(id: number): boolean;
  /** Whether the id, which the service sent, is that of content of a model that is not declared. */
  isUndeclared(id: number): boolean;
}

export interface LanguageItemsOptions {
  readonly lang: string | undefined;
  readonly items: ItemLookup;
  /** The items of the main language, used for those that this language does not have. */
  readonly fallback?: ItemLookup | undefined;
  /** Whether the id is that of content of a declared model, in any language, that exists or was removed. */
  readonly isDeclared: (id: number) => boolean;
}

export function createLanguageItems(options: LanguageItemsOptions): LanguageItems {
  const { lang, items, fallback: main, isDeclared } = options;
  const isFallback = (id: number) => main !== undefined && !items.has(id) && main.has(id);
  return {
    lang,
    get: (id) => items.get(id) ?? main?.get(id),
    has: (id) => items.has(id) || isFallback(id),
    isFallback,
    isUndeclared: (id) => !isDeclared(id),
    *values() {
      yield* items.values();
      for (const item of main?.values() ?? []) if (!items.has(item._id)) yield item;
    },
  };
}
