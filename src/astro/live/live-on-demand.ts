import type { LiveLoader } from 'astro/loaders';
import type { ServiceDepth } from '../../client/query/query-types.ts';
import type { LuidError } from '../../errors.ts';
import type { ModelMap } from '../../models/types.ts';
import type { RunningSpace } from '../../space/space.ts';
import { onNamed } from './collection-names.ts';
import { planReplicaLiveLoader } from './from-replica/replica-live-options.ts';
import type { CollectionIdentity } from './from-replica/served-collection.ts';
import { addLiveSource, LazyLiveSource } from './lazy-live-source.ts';
import type { SpaceLiveLoader } from './live.ts';
import { checkLiveOptions, type LiveOptions } from './live-options.ts';
import type { LiveSpace } from './live-space.ts';

/** A live loader that is imported when a page is requested: a build imports the space, and never needs it. */
export function liveLoaderOnDemand<
  M extends ModelMap,
  N extends keyof M & string,
  D extends ServiceDepth,
  L extends string,
>(
  space: LiveSpace<M, L>,
  model: N,
  options: LiveOptions<D, M, N, NoInfer<L>> = {},
): SpaceLiveLoader<M, N, D> {
  checkLiveOptions(space, model, options);
  let opening: Promise<SpaceLiveLoader<M, N, D>> | undefined;
  const open = () => {
    opening ??= import('./live.ts').then(({ liveLoader }) => liveLoader(space, model, options));
    return opening;
  };
  return {
    name: 'astro-luid',
    loadEntry: async (context) => (await open()).loadEntry(context),
    loadCollection: async (context) => (await open()).loadCollection(context),
  };
}

/** The same, from a replica. */
export function replicaLiveLoaderOnDemand(
  space: RunningSpace,
  model: string,
  options: object,
  shownBy: Omit<CollectionIdentity, 'name'> = { isPreview: false },
): AnyLiveLoader {
  const plan = planReplicaLiveLoader(space.models, space.settings, model, options);
  const { drafts } = plan.plan;
  const importing = () => import('./from-replica/replica-live-loader.ts');
  const loaders = space.runtime.share('live loaders', () => new Set<() => Promise<AnyLiveLoader>>());
  // Together: references lead to other collections, which may not have been used yet.
  const openAll = () => Promise.all([...loaders].map((openLoader) => openLoader()));
  const source = space.runtime.share(`live source ${drafts}`, () => {
    const created: LazyLiveSource = new LazyLiveSource(async () => {
      await openAll();
      const { liveReplicaOf } = await importing();
      return liveReplicaOf(space, drafts, created);
    });
    const { settings, keys, models } = space;
    addLiveSource(JSON.stringify([settings.baseUrl, settings.space, keys, drafts, models]), created);
    return created;
  });
  if (!shownBy.isPreview) source.isForPreviews = false;
  const identity: CollectionIdentity = { ...shownBy, name: undefined };
  let opening: Promise<AnyLiveLoader> | undefined;
  const openOne = () => {
    opening ??= importing().then(({ replicaLiveLoader }) => replicaLiveLoader(space, plan, source, identity));
    return opening;
  };
  if (!shownBy.isForOneRequest) loaders.add(openOne);
  const open = async () => {
    await openAll();
    return openOne();
  };
  const loader: AnyLiveLoader = {
    name: 'astro-luid',
    loadEntry: async (context) => (await open()).loadEntry(context),
    loadCollection: async (context) => (await open()).loadCollection(context),
  };
  const setName = (name: string) => {
    identity.name = name;
  };
  onNamed(loader, setName, source);
  return loader;
}

type AnyLiveLoader = LiveLoader<
  Record<string, unknown>,
  Record<string, unknown>,
  Record<string, unknown>,
  LuidError
>;
