import type { Storage } from 'unstorage';
import type { WireContent } from '../../../contract/content.ts';
import type { Content } from '../../../replica/content/content.ts';
import type { CollectionImages } from '../../collection/make/collection-images.ts';
import type { CollectionSettings } from '../../collection/options/loader-options.ts';
import type { RefreshOptions } from '../live-sources.ts';

/** What a live replica needs of the server that it runs on. */
export interface LiveHost {
  /** Where the replica is stored. */
  readonly storage: Storage;
  /** Whether other servers use the same storage. */
  readonly isShared: boolean;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Never goes back, also if the clock of the system is set back: content would seem newer than it is. */
  readonly now: () => number;
  /** Astro's digest, where it is available, so that entries have the digests of a build. */
  readonly digest: (text: string) => string;
  /** Equal for equal items: the same as in a build, where it is available. */
  readonly hashItem?: ((item: WireContent) => string | number) | undefined;
  /**
   * Reads what the service has now, in these languages, and stores it. What `current` has too is not read again. Absent:
   * this server reads what others store.
   */
  readonly sync?:
    | ((langs: readonly string[], current: Content | undefined, options: RefreshOptions) => Promise<Content>)
    | undefined;
  readonly openImages: (settings: CollectionSettings) => Promise<CollectionImages | undefined>;
  /** Whether images are known by now that were not when entries were made: by what others store, which may be later. */
  readonly hasNewImages?: (() => Promise<boolean>) | undefined;
  /** Calls back later, without keeping the process alive. Absent: checks are made when a page is requested. */
  readonly schedule?: ((callback: () => void, milliseconds: number) => () => void) | undefined;
  /** Frees the memory of all segments but these. */
  readonly keepSegments?: ((hashes: ReadonlySet<string>) => void) | undefined;
}
