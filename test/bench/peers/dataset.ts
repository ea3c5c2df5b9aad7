import { textOf, titleOf } from '../text.ts';

/** The content that all loaders load, in a form that is independent of their services. */
export interface Dataset {
  readonly articles: Article[];
  readonly authors: Author[];
}

export interface Article {
  readonly n: number;
  title: string;
  readonly body: string;
  /** Index of the author. */
  readonly author: number;
  readonly image: number;
  readonly created: number;
  updated: number;
}

export interface Author {
  readonly n: number;
  name: string;
  readonly created: number;
  updated: number;
}

/** A change between two loads: `edit` and `remove` take the number of an article, `rename` that of an author. */
export type Change = { readonly edit: number } | { readonly remove: number } | { readonly rename: number };

/** Not more than Storyblok embeds in one page of a list. */
const AUTHORS = 50;
export const IMAGES = 20;
const START = Date.UTC(2025, 0, 1);
const BODY = textOf(1_800);

export function createDataset(size: number, authors = AUTHORS): Dataset {
  return {
    articles: Array.from({ length: size }, (_, n) => ({
      n,
      title: titleOf(n),
      body: `${n}: ${BODY}`,
      author: n % authors,
      image: n % IMAGES,
      created: START + (authors + n) * 1000,
      updated: START + (authors + n) * 1000,
    })),
    authors: Array.from({ length: authors }, (_, n) => ({
      n,
      name: `Author ${n}`,
      created: START + n * 1000,
      updated: START + n * 1000,
    })),
  };
}

export function applyChange({ articles, authors }: Dataset, change: Change): void {
  const now = Date.now();
  if ('rename' in change) {
    const author = authors[change.rename] as Author;
    Object.assign(author, { name: `${author.name}, renamed`, updated: now });
    return;
  }
  const n = 'edit' in change ? change.edit : change.remove;
  const index = articles.findIndex((article) => article.n === n);
  if ('remove' in change) articles.splice(index, 1);
  else Object.assign(articles[index] as Article, { title: `${titleOf(n)}, edited`, updated: now });
}
