import { milliseconds } from '../../../space/duration.ts';
import { fullSyncInterval } from '../../../space/replica-options.ts';
import type { RunningSpace } from '../../../space/space.ts';
import { changeDistance } from '../../loader/affected-items.ts';
import type { LazyLiveSource } from '../lazy-live-source.ts';
import type { LiveChange } from '../live-sources.ts';
import { type ChangedCollection, findChange } from './changed-tags.ts';
import { LiveReplica } from './live-replica.ts';
import type { ServedCollection } from './served-collection.ts';
import type { VersionState } from './version-state.ts';

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
      findChange: findLiveChange,
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

async function findLiveChange(before: VersionState, after: VersionState): Promise<LiveChange> {
  const changed = (before.used as readonly ServedCollection[]).map(
    async (collection): Promise<ChangedCollection> => {
      const images = await collection.images();
      const [was, is] = [await before.prepare(collection, images), await after.prepare(collection, images)];
      const { plan } = collection;
      return {
        name: collection.tagName,
        model: plan.model,
        distance: changeDistance(plan),
        backlinks: plan.backlinks,
        before: was.view,
        after: is.view,
        makerBefore: await collection.maker(was.images),
        makerAfter: await collection.maker(is.images),
        queries: collection.queries,
      };
    },
  );
  return findChange(before.version, after.version, await Promise.all(changed));
}
