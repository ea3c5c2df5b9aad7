import { errorMessage } from '../../../errors.ts';
import { milliseconds } from '../../../space/duration.ts';
import { fullSyncInterval } from '../../../space/replica-options.ts';
import type { RunningSpace } from '../../../space/space.ts';
import { changeDistance } from '../../loader/affected-items.ts';
import type { LoaderPlan } from '../../loader/loader-options.ts';
import type { LazyLiveSource } from '../lazy-live-source.ts';
import { type LiveChange, liveSources } from '../live-sources.ts';
import { collectionTags } from './cache-tags.ts';
import { type ChangedCollection, findChange, type UsedCollection } from './changed-tags.ts';
import { LiveReplica } from './live-replica.ts';
import type { ServedCollection } from './served-collection.ts';
import type { VersionState } from './version-state.ts';

/** The live collections of a space, without those that only previews show. */
export function collectionsOf({ runtime }: RunningSpace): Set<ServedCollection> {
  return runtime.share('live collections', () => new Set());
}

/** The live replica of a space, for published content or for drafts. All its live collections share it. */
export function liveReplicaOf(space: RunningSpace, drafts: boolean, source: LazyLiveSource): LiveReplica {
  return space.runtime.share(drafts ? 'live drafts' : 'live content', () => {
    const label = drafts ? 'Drafts' : 'Content';
    const openHost = async () => {
      const { openHost: open } = await import('./node-host.ts');
      return open(space, drafts, LOGGER);
    };
    const replica = new LiveReplica({
      source,
      space,
      openHost,
      maxAge: maxAgeOf(space, drafts),
      label,
      logger: LOGGER,
      findChange: createFindChange(() => comparedAlways(space, drafts)),
      everyTag: () => comparedAlways(space, drafts).flatMap(({ tagName }) => collectionTags(tagName)),
    });
    source.attach(replica);
    return replica;
  });
}

/** Runs on servers: there is no logger of Astro. */
const LOGGER = {
  info: (message: string) => console.info(`[astro-luid] ${message}`),
  warn: (message: string) => console.warn(`[astro-luid] ${message}`),
};

/** By default, content that could not be checked is served as long as content may be unverified anyway. */
function maxAgeOf(space: RunningSpace, drafts: boolean): number {
  const { onError = 'fail' } = space.settings;
  if (onError === 'stale') return Number.POSITIVE_INFINITY;
  return onError === 'fail' ? fullSyncInterval(space, drafts) : milliseconds(onError.stale, 'onError.stale');
}

/** Returns a function that compares two versions. Logs when a collection begins to fail, and when that ends. */
function createFindChange(
  always: () => readonly ServedCollection[],
): (before: VersionState, after: VersionState) => Promise<LiveChange> {
  const failing = new Set<ServedCollection>();
  return (before, after) => {
    const compared = new Set([...(before.used as readonly ServedCollection[]), ...always()]);
    const used = [...compared].map(
      (collection): UsedCollection => ({
        name: collection.tagName,
        queries: collection.queries,
        open: () => openCollection(collection, before, after),
        shownIds: () => shownIds(collection, before),
        succeed() {
          if (failing.delete(collection)) LOGGER.info(`${nameOf(collection)} works again`);
        },
        fail(error) {
          if (failing.has(collection)) return;
          failing.add(collection);
          LOGGER.warn(`${nameOf(collection)} fails, other collections go on: ${errorMessage(error)}`);
        },
      }),
    );
    return findChange(before.version, after.version, used);
  };
}

/** A cache outside of this process may have pages of collections that were never used in it. */
function comparedAlways(space: RunningSpace, drafts: boolean): readonly ServedCollection[] {
  if (!liveSources().hasOutsideCache) return [];
  return [...collectionsOf(space)].filter(({ plan }) => plan.drafts === drafts);
}

function nameOf({ name, plan }: ServedCollection): string {
  return name ?? `liveLoader(${JSON.stringify(plan.model)})`;
}

async function openCollection(
  collection: ServedCollection,
  before: VersionState,
  after: VersionState,
): Promise<ChangedCollection> {
  const images = await collection.images();
  const [was, is] = [await before.prepare(collection, images), await after.prepare(collection, images)];
  const { plan } = collection;
  return {
    name: collection.tagName,
    model: plan.model,
    distance: liveDistance(plan),
    backlinks: plan.backlinks,
    before: was.view,
    after: is.view,
    makerBefore: await collection.maker(was.images),
    makerAfter: await collection.maker(is.images),
    areImagesFound: was.images !== undefined && is.images?.knowsMoreThan(was.images) === true,
    queries: collection.queries,
    areListsKnown: !liveSources().hasOutsideCache,
  };
}

/** The lists that pages request may filter by what referenced content refers to, and so may referenced collections. */
function liveDistance(plan: LoaderPlan): number {
  const filterReach = 2;
  return Math.max(
    filterReach,
    changeDistance(
      plan,
      Object.keys(plan.references).map(() => ({ filterReach })),
    ),
  );
}

async function shownIds(collection: ServedCollection, state: VersionState): Promise<Set<string>> {
  const prepared = await state.prepared(collection);
  return new Set([...(prepared?.view.members ?? []).map(({ id }) => id), ...state.quickIds(collection)]);
}
