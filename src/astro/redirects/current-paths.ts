import { join } from 'node:path';
import { pathOfItem } from '../../entries/routes/content-route.ts';
import { openReplica } from '../../replica/open-replica.ts';
import type { Replica } from '../../replica/replica.ts';
import type { Logger } from '../../shared/logger.ts';
import { viewLogger } from '../../space/content-view.ts';
import { replicaOptions, type SyncedSpace } from '../../space/replica-options.ts';
import type { RedirectedRoute } from './redirect-options.ts';
import type { CurrentRoute } from './redirect-record.ts';

interface SyncContext {
  /** Astro's. */
  readonly cacheDir: string;
  readonly offline?: boolean;
  readonly logger: Logger;
}

/** Syncs the content as a build does, and returns the paths that the routes give it. */
export async function currentPaths(
  space: SyncedSpace,
  routes: readonly RedirectedRoute[],
  { cacheDir, offline = false, logger }: SyncContext,
): Promise<CurrentRoute[]> {
  const main = space.settings.languages?.main;
  const needed = new Set(routes.flatMap(({ langs }) => langs));
  const replicas = new Map<string | undefined, Replica>();
  for (const lang of new Set([main, ...needed])) {
    const view = { drafts: false, lang: lang === main ? undefined : lang };
    const context = { cacheDir: join(cacheDir, 'astro-luid'), main: replicas.get(main) };
    const options = await replicaOptions(space, view, { ...context, logger: viewLogger(logger, view, main) });
    replicas.set(lang, await openReplica({ ...options, offline: offline || options.offline === true }));
  }
  return Promise.all(
    routes.map(async (route) => {
      const paths = new Map<string, string>();
      for (const lang of route.langs) {
        for (const item of (await replicas.get(lang)?.items())?.values() ?? []) {
          const path = item._model === route.model ? pathOfItem(route, item, lang) : undefined;
          const entry = route.langs.length > 1 ? `${item._id}/${lang}` : String(item._id);
          if (path !== undefined) paths.set(entry, path);
        }
      }
      return { route: route.route, keep: route.keep, paths };
    }),
  );
}
