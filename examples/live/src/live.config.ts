import { defineLiveCollection } from 'astro:content';
import { space } from './space.ts';

const everywhere = { from: 'replica', refresh: '5s', id: 'slug', langs: ['ja', 'en'] } as const;

export const collections = {
  articles: defineLiveCollection({
    loader: space.liveLoader('article', {
      ...everywhere,
      body: 'body',
      neighbours: { order: '-_published_at' },
    }),
  }),
  // For lists: without the author, so that a renamed author changes no list.
  stories: defineLiveCollection({
    loader: space.liveLoader('article', { ...everywhere, fields: ['title', 'slug', 'lead', 'cover'] }),
  }),
  authors: defineLiveCollection({ loader: space.liveLoader('author', everywhere) }),
};
