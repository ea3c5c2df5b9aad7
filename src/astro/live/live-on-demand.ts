import type { ServiceDepth } from '../../client/query/query-types.ts';
import type { ModelMap } from '../../models/types.ts';
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
