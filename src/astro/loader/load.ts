import type { LoaderContext } from 'astro/loaders';
import type { CollectedEntries, Entry } from '../../entries/collection.ts';
import { itemsInEntries } from '../../entries/items-in-entries.ts';
import { subLanguagesOf } from '../../entries/language-content.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';
import { openSanitizer, type Sanitizer } from '../../entries/sanitize/item-sanitizer.ts';
import { errorMessage } from '../../errors.ts';
import { pluralize } from '../../format-count.ts';
import type { Replica } from '../../replica/replica.ts';
import { recordCollection } from '../../space/audited-content.ts';
import { findSetting } from '../../space/environment.ts';
import { cacheDirOf } from '../../space/shared-sync.ts';
import type { RunningSpace } from '../../space/space.ts';
import { recordLoad } from '../collection-status.ts';
import { errorForAstro } from '../error-for-astro.ts';
import { recordEntries } from '../feeds/loaded-entries.ts';
import { type CollectionImages, openCollectionImages } from './collection-images.ts';
import { collectionsWithIds } from './collection-rules.ts';
import { type Changes, commitChanges, commitEntries } from './commit-entries.ts';
import { contentWarnings, mayChangeWarnings } from './content-warnings.ts';
import { dataFingerprint } from './data-fingerprint.ts';
import {
  collectionFingerprint,
  configurationFingerprint,
  isStored,
  storeFingerprint,
} from './fingerprint.ts';
import { loadLine } from './load-log.ts';
import type { LoaderPlan } from './loader-options.ts';
import { checkIds, planEntries } from './plan-entries.ts';
import { planUpdate } from './plan-update.ts';
import { DRAFTS_WARNING } from './shared-key.ts';
import { siteWarnings } from './site-warnings.ts';
import { type StagedEntries, stageEntries, stageNeighbours } from './stage-entries.ts';
import {
  countMembers,
  membersByLanguage,
  readMembers,
  referrersByLanguage,
  type StoredEntries,
  storeMembers,
} from './stored-members.ts';
import { allReplicas, type LanguageReplicas, syncLanguages } from './sync-languages.ts';

/** Loads a collection into Astro's store. A dev server that has content keeps it if the load fails. */
export async function load(space: RunningSpace, plan: LoaderPlan, context: LoaderContext): Promise<void> {
  const { collection, logger, store } = context;
  space.runtime.collections.set(collection, plan);
  recordCollection(space, plan, collection);
  const langs = [undefined, ...subLanguagesOf(space, plan.rule)];
  const baseUrl = await findSetting('baseUrl', space.settings.baseUrl);
  try {
    const { changes, warnings, main, isStale } = await updateStore(space, plan, context);
    logger.info(loadLine(collection, plan, changes));
    const moreWarnings = await siteWarnings(space, plan, main, context);
    warnAbout(moreWarnings, space, context);
    const warnedOfDrafts = [...warnings, ...moreWarnings].some(({ key }) => key === DRAFTS_WARNING);
    recordLoad(space, plan, context, { langs, baseUrl, isStale, warnedOfDrafts });
    recordEntries(context);
  } catch (error) {
    if (!context.watcher || store.keys().length === 0) throw errorForAstro(error);
    recordLoad(space, plan, context, { langs, baseUrl, error });
    logger.error(`${collection}: keeping the previous content. ${errorMessage(error)}`);
  }
}

interface LoadResult {
  readonly changes: Changes;
  readonly warnings: readonly ContentWarning[];
  /** The replica of the main language. */
  readonly main: Replica;
  /** Some language is from the cache: the service was unavailable, or LUID_OFFLINE is set. */
  readonly isStale: boolean;
}

/** Sync, plan the entries, check, render, commit. Everything that can fail comes before the store is changed. */
async function updateStore(
  space: RunningSpace,
  plan: LoaderPlan,
  context: LoaderContext,
): Promise<LoadResult> {
  const replicas = await syncLanguages(space, plan, context);
  try {
    return await updateFrom(replicas, space, plan, context);
  } finally {
    // The next build starts from it, whether or not this one could use it.
    await Promise.all(allReplicas(replicas).map(({ stored }) => stored));
  }
}

async function updateFrom(
  replicas: LanguageReplicas,
  space: RunningSpace,
  plan: LoaderPlan,
  context: LoaderContext,
): Promise<LoadResult> {
  const { store, meta, collection } = context;
  const { main } = replicas;
  const isStale = allReplicas(replicas).some(({ isFromCache }) => isFromCache);

  const images = await openCollectionImages(space, plan, {
    cacheDir: cacheDirOf(context),
    logger: context.logger,
  });
  const sanitizer = await openSanitizer(space.models);
  const data = dataFingerprint(space, plan, images, sanitizer);
  const withIds = collectionsWithIds(space, plan);
  const hasIdFunction = withIds.some(({ rule }) => typeof rule.id === 'function');
  const planned = hasIdFunction ? await planEntries(space, plan, replicas, collection) : undefined;
  const rules = withIds.map(({ fingerprint }) => fingerprint);
  const configuration = context.generateDigest(configurationFingerprint(space, data, rules));
  const fingerprint = context.generateDigest(collectionFingerprint(configuration, replicas, planned));
  if (isStored(meta, fingerprint)) {
    const warnings = storedWarnings(meta);
    warnAbout(warnings, space, context);
    const changes = { entries: store.keys().length, added: 0, changed: 0, removed: 0 };
    return { changes, warnings, main, isStale };
  }

  const load: CollectionLoad = {
    space,
    plan,
    context,
    replicas,
    images,
    sanitizer,
    data,
    configuration,
    fingerprint,
    planned,
  };
  return { main, isStale, ...((await updateEntries(load)) ?? (await makeAllEntries(load))) };
}

/** A load whose content is not what the store was made of. */
interface CollectionLoad {
  readonly space: RunningSpace;
  readonly plan: LoaderPlan;
  readonly context: LoaderContext;
  readonly replicas: LanguageReplicas;
  readonly images: CollectionImages | undefined;
  readonly sanitizer: Sanitizer | undefined;
  readonly data: string;
  /** Equal as long as equal content becomes equal entries. */
  readonly configuration: string;
  /** Equal as long as a load would store the same entries. */
  readonly fingerprint: string;
  /** All entries, if an `id` function took part. */
  readonly planned: CollectedEntries | undefined;
}

type StoreResult = Pick<LoadResult, 'changes' | 'warnings'>;

/** Makes the entries again that show what changed. `undefined` if it is not certain which these are. */
async function updateEntries(load: CollectionLoad): Promise<StoreResult | undefined> {
  const { space, plan, context, replicas } = load;
  const { store, meta, collection } = context;
  const stored = readMembers(meta);
  if (!stored || load.planned || stored.configuration !== load.configuration) return undefined;
  if (countMembers(stored) !== store.keys().length) return undefined;
  const warnings = storedWarnings(meta);
  const hasEntry = (id: string) => store.get(id) !== undefined;
  const update = await planUpdate({ space, plan, replicas, collection, stored, hasEntry });
  if (!update) return undefined;
  const shown = itemsInEntries(space.models, update.entries, plan.depth);
  const { main: replica } = replicas;
  const index = await replica.index();
  const content = { space, collection, drafts: plan.drafts, replica, shown, affected: update.affected };
  const exists = (id: number) => index.get(id) !== undefined;
  if (mayChangeWarnings({ ...content, known: warnings, exists })) return undefined;
  warnAbout(warnings, space, context);

  const { staged, isComplete } = await stage(load, update.entries, stageEntries);
  // The neighbours of skipped entries change too.
  if (plan.order && staged.skipped.size > 0) return undefined;
  warnOfSkipped(staged, context);
  context.logger.debug(`${collection}: ${pluralize(update.entries.length, 'entry', 'entries')} made again`);
  const changes = commitChanges(store, update.removed, staged);
  storeState(load, isComplete ? update : undefined);
  return { changes, warnings };
}

async function makeAllEntries(load: CollectionLoad): Promise<StoreResult> {
  const { space, plan, context, replicas } = load;
  const { store, meta, collection } = context;
  const collected = load.planned ?? (await planEntries(space, plan, replicas, collection));
  const { entries, withoutId } = collected;
  const shown = itemsInEntries(space.models, entries, plan.depth);
  const content = { space, collection, drafts: plan.drafts, replica: replicas.main, shown };
  const warnings = [...checkIds(space, plan, collected, collection), ...(await contentWarnings(content))];
  // Before staging, which throws for invalid content.
  warnAbout(warnings, space, context);

  const { staged, isComplete } = await stage(load, entries, plan.order ? stageNeighbours : stageEntries);
  warnOfSkipped(staged, context);
  const ids = entries.map(({ id }) => id);
  const changes = commitEntries(store, ids, staged);
  meta.set(WARNINGS, JSON.stringify(warnings.map(withFewItems)));
  const stored = { languages: membersByLanguage(plan, entries), ...referrersByLanguage(plan, entries) };
  storeState(load, isComplete && withoutId.length === 0 ? stored : undefined);
  // Too many to keep in Astro's store: then all entries are made again, whatever changed.
  if (warnings.some(({ items = [] }) => items.length > MAX_ITEMS)) storeMembers(meta, undefined);
  return { changes, warnings };
}

const MAX_ITEMS = 1000;

function withFewItems({ items, ...warning }: ContentWarning): ContentWarning {
  return items && items.length <= MAX_ITEMS ? { ...warning, items } : warning;
}

/** Skipped entries may become valid, and images reachable, without a change of anything in the fingerprint. */
async function stage(load: CollectionLoad, entries: readonly Entry[], stageAll: typeof stageEntries) {
  const { space, plan, context, sanitizer, data } = load;
  const images = await load.images?.measure(entries);
  const staged = await stageAll({ space, plan, sanitizer, images, dataFingerprint: data, context }, entries);
  return { staged, isComplete: staged.skipped.size === 0 && images?.isComplete !== false };
}

function warnOfSkipped({ warning }: StagedEntries, { logger }: LoaderContext): void {
  if (warning !== undefined) logger.warn(warning);
}

/** Remembers what the store contains; `undefined` if the next load has to make everything again. */
function storeState(
  { plan, context: { meta }, replicas, configuration, fingerprint }: CollectionLoad,
  entries: StoredEntries | undefined,
): void {
  storeFingerprint(meta, entries && fingerprint);
  const fingerprints = allReplicas(replicas).map((replica) => replica.fingerprint);
  const isUsable = typeof plan.rule.id !== 'function';
  if (!entries || !isUsable) storeMembers(meta, undefined);
  else {
    const { languages, referrers } = entries;
    const stored = { configuration, replicas: fingerprints, languages };
    storeMembers(meta, referrers ? { ...stored, referrers } : stored);
  }
}

function warnAbout(
  warnings: readonly ContentWarning[],
  { runtime }: RunningSpace,
  { logger }: LoaderContext,
): void {
  for (const { key, line } of warnings) runtime.once(key, () => logger.warn(line));
}

const WARNINGS = 'astro-luid:findings';

/** The warnings of the load that filled the store: a load that changes nothing warns about them again. */
function storedWarnings(meta: LoaderContext['meta']): ContentWarning[] {
  return JSON.parse(meta.get(WARNINGS) ?? '[]') as ContentWarning[];
}
