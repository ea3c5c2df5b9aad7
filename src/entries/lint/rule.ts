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

/** The content of a space, in all languages. */
export interface LintedContent {
  readonly models: ModelMap;
  /** By language, the main one first; by content id. */
  readonly languages: readonly ReadonlyMap<number, LintedItem>[];
  readonly site: LintedSite;
  /** In pixels, of the images that builds have read. */
  readonly dimensionsOf: (url: string) => { readonly width: number; readonly height: number } | undefined;
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

export function* allItems({ languages }: LintedContent): Generator<LintedItem> {
  for (const items of languages) yield* items.values();
}
