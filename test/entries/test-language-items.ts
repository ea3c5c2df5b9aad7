import type { WireContent } from '../../src/contract/content.ts';
import { createLanguageItems, type LanguageItems } from '../../src/entries/language-items.ts';

/** All but content of models that no map here declares. */
const isDeclared = (id: number) => ![77, 78].includes(id);

/** The items of a space without languages. */
export function itemsWithoutLanguage(...items: WireContent[]): LanguageItems {
  return createLanguageItems({ lang: undefined, items: byId(items), isDeclared });
}

/** The items of a space as one language shows them, filled from the main one where `main` is passed. */
export function itemsInLanguage(
  lang: string,
  items: readonly WireContent[],
  main?: readonly WireContent[],
): LanguageItems {
  return createLanguageItems({
    lang,
    items: byId(items),
    fallback: main && byId(main),
    isDeclared,
  });
}

function byId(items: readonly WireContent[]): Map<number, WireContent> {
  return new Map(items.map((item) => [item._id, item]));
}
