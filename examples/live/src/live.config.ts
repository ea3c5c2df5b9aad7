import { defineLiveCollection } from 'astro:content';
import { shop, space } from './space.ts';

const everywhere = { refresh: '5s', id: 'slug', langs: ['ja', 'en'] } as const;

export const collections = {
  articles: defineLiveCollection({
    loader: space.liveLoader('article', {
      ...everywhere,
      depth: 2,
      body: 'body',
      neighbours: { order: '-_published_at' },
    }),
  }),
  // For lists: only what is shown there, so that a renamed author renders no list of articles again.
  stories: defineLiveCollection({
    loader: space.liveLoader('article', {
      ...everywhere,
      fields: ['title', 'slug', 'lead', 'cover', 'category', 'tags'],
    }),
  }),
  authors: defineLiveCollection({ loader: space.liveLoader('author', everywhere) }),
  categories: defineLiveCollection({ loader: space.liveLoader('category', everywhere) }),
  categoryLinks: defineLiveCollection({
    loader: space.liveLoader('category', { ...everywhere, fields: ['name', 'slug'] }),
  }),
  events: defineLiveCollection({ loader: space.liveLoader('event', everywhere) }),
  galleries: defineLiveCollection({ loader: space.liveLoader('gallery', everywhere) }),
  pages: defineLiveCollection({ loader: space.liveLoader('page', { ...everywhere, depth: 2 }) }),
  items: defineLiveCollection({ loader: shop.liveLoader('item', everywhere) }),
};
