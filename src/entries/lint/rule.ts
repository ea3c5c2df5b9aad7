import type { ModelMap } from '../../models/types.ts';
import type { ContentRoute } from '../routes/content-route.ts';
import type { LintedItem } from './linted-item.ts';

export type Severity = 'error' | 'warning';

/** What rules know of the pages of a site. Paths are decoded, without `base` and without a slash at the end. */
export interface LintedSite {
  /** Of `site` in astro.config, without `www.`. */
  readonly host: string | undefined;
  readonly base: string;
  /** The routes of content, as the site declares them. */
  readonly routes: readonly ContentRoute[];
  /** The routes of content that its pages seem to have. */
  readonly likelyRoutes: readonly ContentRoute[];
  /** What else the site has there. `maybe`: a page with parameters, or its pages are not known. */
  readonly findPath: (path: string) => 'exists' | 'maybe' | 'none';
}

/** The content of a space in one language. */
export interface LintedLanguage {
  /** `undefined` in a space without languages. */
  readonly lang: string | undefined;
  /** By content id. */
  readonly items: ReadonlyMap<number, LintedItem>;
}

export interface SpaceContent {
  readonly models: ModelMap;
  readonly main: LintedLanguage;
  /** The other languages. */
  readonly sub: readonly LintedLanguage[];
  readonly site: LintedSite;
  /** In pixels, of the images that builds have read. */
  readonly dimensionsOf: (url: string) => { readonly width: number; readonly height: number } | undefined;
}

/** A link in formatted text to a page of the site. */
export interface Link {
  readonly item: LintedItem;
  readonly field: string;
  readonly href: string;
  /** `undefined` for a link within the page. */
  readonly path: string | undefined;
  /** The id that it names, without a prefix; empty for the top of the page. */
  readonly anchor: string;
}

/** What rules look at. */
export interface LintedContent extends SpaceContent {
  /** The items that routes show, by path. */
  readonly pages: ReadonlyMap<string, LintedItem>;
  /** The links to pages of the site. */
  readonly links: readonly Link[];
}

export interface Problem {
  readonly item: LintedItem;
  /** Path from the item, such as `sections[2].fields.image`; empty for the item as a whole. */
  readonly field: string;
  /** What is wrong, with values from the content as they are: whatever prints it escapes them. */
  readonly message: string;
}

export interface Rule {
  readonly name: string;
  /** Unless the site says otherwise. */
  readonly severity: Severity;
  /** What it finds. */
  readonly about: string;
  /** What to do about it. */
  readonly fix: string;
  find(content: LintedContent): Iterable<Problem>;
}

export function* allItems({ main, sub }: SpaceContent): Generator<LintedItem> {
  for (const { items } of [main, ...sub]) yield* items.values();
}

/** For a rule that looks at one item at a time. */
export function inEachItem(
  find: (item: LintedItem, content: LintedContent) => readonly Omit<Problem, 'item'>[],
): Rule['find'] {
  return function* (content) {
    for (const item of allItems(content)) {
      for (const problem of find(item, content)) yield { item, ...problem };
    }
  };
}

/** Longer texts are cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}
