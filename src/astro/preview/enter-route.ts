import settings from 'virtual:astro-luid/preview';
import { createEnter } from './preview-endpoints.ts';

// Loaded by path: the integration adds it to the site.
export const prerender = false;
export const GET = createEnter(settings);
