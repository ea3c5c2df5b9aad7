import { defineCollection } from 'astro:content';
import { space } from './space.ts';

export const collections = {
  articles: defineCollection({ loader: space.loader('article', { depth: 2, id: 'slug', body: 'body' }) }),
  authors: defineCollection({ loader: space.loader('author') }),
};
