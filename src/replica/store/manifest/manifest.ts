import type { StoredPageSizes } from '../../read/page-sizes.ts';
import type { Segment } from '../segments/segments.ts';
import type { ChangeHistory } from './change-history.ts';

/** Up to which times of the service everything is known. */
export interface Cursor {
  readonly updated: number;
  readonly published: number;
}

export interface StoredModel {
  readonly segments: readonly Segment[];
  /** When all of it was read last, by the local clock: only for its age. */
  readonly readAt: number;
}

export interface StoredFacts {
  readonly hash: string;
  /** The fingerprint of the model map: with another, other fields are links. */
  readonly models: string;
}

/** A page of a list as it was read last: bytes with the same hash need not be parsed. */
export interface KnownPage {
  readonly hash: string;
  readonly total: number;
  readonly ids: readonly number[];
  /** The hashes of its first and its last item, which the pages before and after it contain too. */
  readonly ends: readonly number[];
}

export interface Manifest {
  /** One more than that of the manifest before: of two manifests, the larger is newer. */
  readonly generation: number;
  /** By model, formats and references: see `storedModelKey`. */
  readonly models: { readonly [name: string]: StoredModel };
  /** Up to where all of them are known; `null` if they were read without the heads. */
  readonly cursor: Cursor | null;
  /** The fingerprint of the heads, if the same heads mean that nothing changed. */
  readonly heads: string | null;
  /** Removed items that others may still refer to. */
  readonly removed: readonly number[];
  /**
   * Items that the next sync reads once more, by id: a reference in them may have been empty only because its target was
   * hidden at that moment. `everything` if there are too many of them, or the last full read was inconclusive.
   */
  readonly readAgain: readonly number[] | 'everything';
  /** Of another language: the fingerprint of the main language's replica when this language was synced last. */
  readonly main: string | null;
  /** Lists whose pages are too large for the service, and how many items of them it sends at once. */
  readonly pageSizes: StoredPageSizes;
  /** The last changes, for readers of an earlier state. */
  readonly history: ChangeHistory;
  /** Where the facts about the items of all segments are stored. */
  readonly facts: StoredFacts | null;
  /** By `pagesKey`: the pages that contain exactly what is stored of these models, if that is known. */
  readonly pages: { readonly [key: string]: readonly KnownPage[] };
  /** Whether manifest and facts are encrypted: there was an item that was not merely published, once. */
  readonly isEncrypted: boolean;
  /**
   * Segments that were stored at the time of this commit and that it does not name: of the state before, which a
   * reader may still be reading, or of a writer that was overtaken or ended. The next commit removes them.
   */
  readonly unused: readonly string[];
}
