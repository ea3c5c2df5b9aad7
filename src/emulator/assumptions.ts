/**
 * Behaviour that the specification leaves open and that a client's correctness may depend on. Each can be
 * switched. Other assumptions are in the coverage table of `README.md`.
 */
export interface Assumptions {
  /** An unknown model in `model`: it matches nothing, or the request is a 400. */
  unknownModel: 'empty' | 'error';
  /** A filter, order or format on a field that none of the requested models has: a 400, or ignored. */
  unknownField: 'error' | 'ignore';
  /** The order of items with equal sort values: by id, by descending id, or random per request. */
  tieOrder: 'id' | 'reverse' | 'shuffled';
  /** The resolution of stored times. */
  timeResolution: 'second' | 'ms';
  /**
   * The value of a reference whose target exists but is not visible to the key (draft only, or in another
   * space). A reference to an archived or deleted target is always empty.
   */
  unseenTarget: 'empty' | 'id';
  /**
   * Empty fields: `''`, `[]` or `null` as fits their type, always `null`, or omitted. Also inside groups, and for references
   * and media that are not shown.
   */
  emptyValues: 'typed' | 'null' | 'omitted';
  /** Publishing changes `_updated_at`. */
  publishTouchesUpdatedAt: boolean;
  /** Unpublishing changes `_updated_at`. */
  unpublishTouchesUpdatedAt: boolean;
  /** Saving a draft changes `_updated_at`. */
  draftTouchesUpdatedAt: boolean;
  /** `_updated_at` after a draft is discarded: the time before the draft, now, or unchanged. */
  discardUpdatedAt: 'restore' | 'now' | 'keep';
  /** Archiving changes `_updated_at`, which is visible once the item is restored. */
  archiveTouchesUpdatedAt: boolean;
  /** Restoring from the archive changes `_updated_at`. */
  restoreTouchesUpdatedAt: boolean;
  /** Changing an alt text changes `_updated_at` of all content that uses the media. */
  altTouchesUpdatedAt: boolean;
  /** Archiving or restoring media purges the CDN; §8 mentions only alt text. */
  mediaArchivePurges: boolean;
  /** Flexible text in a POST or PUT, about which §4.3 is inconsistent: accepted, or a 400. */
  writeFlexibleText: 'accept' | 'refuse';
  /** Flexible text in a PATCH, unsupported according to §4.5: a 400, or accepted. */
  patchFlexibleText: 'accept' | 'refuse';
  /**
   * The endpoints of §4.9, of which only the names are known: a 404, or a guess. The guess: DELETE removes
   * content permanently, and POST of drafts replaces the draft data as PUT does.
   */
  endpointsByName: 'refuse' | 'guess';
  /** Milliseconds between a change and the purge of the CDN. */
  purgeDelay: number;
  /**
   * `some`: only the point of presence `a` is purged at once, the others after `purgeDelay`. The
   * request header `x-luid-pop` selects one; the default is `a`.
   */
  purgeReach: 'all' | 'some';
  /** Above 1,000 (`_prev`) and 2,000 (`_next`) matching items the neighbours are wrong. */
  wrongNeighbours: boolean;
  /** §8, known defect: a field without a value in the sub-language is filtered by its main-language value. */
  defectUntranslatedFilter: boolean;
  /** §8, known defect: filters match both draft and published data, whatever the key reads. */
  defectStatusFilter: boolean;
}

export const DEFAULT_ASSUMPTIONS: Readonly<Assumptions> = {
  unknownModel: 'empty',
  unknownField: 'error',
  tieOrder: 'id',
  timeResolution: 'second',
  unseenTarget: 'empty',
  emptyValues: 'typed',
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
