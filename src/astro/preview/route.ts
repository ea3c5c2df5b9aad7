// Shipped as it is, for Vite: the integration adds it to the site, for each of `PREVIEW_ROUTES`.

import settings from 'virtual:astro-luid/preview';
import { previewEndpoint } from 'astro-luid/internal/server';
import { astro } from '../astro-environment.ts';

export const prerender = false;
export const GET = previewEndpoint({ ...settings, astro });
