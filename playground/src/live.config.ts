import { defineLiveCollection } from 'astro:content';
import { space } from './space.ts';

const drafts = { depth: 2, id: 'slug', body: 'body', drafts: true } as const;

/** What the preview shows, one collection for each language. */
export const collections = {
  drafts: defineLiveCollection({ loader: space.liveLoader('article', drafts) }),
  draftsInEnglish: defineLiveCollection({ loader: space.liveLoader('article', { ...drafts, lang: 'en' }) }),
};
