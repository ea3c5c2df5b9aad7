import type { CollectionImages, MeasuredImages } from '../../loader/collection-images.ts';
import type { LiveCollection } from './collection-view.ts';
import type { EntryMaker } from './make-entries.ts';
import type { RegisteredQueries } from './registered-queries.ts';

/** A live collection with everything that its loader keeps for it. */
export interface ServedCollection extends LiveCollection {
  /** Names it in cache tags, equally on all servers. */
  readonly tagName: string;
  readonly queries: RegisteredQueries;
  images(): Promise<CollectionImages | undefined>;
  maker(images: MeasuredImages | undefined): Promise<EntryMaker>;
  /** The name of the collection, known when it is first used. */
  name: string | undefined;
}
