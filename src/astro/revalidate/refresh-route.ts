// Shipped as it is, for Vite: the integration adds it to the site as `/_luid/refresh`. Importing astro:content evaluates
// live.config, which adds the live sources.
import 'astro:content';
import settings from 'virtual:astro-luid/revalidate';
import { refreshEndpoint } from 'astro-luid/internal/server';
import { astro } from '../astro-environment.ts';

export const prerender = false;
export const ALL = refreshEndpoint({ ...settings, astro });
