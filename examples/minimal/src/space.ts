import { defineSpace, field } from 'astro-luid';

/** The models that the pages use. URLs and the key come from `.env`. */
export const space = defineSpace({
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
