import settings from 'virtual:astro-luid/revalidate';
import { liveSources } from '../live/live-sources.ts';
import { revalidateResponses } from './revalidate-responses.ts';
import { siteRevalidation } from './site-revalidation.ts';

// Loaded by path: the integration adds it to the site.
export const onRequest = revalidateResponses({
  sources: liveSources(),
  revalidation: siteRevalidation,
  isDev: settings.isDev,
});
