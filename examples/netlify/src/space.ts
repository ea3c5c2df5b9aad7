import { defineSpace, field } from 'astro-luid';
import { createStorage } from 'unstorage';
import netlifyBlobs from 'unstorage/drivers/netlify-blobs';

/** Netlify Blobs, which functions share. Elsewhere, content is stored in node_modules/.astro. */
const blobs = { name: 'luid', consistency: 'strong' } as const;
const storage = process.env.SITE_ID ? createStorage({ driver: netlifyBlobs(blobs) }) : undefined;

/** The models that the pages use. URLs and the key come from the environment. */
export const space = defineSpace({
  cache: { storage },
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
