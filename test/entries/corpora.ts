import type { WireContent } from '../../src/contract/content.ts';
import { type Corpus, createCorpus } from '../../src/entries/corpus.ts';

/** The items of a space without languages. */
export function corpusOf(...items: WireContent[]): Corpus {
  return createCorpus(undefined, byId(items));
}

/** The items of a space as one language shows them, filled from the main one where `main` is passed. */
export function corpusIn(lang: string, items: readonly WireContent[], main?: readonly WireContent[]): Corpus {
  return createCorpus(lang, byId(items), main && byId(main));
}

function byId(items: readonly WireContent[]): Map<number, WireContent> {
  return new Map(items.map((item) => [item._id, item]));
}
