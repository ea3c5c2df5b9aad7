/** The languages of the magazine: pages of the main one are at `/`, those of the other at `/en/`. */
export const LANGUAGES = ['ja', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of the parameter `[...lang]` in a page's path; `undefined` if there is no such page. */
export function languageOf(param: string | undefined): Language | undefined {
  return param === undefined ? 'ja' : param === 'en' ? 'en' : undefined;
}

export const otherLanguage = (lang: Language) => (lang === 'ja' ? 'en' : 'ja');

/** The URL of a page in a language: `to('en', 'articles', 'a')` is `/en/articles/a/`. */
export function to(lang: Language, ...path: string[]): string {
  return [...(lang === 'ja' ? [''] : ['', lang]), ...path, ''].join('/');
}

/** The URL of an entry's page in the other language, if it is translated. */
export function translationOf(
  { slug, _lang, _langs }: { slug: string; _lang: Language; _langs: { available: readonly string[] } },
  ...folder: string[]
): string | undefined {
  const other = otherLanguage(_lang);
  return _langs.available.includes(other) ? to(other, ...folder, slug) : undefined;
}

/** An entry's id without its language: `en/a` is `a`. */
export const slugOf = (id: string) => id.slice(id.indexOf('/') + 1);
