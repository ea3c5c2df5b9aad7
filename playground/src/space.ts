import { defineSpace } from 'astro-luid';
// By their path: astro.config.mjs imports this file, and knows no alias.
import { LANGUAGES } from '../../examples/live/src/languages.ts';
import { languages, magazineModels, shopModels } from '../../examples/live/src/models.ts';

/** The magazine. URLs and keys come from LUID_BASE_URL, LUID_ASSETS_URL, LUID_API_KEY and LUID_DRAFT_API_KEY. */
export const space = defineSpace({ space: '_parent', languages, models: magazineModels });

/** What an article's page shows, published or in preview. */
export const ARTICLES = {
  langs: LANGUAGES,
  depth: 2,
  id: 'slug',
  body: 'body',
  neighbours: { order: '-_published_at' },
} as const;

/** The shop is a sub-space: one `defineSpace` for each. */
export const shop = defineSpace({ space: 'shop', languages, models: shopModels });
