import type { ModelMap } from '../../models/types.ts';
import type { NoOptions } from '../collection/options/loaded-data.ts';
import type { CheckedOptions } from '../collection/options/loader-options.ts';
import type { LiveOptions, LiveSpace, ServiceLiveLoader } from './live-options.ts';
import { serviceLiveLoader } from './service-live-loader.ts';

export type {
  LiveCollectionFilter,
  LiveEntryFilter,
  LiveOptions,
  ServiceLiveLoader,
} from './live-options.ts';

/** `space.liveLoader(model, { from: 'service', … })` on its own. */
export function liveLoader<M extends ModelMap, N extends keyof M & string>(
  space: LiveSpace<M, string>,
  model: N,
): ServiceLiveLoader<M, N, NoOptions>;
export function liveLoader<
  M extends ModelMap,
  N extends keyof M & string,
  L extends string,
  const O extends LiveOptions<M, N, NoInfer<L>> | object,
>(
  space: LiveSpace<M, L>,
  model: N,
  options: CheckedOptions<M[N], O, LiveOptions<M, N, NoInfer<L>>>,
): ServiceLiveLoader<M, N, O>;
export function liveLoader(space: object, model: string, options: object = {}): never {
  return serviceLiveLoader(space as LiveSpace, model, options) as never;
}
