import { defineLiveCollection } from 'astro:content';
import { space } from './space.ts';

export const collections = {
  articles: defineLiveCollection({ loader: space.liveLoader('article', { id: 'slug', body: 'body' }) }),
};
