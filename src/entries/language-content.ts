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
  plan: Pick<LanguageOptions, 'lang' | 'langs'>,
): readonly string[] {
  return usesLanguages(plan) ? (settings.languages?.sub ?? []) : [];
}

/** The content of undeclared models that a replica knows of, by id. */
interface UndeclaredIds {
  readonly undeclared: ReadonlySet<number>;
  readonly undeclaredInMain: ReadonlySet<number>;
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
 * `itemsOf` is called for each replica.
 */
export async function languageContent<R extends UndeclaredIds>(
  { settings: { languages } }: SpaceLanguages,
  plan: LanguageOptions,
  { main, sub }: { readonly main: R; readonly sub: ReadonlyMap<string, R> },
  itemsOf: (replica: R) => Promise<ItemLookup> | ItemLookup,
): Promise<LanguageContent> {
  const mainItems = await itemsOf(main);
  const subItems = new Map<string, ItemLookup>();
  for (const [lang, replica] of sub) subItems.set(lang, await itemsOf(replica));

  const create = (lang: string | undefined, fallback: boolean) => {
    if (lang === undefined || lang === languages?.main)
      return createLanguageItems({ lang, items: mainItems, undeclared: main.undeclared });
    const replica = sub.get(lang);
    const undeclaredInMain = [...main.undeclared, ...(replica?.undeclaredInMain ?? [])];
    return createLanguageItems({
      lang,
      items: subItems.get(lang) ?? new Map(),
      fallback: fallback ? mainItems : undefined,
      undeclared: new Set([...(replica?.undeclared ?? []), ...(fallback ? undeclaredInMain : [])]),
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

  const itemsByLang = new Map([...(languages ? [[languages.main, mainItems] as const] : []), ...subItems]);
  const langsOf = (id: number) => [...itemsByLang].flatMap(([lang, items]) => (items.has(id) ? [lang] : []));
  return {
    languages: (plan.langs ?? [plan.lang]).map((lang) => itemsIn(lang, plan.fallback)),
    langsOf: usesLanguages(plan) ? langsOf : undefined,
    targetItems,
  };
}
