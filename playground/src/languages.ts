/** The languages of the magazine: pages of the main one are at `/`, those of the other at `/en/`. */
export const LANGUAGES = ['ja', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The parameter of `[...lang]` in a page's path. */
export const paramOf = (lang: Language) => (lang === 'ja' ? undefined : lang);

/** The URL of a page in a language: `to('en', 'articles', 'a')` is `/en/articles/a/`. */
export function to(lang: Language, ...path: string[]): string {
  return `/${[paramOf(lang), ...path].filter(Boolean).join('/')}/`.replace('//', '/');
}

/** Whether a page of blocks is the one at the root of its language. */
export const isFront = (slug: string) => slug === 'front';

/** The URL of a page of blocks. */
export const toPage = (lang: Language, slug: string) => (isFront(slug) ? to(lang) : to(lang, slug));

/** An entry's id without its language: `en/a` is `a`. */
export const slugOf = (id: string) => id.slice(id.indexOf('/') + 1);

/** The entries of one language. */
export function inLanguage<E extends { data: { _lang: Language } }>(
  entries: readonly E[],
  lang: Language,
): E[] {
  return entries.filter(({ data }) => data._lang === lang);
}
