import settings, { loadLiveConfig } from 'virtual:astro-luid/revalidate';
import { createNaming } from '../live/collection-names.ts';
import { liveSources } from '../live/live-sources.ts';
import { revalidateResponses } from './revalidate-responses.ts';
import { siteRevalidation } from './revalidation.ts';

const sources = liveSources();
sources.hasOutsideCache = settings.hasOutsideCache;

// Loaded by path: the integration adds it to the site.
export const onRequest = revalidateResponses({
  sources,
  revalidation: siteRevalidation,
  isDev: settings.isDev,
  prepare: createNaming(loadLiveConfig),
});
