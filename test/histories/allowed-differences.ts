import type { Assumptions } from '../../src/emulator/index.ts';

/**
 * All differences between a build and the service that are allowed, as users read about them. Every other difference is
 * an error. Only the last three apply to a build with `verify: 'always'`; the others end after `verify.maxAge`.
 */
export const ALLOWED_DIFFERENCES = {
  media:
    'A changed alternative text or an archived media file that moves no time of the content: only where this media is shown.',
  'changed without a time':
    'A change that moves neither `_updated_at` nor `_last_published_at` to now (saving or discarding a draft, unpublishing with a drafts key, where the service leaves the time alone): only this item.',
  'restored and balanced':
    'An item that appears with its old time (restored, or translated by a draft that moves no time) while another one disappeared between the same two builds: only these items, in the languages in which that is so. With `fallback`, such an item may be shown in the main language.',
  'stale CDN copy':
    'Until the purge of the CDN has arrived, a build that has a cache may show the content from before the change.',
  'mixture under edits':
    'A build during which content changes may show a mixture of before and after; the next one is right.',
  'undeclared field':
    'The references and media of a field that the model map does not declare pass through as they were when the item last changed.',
  'undeclared content':
    'A reference to content of an undeclared model is the id, or empty, as the service showed it when the item was read. It is the id, too, where the content has no data in the language; and so it is with content of any model that has no data in the main language, or is in another sub-space than the site.',
  'id of invisible content':
    'Where the service shows the id of content that the key, the space or the language does not show, an untyped reference is this id or empty.',
} as const;

/** A change that no list of the newest items shows. */
export interface UnreportedChange {
  readonly seq: number;
  readonly at: number;
  readonly kind:
    | 'media'
    | 'item'
    | 'status'
    | 'restored'
    | 'disappeared'
    | 'disappeared in a language'
    | 'translated by a draft'
    | 'untranslated by a draft';
  readonly id: number;
}

/** Since when a cache has known what: by the numbers of events. */
export interface Known {
  /** Everything that happened before was read by a build that reads everything. */
  readonly full: number;
  /** Everything that happened before was seen by a build that was right about which items exist. */
  readonly membership: number;
}

/** What may be wrong in one build. */
export interface Allowed {
  readonly media: ReadonlySet<number>;
  /** Items of which nothing is compared, and items whose status and time of update are not. */
  readonly items: ReadonlySet<number>;
  readonly status: ReadonlySet<number>;
  /** Items that may be missing, or still exist. */
  readonly moved: ReadonlySet<number>;
}

/** What references to content of undeclared models may be. */
export interface UndeclaredReferences {
  /** Where the service shows nothing. */
  readonly mayBeId: (id: number) => boolean;
  /** Where the service shows the id. */
  readonly mayBeEmpty: (id: number) => boolean;
}

export const NOTHING_ALLOWED: Allowed = {
  media: new Set(),
  items: new Set(),
  status: new Set(),
  moved: new Set(),
};

/** Clocks that differ, and a build that takes a while. */
const MARGIN = 10 * 60_000;
const MAX_AGE = { published: 24 * 3_600_000, drafts: 10 * 60_000 };

/** The changes that the newest items do not show, and the differences that they allow. */
export class UnreportedChanges {
  #events: UnreportedChange[] = [];
  #seq = 0;
  readonly #assumptions: Assumptions;

  constructor(assumptions: Assumptions) {
    this.#assumptions = assumptions;
  }

  /** The number of the next event. */
  get next(): number {
    return this.#seq;
  }

  add(kind: UnreportedChange['kind'], id: number, at: number): void {
    this.#events.push({ kind, id, at, seq: this.#seq++ });
  }

  /** An item got a new time: whatever was not reported of it before is seen with it. */
  reported(id: number): void {
    this.#events = this.#events.filter(
      (event) => event.id !== id || (event.kind !== 'item' && event.kind !== 'status'),
    );
  }

  /** What a build without a cache knows: all but what the CDN may hide from it. */
  coldStart(now: number, delay: number): number {
    return this.#events.find(({ at }) => at + delay > now)?.seq ?? this.#seq;
  }

  allowed(known: Known, view: { now: number; drafts: boolean; isVisible: (id: number) => boolean }): Allowed {
    const { now, drafts, isVisible } = view;
    const oldest = now - (drafts ? MAX_AGE.drafts : MAX_AGE.published) - MARGIN;
    const recent = this.#events.filter(({ seq, at }) => seq >= known.full && at >= oldest);
    const ids = (kind: UnreportedChange['kind']) =>
      recent.filter((event) => event.kind === kind).map(({ id }) => id);
    const moved = recent.filter(({ seq }) => seq >= known.membership);
    const restored = moved.filter(
      ({ kind, id }) =>
        (kind === 'restored' && isVisible(id)) || (drafts && kind === 'translated by a draft'),
    );
    const disappeared = moved.filter(
      ({ kind, id }) =>
        (kind === 'disappeared' && !isVisible(id)) ||
        kind === 'disappeared in a language' ||
        (drafts && kind === 'untranslated by a draft'),
    );
    const isBalanced = restored.length > 0 && disappeared.length > 0;
    return {
      media: new Set([...ids('media'), ...this.#mediaInCopies(drafts)]),
      // With a key for published content, drafts show in the status only.
      items: new Set(drafts ? [...ids('item'), ...ids('status')] : ids('item')),
      status: new Set(ids('status')),
      moved: new Set(isBalanced ? [...restored, ...disappeared].map(({ id }) => id) : []),
    };
  }

  /** Media archived without a purge stay in copies of the CDN, which is where a build without a cache reads too. */
  #mediaInCopies(drafts: boolean): number[] {
    if (drafts || this.#assumptions.mediaArchivePurges) return [];
    return this.#events.filter(({ kind }) => kind === 'media').map(({ id }) => id);
  }
}
