import type { LoaderContext } from 'astro/loaders';
import { subLanguagesOf } from '../../entries/language-content.ts';
import { type Content, replicasOf } from '../../replica/content/content.ts';
import { errorMessage } from '../../shared/errors.ts';
import { loadLanguage, localizedLogger } from '../../shared/messages/load-language.ts';
import { recordCollection } from '../../space/audited-content.ts';
import { findSetting } from '../../space/environment/environment.ts';
import { syncContent } from '../../space/shared-sync.ts';
import type { RunningSpace } from '../../space/space.ts';
import type { CollectionSettings } from '../collection/options/loader-options.ts';
import { recordLoad } from '../collection-status.ts';
import { errorForAstro } from '../error-for-astro.ts';
import { recordEntries } from '../feeds/loaded-entries.ts';
import { type BuildCollection, openBuildCollection } from './build-collection.ts';
import { commitEntries, type EntryCounts, loadLine } from './commit-entries.ts';
import { ContentErrorsOfLoads } from './content-errors-of-loads.ts';
import { DRAFTS_WARNING } from './shared-key.ts';
import { siteWarnings } from './site-warnings.ts';
import {
  type Advice,
  isUnchanged,
  loadStateOf,
  readAdvice,
  readPreviousLoad,
  storeAdvice,
  storeLoad,
} from './stored-load.ts';

/** Loads a collection into Astro's store. A dev server that has content keeps it if the load fails. */
export async function load(
  space: RunningSpace,
  settings: CollectionSettings,
  given: LoaderContext,
): Promise<void> {
  await loadLanguage();
  const context = { ...given, logger: localizedLogger(given.logger) };
  const errors = space.runtime.share('content errors', () => new ContentErrorsOfLoads());
  try {
    await errors.collect(context.collection, () => loadAndReport(space, settings, context));
  } catch (error) {
    throw errorForAstro(error);
  }
}

async function loadAndReport(
  space: RunningSpace,
  settings: CollectionSettings,
  context: LoaderContext,
): Promise<void> {
  const { collection, logger, store } = context;
  space.runtime.collections.set(collection, settings);
  recordCollection(space, settings, collection);
  const subLangs = subLanguagesOf(space, settings.rule);
  const langs = [undefined, ...subLangs];
  const baseUrl = await findSetting('baseUrl', space.settings);
  // A first load makes entries in any case: these modules are loaded while the service responds.
  if (store.keys().length === 0) void importMakers();
  try {
    const content = await syncContent(space, { drafts: settings.drafts, langs: subLangs }, context);
    try {
      const warnedOfDrafts = await loadContent(space, settings, context, content);
      const isStale = replicasOf(content).some(({ isFromCache }) => isFromCache);
      recordLoad(space, settings, context, { langs, baseUrl, isStale, warnedOfDrafts });
    } finally {
      // The next build starts from it, whether or not this one could use it.
      await Promise.all(replicasOf(content).map(({ stored }) => stored));
    }
    recordEntries(context);
  } catch (error) {
    if (!context.watcher || store.keys().length === 0) throw error;
    recordLoad(space, settings, context, { langs, baseUrl, error });
    logger.error(`${collection}: keeping the previous content. ${errorMessage(error)}`);
  }
}

/**
 * Difference and stage (`makeEntries`) → commit → advise. What can fail comes before the commit; advice decides
 * nothing. Returns whether there was a warning about drafts.
 */
async function loadContent(
  space: RunningSpace,
  settings: CollectionSettings,
  context: LoaderContext,
  content: Content,
): Promise<boolean> {
  const { store, meta, logger } = context;
  const collection = await openBuildCollection(space, settings, context);
  const previous = readPreviousLoad(meta);
  const everything = collection.hasIdFunction
    ? await (await import('./entries-to-make.ts')).allEntries(collection, content)
    : undefined;
  const state = loadStateOf(collection, content, everything?.entries);
  let counts: EntryCounts = { entries: store.keys().length, added: 0, changed: 0, removed: 0 };
  let advice = readAdvice(meta);
  if (!isUnchanged(previous, state)) {
    const { makeEntries, findAdvice } = await importMakers();
    const { made, staged } = await makeEntries(collection, content, previous, everything);
    counts = commitEntries(store, made.removed, staged);
    storeLoad(meta, staged.isComplete ? state : undefined, everything ? undefined : made.view);
    advice = findAdvice(collection, content, made, staged.invalid, advice);
    storeAdvice(meta, advice);
  }
  logger.info(loadLine(context.collection, settings, counts));
  return advise(collection, content, advice);
}

/** Imported when they are used: most loads of most builds find nothing changed. */
async function importMakers() {
  const [{ makeEntries }, { findAdvice }] = await Promise.all([
    import('./make-entries.ts'),
    import('./advice.ts'),
  ]);
  return { makeEntries, findAdvice };
}

async function advise(
  collection: BuildCollection,
  content: Content,
  advice: Advice | undefined,
): Promise<boolean> {
  const { space, settings, context } = collection;
  const hasAdvice = Object.values(advice ?? {}).some((part) => Object.values(part).flat().length > 0);
  const ofContent = advice && hasAdvice ? (await import('./advice.ts')).adviceLines(collection, advice) : [];
  const warnings = [...ofContent, ...(await siteWarnings(space, settings, content.main, context))];
  for (const { key, line } of warnings) space.runtime.once(key, () => context.logger.warn(line));
  return warnings.some(({ key }) => key === DRAFTS_WARNING);
}
