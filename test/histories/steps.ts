import type { Assumptions } from '../../src/emulator/index.ts';
import type { MapChoice } from './models.ts';
import type { StartingSpace } from './seed.ts';

/** What an editor may do. */
export const EDIT_KINDS = [
  'create',
  'create draft',
  'create in English only',
  'edit',
  'edit in English',
  'edit in French',
  'save draft',
  'publish',
  'unpublish',
  'discard draft',
  'archive',
  'restore',
  'delete',
  'link',
  'link in one place',
  'link in English only',
  'link by draft',
  'remove English',
  'remove Japanese',
  'change alt',
  'archive media',
  'restore media',
] as const;

export interface Edit {
  readonly kind: (typeof EDIT_KINDS)[number];
  /** Picks the item (or the media), and what a link leads to. */
  readonly item: number;
  readonly target: number;
  readonly text: string;
}

/** What goes wrong with one request of a build. */
export interface Failure {
  readonly kind:
    | 'status 500'
    | 'status 400'
    | 'status 403'
    | 'status 429'
    | 'network'
    | 'cut'
    | 'html'
    | 'empty';
  /** Which request: the n-th of all, or of those in a language. */
  readonly nth: number;
  readonly of: 'all' | 'en' | 'fr';
}

export interface Build {
  readonly kind: 'build';
  readonly site: number;
  /** Read everything, past the CDN. */
  readonly verify: boolean;
  /** Load the collections of other languages too. */
  readonly languages: boolean;
  readonly region: 'a' | 'b';
  readonly retries: number;
  /** Requests in parallel, if they are not those of the setup. */
  readonly concurrency: 2 | 16 | undefined;
  /** Edits that happen inside the requests of the build, by request. */
  readonly meanwhile: readonly (readonly Edit[])[];
  /** If there were any, a build during which nothing happens follows at once. */
  readonly isFollowed: boolean;
  readonly failure: Failure | undefined;
  /** Astro lost its own store. */
  readonly emptyStore: boolean;
}

export type Step =
  | { readonly kind: 'edit'; readonly edit: Edit }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'edit many'; readonly model: 'article' | 'note'; readonly count: number }
  | { readonly kind: 'archive many'; readonly model: 'article' | 'note'; readonly count: number }
  | { readonly kind: 'change map'; readonly site: number; readonly toggle: Toggle }
  | { readonly kind: 'copy cache' }
  | { readonly kind: 'restore cache'; readonly stores: boolean }
  | { readonly kind: 'clear cache' }
  | Build;

/** A site: its model map and the options of its collections. */
/** What a site's map may declare or not. */
export type Toggle = Exclude<keyof MapChoice, 'required'>;

export interface SiteChoice {
  readonly map: MapChoice;
  readonly depth: 0 | 1 | 2 | 3;
  /** The languages of its second set of collections; the first has the main language only. */
  readonly langs: { readonly lang?: string; readonly langs?: readonly string[] };
  readonly fallback: boolean;
  readonly drafts: boolean;
  readonly space: 'all' | '_parent' | 'shop' | 'shop-only key';
}

export interface Setup {
  readonly start: StartingSpace;
  readonly sites: readonly SiteChoice[];
  readonly assumptions: Partial<Assumptions>;
  /** Requests in parallel: what fits into one round of them is read whole each time. */
  readonly concurrency: 2 | 16;
  /** The CDN says nothing about itself in response headers. */
  readonly bareHeaders: boolean;
  /** Milliseconds that the clock of the build machine is ahead. */
  readonly skew: number;
}

export interface History {
  readonly setup: Setup;
  readonly steps: readonly Step[];
}
