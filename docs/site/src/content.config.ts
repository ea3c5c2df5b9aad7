import { defineCollection } from 'astro:content';
import { docsSchema } from '@astrojs/starlight/schema';
import { glob } from 'astro/loaders';
import { pageId } from '../routes.mjs';

export const collections = {
  docs: defineCollection({
    loader: glob({
      base: '..',
      pattern: ['*.md', '{start,guides,reference}/*.md', 'ja/**/*.md'],
      generateId: ({ entry }) => pageId(entry),
    }),
    schema: docsSchema(),
  }),
};
