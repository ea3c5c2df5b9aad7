import type { LoaderContext } from 'astro/loaders';
import { itemsInEntries } from '../../entries/items-in-entries.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';
import { openSanitizer } from '../../entries/sanitize/item-sanitizer.ts';
import { errorMessage } from '../../errors.ts';
import type { Replica } from '../../replica/replica.ts';
import type { RunningSpace } from '../../space/space.ts';
import { recordLoad } from '../collection-status.ts';
import { errorForAstro } from '../error-for-astro.ts';
import { openCollectionImages } from './collection-images.ts';
import { collectionsWithIds } from './collection-rules.ts';
import { type Changes, commitEntries } from './commit-entries.ts';
import { contentWarnings } from './content-warnings.ts';
import { collectionFingerprint, dataFingerprint, isStored, storeFingerprint } from './fingerprint.ts';
import { allReplicas, subLanguagesOf, syncLanguages } from './language-content.ts';
import { loadLine } from './load-log.ts';
import type { LoaderPlan } from './loader-options.ts';
import { checkIds, planEntries } from './plan-entries.ts';
import { DRAFTS_WARNING } from './shared-key.ts';
import { siteWarnings } from './site-warnings.ts';
import { stageEntries } from './stage-entries.ts';

/** Loads a collection into Astro's store. A dev server that has content keeps it if the load fails. */
export async function load(space: RunningSpace, plan: LoaderPlan, context: LoaderContext): Promise<void> {
  const { collection, logger, store } = context;
  space.runtime.collections.set(collection, plan);
  const langs = [undefined, ...subLanguagesOf(space, plan)];
  try {
    const { changes, warnings, main, isStale } = await updateStore(space, plan, context);
    logger.info(loadLine(collection, plan, changes));
    const moreWarnings = await siteWarnings(space, plan, main, context);
    warnAbout(moreWarnings, space, context);
    const warnedOfDrafts = [...warnings, ...moreWarnings].some(({ key }) => key === DRAFTS_WARNING);
    recordLoad(space, plan, context, { langs, isStale, warnedOfDrafts });
  } catch (error) {
    if (!context.watcher || store.keys().length === 0) throw errorForAstro(error);
    recordLoad(space, plan, context, { langs, error });
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
  const { store, meta, collection } = context;
  const replicas = await syncLanguages(space, plan, context);
  const { main } = replicas;
  const isStale = allReplicas(replicas).some(({ isFromCache }) => isFromCache);

  const images = await openCollectionImages(space, plan, context);
  const sanitizer = await openSanitizer(space.models);
  const data = dataFingerprint(space, plan, images, sanitizer);
  const withIds = collectionsWithIds(space.runtime, plan);
  const hasIdFunction = withIds.some(({ rule }) => typeof rule.id === 'function');
  const planned = hasIdFunction ? await planEntries(space, plan, replicas, collection) : undefined;
  const rules = withIds.map(({ fingerprint }) => fingerprint);
  const fingerprint = context.generateDigest(
    collectionFingerprint(space, { replicas, data, rules, collected: planned }),
  );
  if (isStored(meta, fingerprint)) {
    const warnings = storedWarnings(meta);
    warnAbout(warnings, space, context);
    const changes = { entries: store.keys().length, added: 0, changed: 0, removed: 0 };
    return { changes, warnings, main, isStale };
  }

  const collected = planned ?? (await planEntries(space, plan, replicas, collection));
  const { entries } = collected;
  const shown = itemsInEntries(space.models, entries, plan.depth);
  const warnings = [
    ...checkIds(space, plan, collected, collection),
    ...(await contentWarnings({ space, collection, drafts: plan.drafts, replica: main, shown })),
  ];
  // Before staging, which throws for invalid content.
  warnAbout(warnings, space, context);

  const measured = await images?.measure(entries);
  const staging = { space, plan, sanitizer, images: measured, dataFingerprint: data, context };
  const staged = await stageEntries(staging, entries);

  const ids = entries.map(({ id }) => id);
  const changes = commitEntries(context, ids, staged);
  meta.set(WARNINGS, JSON.stringify(warnings));
  // Skipped entries may become valid, and images reachable, without a change of anything in the fingerprint.
  const isComplete =
    staged.skipped.size === 0 && collected.withoutId.length === 0 && measured?.isComplete !== false;
  storeFingerprint(meta, isComplete ? fingerprint : undefined);
  return { changes, warnings, main, isStale };
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
