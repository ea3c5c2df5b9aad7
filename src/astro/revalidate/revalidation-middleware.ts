import type { MiddlewareHandler } from 'astro';
import { createNaming, type LoadLiveConfig } from '../live/collection-names.ts';
import { liveSources } from '../live/live-sources.ts';
import { revalidateResponses } from './revalidate-responses.ts';
import { siteRevalidation } from './revalidation.ts';

interface Settings {
  readonly isDev: boolean;
  readonly hasOutsideCache: boolean;
}

/** The middleware of a site with `revalidate: true`. */
export function revalidationMiddleware(
  { isDev, hasOutsideCache }: Settings,
  loadLiveConfig: LoadLiveConfig | undefined,
): MiddlewareHandler {
  const sources = liveSources();
  sources.hasOutsideCache = hasOutsideCache;
  const prepare = createNaming(loadLiveConfig);
  return revalidateResponses({ sources, revalidation: siteRevalidation, isDev, prepare });
}
