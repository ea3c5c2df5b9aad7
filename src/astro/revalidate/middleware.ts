// Shipped as it is, for Vite: the integration adds it to the site.
import { revalidationMiddleware } from 'astro-luid/internal/server';
import settings, { loadLiveConfig } from 'virtual:astro-luid/revalidate';

export const onRequest = revalidationMiddleware(settings, loadLiveConfig);
