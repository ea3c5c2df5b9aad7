// By its path: astro.config.mjs imports this file, and knows no alias.
import { type Language, to } from '../../examples/live/src/languages.ts';

export { LANGUAGES, type Language, slugOf, to } from '../../examples/live/src/languages.ts';

/** The parameter of `[...lang]` in a page's path. */
export const paramOf = (lang: Language) => (lang === 'ja' ? undefined : lang);

/** Whether a page of blocks is the one at the root of its language. */
export const isFront = (slug: string) => slug === 'front';

/** The URL of a page of blocks. */
export const toPage = (lang: Language, slug: string) => (isFront(slug) ? to(lang) : to(lang, slug));

/** The entries of one language. */
export function inLanguage<E extends { data: { _lang: Language } }>(
  entries: readonly E[],
  lang: Language,
): E[] {
  return entries.filter(({ data }) => data._lang === lang);
}
