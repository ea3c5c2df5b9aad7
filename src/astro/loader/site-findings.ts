import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';
import { idWarnings } from '../../entries/problems/id-warnings.ts';
import type { Replica } from '../../replica/replica.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { LoaderPlan } from './loader-options.ts';
import { mainLanguageFindings } from './main-language.ts';
import { sameKeyFindings } from './same-keys.ts';
import { mostIdSegments } from './site-routes.ts';

/** What does not depend on the content alone, and so may change without it: keys, languages, routes. */
export async function siteFindings(
  space: SpaceCore,
  { drafts, lang, langs }: LoaderPlan,
  /** The copy in the main language. */
  replica: Replica,
  { collection, store, config }: LoaderContext,
): Promise<ContentWarning[]> {
  const usesLanguages = lang !== undefined || langs !== undefined;
  const language = () =>
    mainLanguageFindings({
      space,
      drafts,
      cacheDir: fileURLToPath(new URL('astro-luid', config.cacheDir)),
      offline: replica.isFromCache,
      items: () => replica.items(),
    });
  return [
    ...idWarnings(collection, store.keys(), mostIdSegments(config.srcDir)),
    ...(drafts ? [] : await sameKeyFindings(space)),
    ...(usesLanguages ? await language() : []),
  ];
}
