import type { ModelMap } from '../../models/types.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { Settings } from '../../space/space-options.ts';

/** What the live loader needs of a space. */
export type LiveSpace<M extends ModelMap = ModelMap, L extends string = string> = Pick<
  SpaceCore<M, L>,
  'models' | 'schema' | 'connect'
> & { readonly settings?: Pick<Settings<L>, 'space' | 'languages' | 'onInvalid'> };
