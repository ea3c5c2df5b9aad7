import type { ReferencedCollection } from '../../../entries/collection.ts';
import type { FindInvalid } from '../../../entries/entry-shape.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { CollectionSettings } from '../options/loader-options.ts';

/** A collection of a build or a server: what its views are opened with. */
export interface Collection {
  readonly space: Pick<SpaceCore, 'models' | 'settings'>;
  readonly settings: CollectionSettings;
  /** Whether members are found by columns, which are kept for later versions; otherwise by items, as they are read. */
  readonly usesColumns: boolean;
  /** The collections that references lead to, by field. */
  readonly references: () => ReadonlyMap<string, ReferencedCollection>;
  /** Finds items to skip. `undefined`: invalid content is an error of the entries that show it. */
  readonly findInvalid: () => Promise<FindInvalid | undefined>;
}
