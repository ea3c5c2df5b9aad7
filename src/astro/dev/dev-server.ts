import type { HookParameters } from 'astro';
import type { Environment } from '../../space/env-files.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import { coalesce } from '../coalesce.ts';
import { collectionStatuses, forgetRemovedCollections, refreshFailure } from '../collection-status.ts';
import { liveSources } from '../live/live-sources.ts';
import { refreshSources } from '../revalidate/refresh-sources.ts';
import { loadedFingerprint } from './loaded-fingerprint.ts';
import { poll } from './poll.ts';
import { refreshEndpoint } from './refresh-endpoint.ts';
import { type EditUrl, serveToolbar } from './toolbar.ts';

export interface DevOptions {
  readonly space: ConnectedSpace;
  readonly environment: Environment;
  /** Milliseconds, or `false` for no polling. */
  readonly interval: number | false;
  readonly secret: string | undefined;
  /** Astro's `base`. */
  readonly base: string;
  readonly editUrl: EditUrl | undefined;
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
  const { space, environment, interval, secret, base, editUrl, isRestart } = options;
  const closing = new AbortController();

  const refresh = coalesce(async (reason: 'poll' | 'hook' | 'toolbar') => {
    showRefresh('running');
    const startedAt = Date.now();
    try {
      await refreshContent?.({ loaders: ['astro-luid'], context: { reason } });
      forgetRemovedCollections(startedAt);
      const failure = refreshFailure(startedAt, collectionStatuses(space));
      if (failure !== undefined) throw new Error(failure);
      await refreshSources(liveSources().forVisitors());
      showRefresh('done');
    } catch (error) {
      showRefresh(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  });
  const showRefresh = serveToolbar({ toolbar, space, editUrl, refresh: () => refresh('toolbar') });

  server.middlewares.use(refreshEndpoint({ secret, base, refresh: () => refresh('hook'), logger }));
  if (interval !== false) {
    void poll({
      interval,
      readFingerprint: () => loadedFingerprint(space, environment),
      onChange: () => refresh('poll'),
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
