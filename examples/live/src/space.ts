import { defineSpace } from 'astro-luid';
import { languages, magazineModels, shopModels } from './models.ts';

// Kept between restarts and deployments, so that a server starts with content, even if the service is down.
const cache = { dir: process.env.LUID_CACHE_DIR ?? '.cache/astro-luid' };

/** The magazine. URLs and keys come from LUID_BASE_URL, LUID_ASSETS_URL and LUID_API_KEY. */
export const space = defineSpace({ space: '_parent', languages, cache, models: magazineModels });

/** The shop is a sub-space: one `defineSpace` for each. */
export const shop = defineSpace({ space: 'shop', languages, cache, models: shopModels });
