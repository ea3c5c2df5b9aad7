import { defineCollection } from 'astro:content';
import { LANGUAGES as langs } from './languages.ts';
import { ARTICLES, shop, space } from './space.ts';

export const collections = {
  articles: defineCollection({ loader: space.loader('article', ARTICLES) }),
  authors: defineCollection({ loader: space.loader('author', { langs, id: 'slug' }) }),
  categories: defineCollection({ loader: space.loader('category', { langs, id: 'slug' }) }),
  events: defineCollection({ loader: space.loader('event', { langs, id: 'slug' }) }),
  galleries: defineCollection({ loader: space.loader('gallery', { langs, id: 'slug' }) }),
  pages: defineCollection({ loader: space.loader('page', { langs, depth: 2, id: 'slug' }) }),
  items: defineCollection({ loader: shop.loader('item', { langs, id: 'slug' }) }),
};
