import { join } from 'node:path';
import { pathOfItem } from '../../entries/routes/content-route.ts';
import { openReplica } from '../../replica/open-replica.ts';
import type { Replica } from '../../replica/replica.ts';
import type { Logger } from '../../shared/logger.ts';
import { scopeLogger } from '../../space/content-scope.ts';
import { replicaOptions, type SyncedSpace } from '../../space/replica-options.ts';
import type { RedirectedRoute } from './redirect-options.ts';
import type { CurrentRoute } from './redirect-record.ts';

/** Syncs the content as a build does, and returns the paths that the routes give it. `cacheDir` is Astro's. */
export async function currentPaths(
  space: SyncedSpace,
  routes: readonly RedirectedRoute[],
  cacheDir: string,
  logger: Logger,
  offline = false,
): Promise<CurrentRoute[]> {
  const main = space.settings.languages?.main;
  const replicas = new Map<string | undefined, Replica>();
  for (const lang of new Set([main, ...routes.flatMap(({ langs }) => langs)])) {
    const scope = { drafts: false, lang: lang === main ? undefined : lang };
    const context = { cacheDir: join(cacheDir, 'astro-luid'), main: replicas.get(main) };
    const options = await replicaOptions(space, scope, {
      ...context,
      logger: scopeLogger(logger, scope, main),
    });
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
