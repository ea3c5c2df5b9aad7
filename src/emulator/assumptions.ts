/**
 * What the specification leaves "not shown" and a client's correctness may depend on: decided here,
 * once, and switchable. What is assumed and needs no switch is in the coverage table, `README.md`.
 */
export interface Assumptions {
  /** A list that names a model which does not exist: that name matches nothing, or the request is a 400. */
  unknownModel: 'empty' | 'error';
  /** A filter, order or format on a field that none of the asked models has: a 400, or as if it were not there. */
  unknownField: 'error' | 'ignore';
  /** The order among equal sort values: by id, by descending id, or another one for each request. */
  tieOrder: 'id' | 'reverse' | 'shuffled';
  /** The resolution that times are stored with. */
  timeResolution: 'second' | 'ms';
  /**
   * What a reference shows whose target exists but is not for this key (draft only, or in another
   * space). One that is archived or deleted is always empty.
   */
  unseenTarget: 'empty' | 'id';
  /** Publishing moves `_updated_at`. */
  publishTouchesUpdatedAt: boolean;
  /** Unpublishing moves `_updated_at`. */
  unpublishTouchesUpdatedAt: boolean;
  /** Saving a draft moves `_updated_at`. */
  draftTouchesUpdatedAt: boolean;
  /** After discarding a draft, `_updated_at` is what it was before the draft, now, or unchanged. */
  discardUpdatedAt: 'restore' | 'now' | 'keep';
  /** Archiving moves `_updated_at`. It shows when the item is restored. */
  archiveTouchesUpdatedAt: boolean;
  /** Restoring from the archive moves `_updated_at`. */
  restoreTouchesUpdatedAt: boolean;
  /** A changed alt text moves `_updated_at` of all content that shows the media. */
  altTouchesUpdatedAt: boolean;
  /** Archiving or restoring media purges the CDN; §8 names only alt text. */
  mediaArchivePurges: boolean;
  /** Flexible text in a POST or PUT, which §4.3 reports inconsistently: taken, or a 400. */
  writeFlexibleText: 'accept' | 'refuse';
  /** Flexible text in a PATCH, which §4.5 states as unsupported: a 400, or taken. */
  patchFlexibleText: 'accept' | 'refuse';
  /**
   * The endpoints of §4.9, of which only the names are known: a 404, or a guess. Guessed, DELETE of
   * content removes it for good, and POST of drafts replaces the draft data as PUT does.
   */
  endpointsByName: 'refuse' | 'guess';
  /** Milliseconds between a change and the purge of the CDN. */
  purgeDelay: number;
  /**
   * `some`: only the point of presence `a` is purged at once, the others after `purgeDelay`. The
   * request header `x-luid-pop` chooses one; without it a request arrives at `a`.
   */
  purgeReach: 'all' | 'some';
  /** Above 1,000 (`_prev`) and 2,000 (`_next`) matching items the neighbours are wrong ones. */
  wrongNeighbours: boolean;
  /** §8, known defect: a field that the sub-language lacks is filtered by its main-language value. */
  defectUntranslatedFilter: boolean;
  /** §8, known defect: filters match on draft and published data alike, whichever the key shows. */
  defectStatusFilter: boolean;
}

export const DEFAULT_ASSUMPTIONS: Readonly<Assumptions> = {
  unknownModel: 'empty',
  unknownField: 'error',
  tieOrder: 'id',
  timeResolution: 'second',
  unseenTarget: 'empty',
  publishTouchesUpdatedAt: true,
  unpublishTouchesUpdatedAt: true,
  draftTouchesUpdatedAt: true,
  discardUpdatedAt: 'restore',
  archiveTouchesUpdatedAt: false,
  restoreTouchesUpdatedAt: false,
  altTouchesUpdatedAt: false,
  mediaArchivePurges: true,
  writeFlexibleText: 'accept',
  patchFlexibleText: 'refuse',
  endpointsByName: 'refuse',
  purgeDelay: 0,
  purgeReach: 'all',
  wrongNeighbours: false,
  defectUntranslatedFilter: false,
  defectStatusFilter: false,
};
