import type { HookParameters } from 'astro';
import { refreshEndpoint } from './dev-endpoint.ts';
import type { Environment } from './dev-environment.ts';
import { type PolledSpace, readHeadsDigest } from './dev-heads.ts';
import { poll } from './dev-poll.ts';
import { shared } from './dev-refresh.ts';
import { loadReports } from './dev-report.ts';
import { type EditUrl, serveToolbar } from './toolbar.ts';

export interface DevOptions {
  readonly space: PolledSpace;
  readonly environment: Environment;
  /** Milliseconds, or `false` for no polling. */
  readonly interval: number | false;
  readonly secret: string | undefined;
  readonly editUrl: EditUrl | undefined;
}

type Setup = Pick<HookParameters<'astro:server:setup'>, 'server' | 'toolbar' | 'refreshContent' | 'logger'>;

/** Keeps a dev server's content up to date: by polling, by the refresh endpoint, by the toolbar. Gives what ends it. */
export function keepFresh(
  options: DevOptions,
  { server, toolbar, refreshContent, logger }: Setup,
): () => void {
  const { space, environment, interval, secret, editUrl } = options;
  const closing = new AbortController();

  const refresh = shared(async (reason: 'poll' | 'hook' | 'toolbar') => {
    tell('begins');
    try {
      await refreshContent?.({ loaders: ['astro-luid'], context: { reason } });
      // A loader that goes on with what it had does not fail; but it did not load what changed either.
      const problems = new Set(loadReports(space).flatMap(({ problem }) => problem ?? []));
      if (problems.size > 0) throw new Error([...problems].join('\n'));
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
    });
  }

  const close = () => closing.abort();
  server.httpServer?.once('close', close);
  return close;
}
