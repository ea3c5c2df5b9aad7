import { defineSpace, field } from 'astro-luid';
import { createStorage } from 'unstorage';
import upstash from 'unstorage/drivers/upstash';

/** Redis, which functions and builds share. Vercel sets both variables; without them, each function has its own copy. */
const { KV_REST_API_URL: url, KV_REST_API_TOKEN: token } = process.env;
const redis = url && token ? { url, token, base: 'luid' } : undefined;
const storage = redis && createStorage({ driver: upstash(redis) });

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
