import { defineSpace, field } from 'astro-luid';

const title = field.text({ required: true, title: true });
const slug = field.text({ required: true });

/** The magazine. URLs and keys come from LUID_BASE_URL, LUID_ASSETS_URL and LUID_API_KEY. */
export const space = defineSpace({
  space: '_parent',
  languages: { main: 'ja', sub: ['en'] },
  models: {
    author: { name: title, slug, role: field.text(), bio: field.multiline(), portrait: field.media() },
    category: { name: title, slug },
    article: {
      title,
      slug,
      lead: field.multiline(),
      body: field.flexibleText({ images: { width: 680 } }),
      cover: field.media(),
      featured: field.boolean(),
      author: field.reference('author'),
      category: field.reference('category'),
    },
  },
  // Kept between restarts and deployments, so that a server starts with content, even if the service is down.
  cache: { dir: process.env.LUID_CACHE_DIR ?? '.cache/astro-luid' },
});
