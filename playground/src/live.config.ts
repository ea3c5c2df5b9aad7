import { defineLiveCollection } from 'astro:content';
import { space } from './space.ts';

/** What the list of drafts shows. */
export const collections = {
  drafts: defineLiveCollection({
    loader: space.liveLoader('article', { from: 'service', id: 'slug', drafts: true }),
  }),
};
