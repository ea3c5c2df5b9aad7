import type { CollectionImages, MeasuredImages } from '../../collection/make/collection-images.ts';
import type { EntryMaker } from '../../collection/make/entry-maker.ts';
import type { Collection } from '../../collection/view/collection.ts';
import type { RegisteredQueries } from '../tags/registered-queries.ts';

/** What a collection is besides its options. */
export interface CollectionIdentity {
  readonly isPreview: boolean;
  /** Its `id` function is that of one request, so nothing is kept of it. */
  readonly isForOneRequest?: boolean | undefined;
  /** Its name in live.config, known when it is first used, or before if the middleware knows it. */
  name: string | undefined;
}

/** A live collection with everything that its loader keeps for it. */
export interface ServedCollection extends Collection {
  /** Names it in cache tags, equally on all servers. */
  readonly tagName: string;
  readonly queries: RegisteredQueries;
  images(): Promise<CollectionImages | undefined>;
  maker(images: MeasuredImages | undefined): Promise<EntryMaker>;
  readonly name: string | undefined;
}
