import type { WireContent } from '../contract/content.ts';

/** The items of a space as one language shows them. */
export interface Corpus {
  /** The language key, where the space has languages. */
  readonly lang: string | undefined;
  get(id: number): WireContent | undefined;
  /** Whether an item lacks the language and is shown in the main one. */
  isFallback(id: number): boolean;
  values(): Iterable<WireContent>;
}

type Items = ReadonlyMap<number, WireContent>;

/** One language, filled from the main one where `main` is given. */
export function createCorpus(lang: string | undefined, items: Items, main?: Items): Corpus {
  if (!main)
    return { lang, get: (id) => items.get(id), isFallback: () => false, values: () => items.values() };
  return {
    lang,
    get: (id) => items.get(id) ?? main.get(id),
    isFallback: (id) => !items.has(id) && main.has(id),
    *values() {
      yield* items.values();
      for (const item of main.values()) if (!items.has(item._id)) yield item;
    },
  };
}
