import type { RunningSpace } from '../../space/space.ts';
import { onNamed } from './collection-names.ts';
import { addLiveSource, LazyLiveSource } from './lazy-live-source.ts';
import {
  type AnyLiveLoader,
  checkLiveOptions,
  type LiveOptions,
  type ReplicaLiveOptions,
  type ServiceLiveOptions,
} from './live-options.ts';
import { checkReplicaLiveOptions } from './serve/replica-live-options.ts';
import type { CollectionIdentity } from './serve/served-collection.ts';

/** A live loader that is imported when a page is requested: a build imports the space, and never needs it. */
export function spaceLiveLoader(
  space: RunningSpace,
  model: string,
  options: ReplicaLiveOptions | ServiceLiveOptions,
  shownBy?: Omit<CollectionIdentity, 'name'>,
): AnyLiveLoader {
  if (options.from !== 'service') return replicaLoaderOnDemand(space, model, options, shownBy);
  const { from: _, ...serviceOptions } = options;
  return serviceLoaderOnDemand(space, model, serviceOptions);
}

function serviceLoaderOnDemand(space: RunningSpace, model: string, options: LiveOptions): AnyLiveLoader {
  checkLiveOptions(space, model, options);
  let opening: Promise<AnyLiveLoader> | undefined;
  return loaderOnDemand(() => {
    opening ??= import('./service-live-loader.ts').then(({ serviceLiveLoader }) =>
      serviceLiveLoader(space, model, options),
    );
    return opening;
  });
}

function loaderOnDemand(open: () => Promise<AnyLiveLoader>): AnyLiveLoader {
  return {
    name: 'astro-luid',
    loadEntry: async (context) => (await open()).loadEntry(context),
    loadCollection: async (context) => (await open()).loadCollection(context),
  };
}

function replicaLoaderOnDemand(
  space: RunningSpace,
  model: string,
  options: ReplicaLiveOptions,
  shownBy: Omit<CollectionIdentity, 'name'> = { isPreview: false },
): AnyLiveLoader {
  const checked = checkReplicaLiveOptions(space.models, space.settings, model, options);
  const { drafts } = checked.settings;
  const importing = () => import('./serve/replica-live-loader.ts');
  const loaders = space.runtime.share('live loaders', () => new Set<() => Promise<AnyLiveLoader>>());
  // Together: references lead to other collections, which may not have been used yet.
  const openAll = () => Promise.all([...loaders].map((openLoader) => openLoader()));
  const source = space.runtime.share(`live source ${drafts}`, () => {
    const created: LazyLiveSource = new LazyLiveSource(async () => {
      await openAll();
      const { sharedLiveReplica } = await importing();
      return sharedLiveReplica(space, drafts, created);
    }, Object.keys(space.models));
    const { baseUrl, space: subSpace, astro } = space.settings;
    const definition = JSON.stringify([baseUrl, subSpace, space.keys, drafts, space.models]);
    addLiveSource(definition, created, astro?.isDev ?? false);
    return created;
  });
  if (!shownBy.isPreview) source.isForPreviews = false;
  const identity: CollectionIdentity = { ...shownBy, name: undefined };
  let opening: Promise<AnyLiveLoader> | undefined;
  const openOne = () => {
    opening ??= importing().then(({ replicaLiveLoader }) =>
      replicaLiveLoader(space, checked, source, identity),
    );
    return opening;
  };
  if (!shownBy.isForOneRequest) loaders.add(openOne);
  const loader = loaderOnDemand(async () => {
    await openAll();
    return openOne();
  });
  const setName = (name: string) => {
    identity.name = name;
  };
  onNamed(loader, setName, source);
  return loader;
}
