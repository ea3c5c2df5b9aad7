import { defineCollection } from 'astro:content';
import { space } from './space.ts';

export const collections = {
  articles: defineCollection({ loader: space.loader('article', { id: 'slug', body: 'body' }) }),
};
