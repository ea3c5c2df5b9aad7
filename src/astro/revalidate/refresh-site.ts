import { coalesce } from '../coalesce.ts';
import type { LiveChange, LiveSources } from '../live/live-sources.ts';
import { type RateLimit, RateLimitError } from './rate-limit.ts';
import { RefreshRefused } from './refresh-handler.ts';
import { refreshSources } from './refresh-sources.ts';
import type { Revalidation } from './revalidation.ts';

export interface RefreshSiteOptions {
  readonly sources: LiveSources;
  readonly revalidation: Pick<Revalidation, 'done'>;
  readonly limit: RateLimit;
}

/** Returns a function that checks all live content and revalidates. Calls at the same time share a check. */
export function createRefreshSite({
  sources,
  revalidation,
  limit,
}: RefreshSiteOptions): () => Promise<LiveChange> {
  return coalesce(async () => {
    if (limit.wait > 0) throw new RateLimitError(limit.wait);
    if (sources.forVisitors().length === 0) {
      throw new RefreshRefused(
        409,
        "no live collection has `from: 'replica'`, so there is nothing to refresh",
      );
    }
    limit.record();
    const change = await refreshSources(sources.forVisitors()).catch(async (error: unknown) => {
      // Other sources may have changed. A failure here is logged and retried; the first one is reported.
      await revalidation.done().catch(() => {});
      throw error;
    });
    await revalidation.done();
    return change;
  });
}
