import { defineSpace, field } from 'astro-luid';
import { column } from './column.ts';

/** Address and key come from LUID_BASE_URL, LUID_ASSETS_URL and LUID_API_KEY. */
export const space = defineSpace({
  models: {
    author: {
      name: field.text({ required: true, title: true }),
      bio: field.multiline(),
      portrait: field.media({ dimensions: true }),
    },
    article: {
      title: field.text({ required: true, title: true }),
      slug: field.text({ required: true }),
      lead: field.multiline(),
      body: field.flexibleText({ images: column }),
      category: field.select(['travel', 'food', 'craft']),
      tags: field.multiSelect(['sea', 'mountain', 'night', 'tea']),
      cover: field.media({ dimensions: true }),
      author: field.reference('author'),
      related: field.repeat({ article: field.reference('article') }),
    },
  },
});
