/** Pages of the main language are at `/`, those of the other at `/en/`. */
export const LANGUAGES = ['ja', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

const WORDS = {
  ja: {
    name: '港と山',
    tagline: '海と山のあいだの、暮らしと手仕事',
    articles: 'すべての記事',
    latest: '新しい記事',
    writtenBy: '書いた記事',
    newer: '新しい記事',
    older: '前の記事',
    missing: '見つかりません',
  },
  en: {
    name: 'Harbour and Mountain',
    tagline: 'Life and craft between the sea and the hills',
    articles: 'All articles',
    latest: 'Latest',
    writtenBy: 'Articles by this author',
    newer: 'Newer',
    older: 'Older',
    missing: 'Not found',
  },
};

export const wordsOf = (lang: Language) => WORDS[lang];

/** The language of the parameter `[...lang]`; `undefined` if there is no such page. */
export function languageOf(param: string | undefined): Language | undefined {
  return param === undefined ? 'ja' : param === 'en' ? 'en' : undefined;
}

/** The URL of a page in a language: `to('en', 'articles', 'a')` is `/en/articles/a`. */
export function to(lang: Language, ...path: string[]): string {
  return `/${[...(lang === 'ja' ? [] : [lang]), ...path].join('/')}`;
}

/** The slug of an entry id: `en/a` is `a`. */
export const slugOf = (id: string) => id.slice(id.indexOf('/') + 1);
