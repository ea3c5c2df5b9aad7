import settings from 'virtual:astro-luid/preview';
import { previewEndpoint } from './preview-endpoints.ts';

// Loaded by path: the integration adds it to the site, for each of `PREVIEW_ROUTES`.
export const prerender = false;
export const GET = previewEndpoint(settings);
