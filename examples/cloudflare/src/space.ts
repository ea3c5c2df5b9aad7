import { defineSpace, field } from 'astro-luid';
import { openStorage } from './storage.ts';

/** The models that the pages use. URLs and the key come from the environment. */
export const space = defineSpace({
  cache: { storage: await openStorage() },
  models: {
    author: { name: field.text({ required: true }) },
    article: {
      title: field.text({ required: true }),
      slug: field.text({ required: true }),
      lead: field.multiline(),
      body: field.flexibleText({ images: true }),
      cover: field.media({ dimensions: true }),
      author: field.reference('author'),
    },
  },
});
