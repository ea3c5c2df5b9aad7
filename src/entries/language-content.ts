import { createLanguageItems, type ItemLookup, type LanguageItems } from './language-items.ts';

/** The language options of a collection. */
export interface LanguageOptions {
  readonly lang: string | undefined;
  readonly langs: readonly string[] | undefined;
  readonly fallback: boolean;
}

/** The languages of a space. */
interface SpaceLanguages {
  readonly settings: {
    readonly languages?: { readonly main: string; readonly sub?: readonly string[] } | undefined;
  };
}

export function usesLanguages({ lang, langs }: Pick<LanguageOptions, 'lang' | 'langs'>): boolean {
  return lang !== undefined || langs !== undefined;
}

/** The sub-languages that a collection needs. All of them, since `_langs` lists those that an item has. */
export function subLanguagesOf(
  { settings }: SpaceLanguages,
  options: Pick<LanguageOptions, 'lang' | 'langs'>,
): readonly string[] {
  return usesLanguages(options) ? (settings.languages?.sub ?? []) : [];
}

/** The items of one language. */
interface Items extends ItemLookup {
  /** Removed items that others may still refer to. */
  readonly removed: ReadonlySet<number>;
}

export interface LanguageContent {
  /** The content of each language that the collection has entries in. */
  readonly languages: readonly LanguageItems[];
  /** The languages that an item has data in. Absent: the collection does not use languages. */
  readonly langsOf: ((id: number) => string[]) | undefined;
  /**
   * Where another collection finds what content in `lang` refers to: in the same language, or in its own if it has
   * only one. `undefined`: it does not have the language.
   */
  readonly targetItems: (target: LanguageOptions, lang: string | undefined) => LanguageItems | undefined;
}

/**
 * The items of a collection's languages, with those of the main language where the others fall back to it.
 */
export function languageContent(
  { settings: { languages } }: SpaceLanguages,
  options: LanguageOptions,
  { main, sub }: { readonly main: Items; readonly sub: ReadonlyMap<string, Items> },
): LanguageContent {
  // In any language: what exists in another one only is not shown in this one.
  const isDeclared = (id: number) =>
    [main, ...sub.values()].some((items) => items.has(id) || items.removed.has(id));
  const create = (lang: string | undefined, fallback: boolean) => {
    if (lang === undefined || lang === languages?.main)
      return createLanguageItems({ lang, items: main, isDeclared });
    return createLanguageItems({
      lang,
      items: sub.get(lang) ?? new Map(),
      fallback: fallback ? main : undefined,
      isDeclared,
    });
  };
  const created = new Map<string, LanguageItems>();
  const itemsIn = (lang: string | undefined, fallback: boolean) => {
    const key = JSON.stringify([lang, fallback]);
    const items = created.get(key) ?? create(lang, fallback);
    created.set(key, items);
    return items;
  };
  const targetItems = (target: LanguageOptions, lang = languages?.main) => {
    if (!target.langs) return itemsIn(target.lang, target.fallback);
    const hasLanguage = lang !== undefined && target.langs.includes(lang);
    return hasLanguage ? itemsIn(lang, target.fallback) : undefined;
  };

  const itemsByLang = new Map([...(languages ? [[languages.main, main] as const] : []), ...sub]);
  const langsOf = (id: number) => [...itemsByLang].flatMap(([lang, items]) => (items.has(id) ? [lang] : []));
  return {
    languages: (options.langs ?? [options.lang]).map((lang) => itemsIn(lang, options.fallback)),
    langsOf: usesLanguages(options) ? langsOf : undefined,
    targetItems,
  };
}
