import type { WireContent } from '../contract/content.ts';

/** The items of a space as one language shows them. */
export interface Corpus {
  /** The language key, where the space has languages. */
  readonly lang: string | undefined;
  get(id: number): WireContent | undefined;
  /** Whether an item lacks the language and is shown in the main one. */
  isFallback(id: number): boolean;
  /** Whether an id is of existing content of a model that is not declared. */
  isUndeclared(id: number): boolean;
  values(): Iterable<WireContent>;
}

type Items = ReadonlyMap<number, WireContent>;

export interface CorpusOptions {
  readonly lang: string | undefined;
  readonly items: Items;
  /** The items of the main language, which fill what the other one lacks. */
  readonly fallback?: Items | undefined;
  /** Content of undeclared models that items refer to. */
  readonly undeclared: ReadonlySet<number>;
}

/** The items of one language. */
export function createCorpus({ lang, items, fallback: main, undeclared }: CorpusOptions): Corpus {
  const isUndeclared = (id: number) => undeclared.has(id);
  if (!main)
    return {
      lang,
      get: (id) => items.get(id),
      isFallback: () => false,
      isUndeclared,
      values: () => items.values(),
    };
  return {
    lang,
    get: (id) => items.get(id) ?? main.get(id),
    isFallback: (id) => !items.has(id) && main.has(id),
    isUndeclared,
    *values() {
      yield* items.values();
      for (const item of main.values()) if (!items.has(item._id)) yield item;
    },
  };
}
