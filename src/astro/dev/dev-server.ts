import type { HookParameters } from 'astro';
import type { Environment } from '../../space/env-files.ts';
import { refreshEndpoint } from './dev-endpoint.ts';
import { type PolledSpace, readHeadsDigest } from './dev-heads.ts';
import { poll } from './dev-poll.ts';
import { shared } from './dev-refresh.ts';
import { failureSince, loadReports } from './load-reports.ts';
import { type EditUrl, serveToolbar } from './toolbar.ts';

export interface DevOptions {
  readonly space: PolledSpace;
  readonly environment: Environment;
  /** Milliseconds, or `false` for no polling. */
  readonly interval: number | false;
  readonly secret: string | undefined;
  readonly editUrl: EditUrl | undefined;
  /** The dev server was started again, with what it had loaded before. */
  readonly restarted: boolean;
}

type Setup = Pick<HookParameters<'astro:server:setup'>, 'server' | 'toolbar' | 'refreshContent' | 'logger'>;

/**
 * Keeps a dev server's content up to date: by polling, by the refresh endpoint, by the toolbar. Gives what
 * ends it. Open pages are Astro's to load again: it does so once for each change of its store, with the
 * toolbar or without, but not where NODE_ENV is `test` or `production`.
 */
export function keepFresh(
  options: DevOptions,
  { server, toolbar, refreshContent, logger }: Setup,
): () => void {
  const { space, environment, interval, secret, editUrl, restarted } = options;
  const closing = new AbortController();

  const refresh = shared(async (reason: 'poll' | 'hook' | 'toolbar') => {
    tell('begins');
    const begun = Date.now();
    try {
      await refreshContent?.({ loaders: ['astro-luid'], context: { reason } });
      const failure = failureSince(begun, loadReports(space));
      if (failure !== undefined) throw new Error(failure);
      tell('done');
    } catch (error) {
      tell(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  });
  const tell = serveToolbar({ toolbar, space, editUrl, refresh: () => refresh('toolbar') });

  server.middlewares.use(refreshEndpoint({ secret, refresh: () => refresh('hook'), logger }));
  if (interval !== false) {
    void poll({
      interval,
      look: () => readHeadsDigest(space, environment),
      onChange: () => refresh('poll'),
      logger,
      signal: closing.signal,
      resumes: restarted,
      isBehind: () => loadReports(space).some(({ isStale }) => isStale),
    });
  }

  const close = () => closing.abort();
  server.httpServer?.once('close', close);
  return close;
}
