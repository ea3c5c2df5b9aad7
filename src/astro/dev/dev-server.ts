import type { HookParameters } from 'astro';
import { EventChecks, intervalWithEvents } from '../../shared/event-checks.ts';
import type { Environment } from '../../space/environment/env-files.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import { coalesce } from '../coalesce.ts';
import { collectionStatuses, forgetRemovedCollections, refreshFailure } from '../collection-status.ts';
import { liveSources } from '../live/live-sources.ts';
import { schedule } from '../live/schedule.ts';
import { refreshSources } from '../revalidate/refresh-site.ts';
import { loadedFingerprint } from './loaded-fingerprint.ts';
import { poll } from './poll.ts';
import { refreshEndpoint } from './refresh-endpoint.ts';
import { type EditUrl, serveToolbar } from './toolbar.ts';
import type { PageFindings } from './toolbar-messages.ts';

export interface DevOptions {
  readonly space: ConnectedSpace;
  readonly environment: Environment;
  /** Milliseconds, or `false` for no polling. */
  readonly interval: number | false;
  /** Nothing is requested. */
  readonly isOffline: boolean;
  readonly secret: string | undefined;
  /** A header with the secret, besides the usual ones. */
  readonly header: string | undefined;
  /** Astro's `base`. */
  readonly base: string;
  readonly editUrl: EditUrl | undefined;
  /** What is wrong with an item. */
  readonly findings: PageFindings;
  /** The dev server restarted, and kept the content that it had loaded. */
  readonly isRestart: boolean;
}

type Setup = Pick<HookParameters<'astro:server:setup'>, 'server' | 'toolbar' | 'refreshContent' | 'logger'>;

/**
 * Refreshes the content of a dev server: by polling, by the refresh endpoint, by the toolbar. Returns a function
 * that stops it. Astro itself reloads open pages, once per change of its store, with or without the toolbar; but
 * not if NODE_ENV is `test` or `production`.
 */
export function keepContentFresh(
  options: DevOptions,
  { server, toolbar, refreshContent, logger }: Setup,
): () => void {
  const { space, environment, interval, isOffline, secret, header, base, editUrl, isRestart } = options;
  const { findings } = options;
  const closing = new AbortController();
  /** The newest content of which something is known. */
  let known: string | undefined;

  const refresh = coalesce(async (reason: 'poll' | 'hook' | 'toolbar') => {
    showRefresh('running');
    const startedAt = Date.now();
    try {
      await refreshContent?.({ loaders: ['astro-luid'], context: { reason } });
      forgetRemovedCollections(startedAt);
      const failure = refreshFailure(startedAt, collectionStatuses(space));
      if (failure !== undefined) throw new Error(failure);
      await refreshSources(liveSources().forVisitors(), { isAfterEvent: reason === 'hook' });
      showRefresh('done');
    } catch (error) {
      showRefresh(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  });
  const showRefresh = serveToolbar({ toolbar, space, editUrl, findings, refresh: () => refresh('toolbar') });

  /** Of the content that was loaded after an event. */
  let announced: string | undefined;
  /** The last change was found after an event. */
  let areAnnounced = false;
  const checks = new EventChecks<boolean>({
    schedule,
    hasFound: (hasChanged) => hasChanged,
    async check({ isRepetition }) {
      // If it cannot be read, the refresh fails too, unless it makes no requests.
      const found = isOffline
        ? undefined
        : await loadedFingerprint(space, environment, { bypassCdn: true }).catch(() => undefined);
      const hasChanged = found !== undefined && found !== known;
      if (hasChanged || !isRepetition) await refresh('hook');
      if (!hasChanged) return false;
      announced = known = found;
      areAnnounced = true;
      return true;
    },
  });
  closing.signal.addEventListener('abort', () => checks.close());

  const onEvent = async () => {
    liveSources().reportEvent();
    await checks.add();
  };
  server.middlewares.use(refreshEndpoint({ secret, header, base, refresh: onEvent, logger }));
  if (interval !== false && !isOffline) {
    void poll({
      interval,
      delay: () => (areAnnounced ? intervalWithEvents(interval) : interval),
      readFingerprint: async () => {
        known = await loadedFingerprint(space, environment);
        return known;
      },
      isLoaded: (fingerprint) => fingerprint === announced,
      onChange: async () => {
        areAnnounced = false;
        announced = undefined;
        await refresh('poll');
      },
      logger,
      signal: closing.signal,
      isRestart,
      isStale: () => collectionStatuses(space).some(({ isStale }) => isStale),
    });
  }

  const close = () => closing.abort();
  server.httpServer?.once('close', close);
  return close;
}
