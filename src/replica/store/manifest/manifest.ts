import { isRecord } from '../../../shared/is-record.ts';
import type { PageSize, StoredPageSizes } from '../../read/page-sizes.ts';
import type { Segment, SortKey } from '../segments/segments.ts';
import type { ChangeHistory, HistoryStep } from './change-history.ts';

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
  /** Removed items that others may still refer to, until everything is read again. */
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

const HASH = /^[0-9a-f]{64}$/;

/** Whether a name is that of a segment. */
export function isHash(name: string): boolean {
  return HASH.test(name);
}

type Check = (value: unknown) => boolean;

// Without zod: a build that finds nothing changed loads as little as possible.
const isNumber: Check = (value) => typeof value === 'number';
const isString: Check = (value) => typeof value === 'string';
const isStoredHash: Check = (value) => typeof value === 'string' && isHash(value);
const isAtLeast =
  (least: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least;
const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const recordOf =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);

function object<T>(checks: { readonly [K in keyof T]-?: Check }): Check {
  const all = Object.entries<Check>(checks);
  return (value) =>
    isRecord(value) && all.every(([name, check]) => Object.hasOwn(value, name) && check(value[name]));
}

const isPlace = object<SortKey>({ time: isNumber, id: Number.isSafeInteger });
const areIds = listOf(Number.isSafeInteger);

const isManifest = object<Manifest>({
  generation: isAtLeast(0),
  models: recordOf(
    object<StoredModel>({
      segments: listOf(
        object<Segment>({ hash: isStoredHash, count: isAtLeast(1), first: isPlace, last: isPlace }),
      ),
      readAt: isNumber,
    }),
  ),
  cursor: nullOr(object<Cursor>({ updated: isNumber, published: isNumber })),
  heads: nullOr(isString),
  removed: areIds,
  readAgain: (value) => value === 'everything' || areIds(value),
  main: nullOr(isString),
  history: object<ChangeHistory>({
    start: nullOr(isString),
    steps: listOf(object<HistoryStep>({ to: isString, added: areIds, changed: areIds, removed: areIds })),
  }),
  facts: nullOr(object<StoredFacts>({ hash: isStoredHash, models: isString })),
  pages: recordOf(
    listOf(
      object<KnownPage>({ hash: isStoredHash, total: isAtLeast(0), ids: areIds, ends: listOf(isNumber) }),
    ),
  ),
  pageSizes: recordOf(object<PageSize>({ size: isAtLeast(1), at: isNumber })),
  isEncrypted: (value) => typeof value === 'boolean',
  unused: listOf(isStoredHash),
});

/** The manifest, or `undefined` if the text is not one. */
export function parseManifest(text: string): Manifest | undefined {
  const value = parseJson(text);
  return isManifest(value) ? (value as Manifest) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
