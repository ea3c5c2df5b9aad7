import type { LoaderContext } from 'astro/loaders';
import { usesLanguages } from '../../entries/language-content.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';
import { idWarnings } from '../../entries/problems/id-warnings.ts';
import type { Replica } from '../../replica/replica.ts';
import { cacheDirOf } from '../../space/shared-sync.ts';
import type { RunningSpace } from '../../space/space.ts';
import type { CollectionSettings } from '../collection/options/loader-options.ts';
import { mainLanguageWarnings } from './main-language.ts';
import { sharedKeyWarnings } from './shared-key.ts';
import { maxIdSegments } from './site-routes.ts';

/** Problems that may come and go without a change of content: in keys, languages, routes. */
export async function siteWarnings(
  space: RunningSpace,
  settings: CollectionSettings,
  /** Of the main language. */
  replica: Replica,
  context: LoaderContext,
): Promise<ContentWarning[]> {
  const { drafts } = settings;
  const { collection, store, config } = context;
  return [
    ...idWarnings(collection, store.keys(), maxIdSegments(config.srcDir)),
    ...(drafts ? [] : await sharedKeyWarnings(space)),
    ...(usesLanguages(settings.rule)
      ? await mainLanguageWarnings(space, drafts, replica, cacheDirOf(context))
      : []),
  ];
}
