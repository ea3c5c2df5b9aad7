import { EventChecks, type EventChecksOptions } from '../../shared/event-checks.ts';
import {
  hasChanged,
  type LiveChange,
  type LiveSource,
  type LiveSources,
  type RefreshOptions,
} from '../live/live-sources.ts';
import { schedule } from '../live/schedule.ts';
import { announcedModel } from './announced-model.ts';
import { RefreshRefused } from './refresh-handler.ts';
import type { Revalidation } from './revalidation.ts';

export interface RefreshSiteOptions extends Partial<Pick<EventChecksOptions<never>, 'schedule' | 'now'>> {
  readonly sources: LiveSources;
  readonly revalidation: Pick<Revalidation, 'done'> & { readonly canInvalidate?: boolean };
  /** Whether visitors may see drafts: then events are of use to a site without live collections, too. */
  readonly hasPreview?: boolean;
}

interface SiteRefresh extends LiveChange {
  /** `false` if the cache of this server has no way to invalidate pages: the content is fresh, pages may be older. */
  readonly invalidated?: false;
}

/**
 * Returns a function that takes the body of an event, checks all live content and revalidates. Events share checks: see
 * {@link EventChecks}.
 */
export function createRefreshSite({
  sources,
  revalidation,
  hasPreview = false,
  ...options
}: RefreshSiteOptions): (body?: string) => Promise<SiteRefresh> {
  const checks = new EventChecks({
    schedule,
    ...options,
    hasFound: hasChanged,
    async check(): Promise<SiteRefresh> {
      const change = await refreshSources(sources.forVisitors(), { isAfterEvent: true }).catch(
        async (error: unknown) => {
          // Other sources may have changed. A failure here is logged and retried; the first one is reported.
          await revalidation.done().catch(() => {});
          throw error;
        },
      );
      await revalidation.done();
      return revalidation.canInvalidate === false ? { ...change, invalidated: false } : change;
    },
  });
  return async (body = '') => {
    sources.reportEvent();
    const live = sources.forVisitors();
    if (live.length > 0) return checks.add({ isRelevant: isRelevant(announcedModel(body), live) });
    if (hasPreview) return refreshSources([]);
    throw new RefreshRefused(
      409,
      'no live collection is served from the replica, so there is nothing to refresh',
    );
  };
}

/** Checks live sources for changes. Throws if one fails, after the others are done. */
export async function refreshSources(
  sources: readonly LiveSource[],
  options?: RefreshOptions,
): Promise<LiveChange> {
  const results = await Promise.allSettled(sources.map(async (source) => source.refresh(options)));
  const changes = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const sum = (count: 'added' | 'changed' | 'removed') =>
    changes.reduce((total, change) => total + change[count], 0);
  return {
    added: sum('added'),
    changed: sum('changed'),
    removed: sum('removed'),
    tags: [...new Set(changes.flatMap(({ tags }) => tags))],
  };
}

/** Whether live content may contain items of a model. */
function isRelevant(model: string | undefined, sources: readonly LiveSource[]): boolean {
  return model === undefined || sources.some(({ models }) => models?.includes(model) ?? true);
}
