// Shipped as it is, for Vite: the integration adds it to the site.

import settings from 'virtual:astro-luid/preview';
import { previewRequests } from 'astro-luid/internal/server';
import { astro } from '../astro-environment.ts';

export const onRequest = previewRequests({ ...settings, astro });
