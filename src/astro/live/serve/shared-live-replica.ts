import { errorMessage } from '../../../shared/errors.ts';
import { milliseconds } from '../../../space/duration.ts';
import { fullSyncInterval } from '../../../space/replica-options.ts';
import type { RunningSpace } from '../../../space/space.ts';
import { LiveReplica } from '../check/live-replica.ts';
import type { VersionState } from '../check/version-state.ts';
import type { LazyLiveSource } from '../lazy-live-source.ts';
import { type LiveChange, liveSources } from '../live-sources.ts';
import { collectionTags } from '../tags/cache-tags.ts';
import { type CollectionReports, findChange } from '../tags/find-change.ts';
import type { ServedCollection } from './served-collection.ts';

/** The live collections of a space, without those that only previews show. */
export function collectionsOf({ runtime }: RunningSpace): Set<ServedCollection> {
  return runtime.share('live collections', () => new Set());
}

/** The live replica of a space, for published content or for drafts. All its live collections share it. */
export function sharedLiveReplica(space: RunningSpace, drafts: boolean, source: LazyLiveSource): LiveReplica {
  return space.runtime.share(drafts ? 'live drafts' : 'live content', () => {
    const label = drafts ? 'Drafts' : 'Content';
    const openHost = async () => {
      const { openHost: open } = await import('../check/node-host.ts');
      return open(space, drafts, LOGGER);
    };
    const replica = new LiveReplica({
      source,
      space,
      openHost,
      maxAge: maxAgeOf(space, drafts),
      verifyAfter: fullSyncInterval(space, drafts),
      label,
      logger: LOGGER,
      findChange: createFindChange(() => comparedAlways(space, drafts)),
      everyTag: () => comparedAlways(space, drafts).flatMap(({ tagName }) => collectionTags(tagName)),
    });
    source.attach(replica);
    return replica;
  });
}

/** Runs on servers, where Astro provides no logger. */
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
  const reports: CollectionReports = {
    succeed(collection) {
      if (failing.delete(collection)) LOGGER.info(`${nameOf(collection)} works again`);
    },
    fail(collection, error) {
      if (failing.has(collection)) return;
      failing.add(collection);
      LOGGER.warn(`${nameOf(collection)} fails, other collections go on: ${errorMessage(error)}`);
    },
  };
  return (before, after) =>
    findChange(
      before,
      after,
      new Set([...(before.used as readonly ServedCollection[]), ...always()]),
      reports,
    );
}

/** A cache outside of this process may have pages of collections that were never used in it. */
function comparedAlways(space: RunningSpace, drafts: boolean): readonly ServedCollection[] {
  if (!liveSources().hasOutsideCache) return [];
  return [...collectionsOf(space)].filter(({ settings }) => settings.drafts === drafts);
}

function nameOf({ name, settings }: ServedCollection): string {
  return name ?? `liveLoader(${JSON.stringify(settings.model)})`;
}
