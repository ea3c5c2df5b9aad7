import type { Storage } from 'unstorage';
import type { WireContent } from '../../../contract/content.ts';
import type { Logger } from '../../../logger.ts';
import type { CollectionImages } from '../../loader/collection-images.ts';
import type { LoaderPlan } from '../../loader/loader-options.ts';
import type { ContentVersion } from './content-version.ts';

/** Whether a version has the content that a sync found. */
export type IsSynced = (version: ContentVersion) => boolean;

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
  readonly logger: Logger;
  /** Astro's digest, where it is available, so that entries have the digests of a build. */
  readonly digest: (text: string) => string;
  /** Equal for equal items: the same as in a build, where it is available. */
  readonly hashItem?: ((item: WireContent) => string | number) | undefined;
  /**
   * Brings what is stored up to date with the service; with `isRepair`, also what is damaged. Absent: this server reads
   * what others store.
   */
  readonly sync?:
    | ((langs: readonly string[], options?: { readonly isRepair?: boolean }) => Promise<IsSynced>)
    | undefined;
  readonly openImages?: ((plan: LoaderPlan) => Promise<CollectionImages | undefined>) | undefined;
  /** Calls back later, without keeping the process alive. Absent: checks are made when a page is requested. */
  readonly schedule?: ((callback: () => void, milliseconds: number) => () => void) | undefined;
  /** Frees the memory of all segments but these. */
  readonly keepSegments?: ((hashes: ReadonlySet<string>) => void) | undefined;
}
