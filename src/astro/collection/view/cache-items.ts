import type { WireContent } from '../../../contract/content.ts';
import type { LanguageItems } from '../../../entries/language-items.ts';

/** Parses each item once, for as long as the result is used. */
export function cacheItems(languageItems: LanguageItems): LanguageItems {
  const items = new Map<number, WireContent | undefined>();
  return {
    ...languageItems,
    get(id) {
      if (!items.has(id)) items.set(id, languageItems.get(id));
      return items.get(id);
    },
  };
}
