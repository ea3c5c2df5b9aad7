// Shipped as it is, for Vite: the integration adds it to the site.

import settings, { loadLiveConfig } from 'virtual:astro-luid/revalidate';
import { revalidationMiddleware } from 'astro-luid/internal/server';

export const onRequest = revalidationMiddleware(settings, loadLiveConfig);
