import type { AstroEnvironment } from '../../space/astro-environment.ts';

/** What the integration passes to the server of the site. */
export interface PreviewSettings {
  /** The public key of the option `secret`. */
  readonly publicKey: string | undefined;
  /** In a server: where the secret is found without that option. */
  readonly astro?: AstroEnvironment | undefined;
  /** Seconds until a preview ends. */
  readonly maxAge: number;
  readonly base: string;
  /** Whether URLs of the site end with a slash: `trailingSlash: 'always'`. Astro finds no others. */
  readonly hasTrailingSlash: boolean;
  readonly editUrl: string | undefined;
  /** Whether pages without `<PreviewBar />` get the bar. */
  readonly addsBar: boolean;
  /** All routes, the most specific first. */
  readonly routes: readonly PreviewRoute[];
}

export interface PreviewRoute {
  /** Which paths it matches: the source of a regular expression. */
  readonly pattern: string;
  /** Whether it is a page: not an endpoint or a redirect. */
  readonly isPage: boolean;
  readonly isPrerendered: boolean;
  /** Whether it shows a prerendered page on demand, for the preview. */
  readonly isTwin: boolean;
}

/** `Astro.locals.luid`, on pages that are rendered on demand with `luid(space, { preview })`. */
export interface LuidLocals {
  /** Whether this page is shown in preview, with drafts. */
  readonly preview: boolean;
  /** What `<PreviewBar />` shows. */
  readonly bar?: PreviewBarSettings;
}

export interface PreviewBarSettings {
  readonly script: string;
  readonly style: string;
  readonly events: string;
  /** Where pages in preview are, if links lead there too. */
  readonly prefix: string | undefined;
  readonly exit: string;
  /** The path of the page outside of the preview, with its query. */
  readonly page: string;
  /** The URL where an entry is edited, with `{model}` and `{id}` in it. */
  readonly editUrl: string | undefined;
  /** What `getPreviewEntry` returned last. */
  entry?: PreviewedEntry | undefined;
  /** Whether a component of the page has rendered the bar. */
  isRendered?: boolean;
}

/** What the bar shows of an entry. */
export interface PreviewedEntry {
  readonly data: { readonly _model: string; readonly _id: number; readonly _status?: string };
}

declare global {
  namespace App {
    interface Locals {
      /** Set by `luid(space, { preview })`. */
      luid?: LuidLocals;
    }
  }
}
