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
  /** The URL where an entry is edited, with `{model}` and `{id}` in it. */
  readonly editUrl: string | undefined;
}

declare global {
  namespace App {
    interface Locals {
      /** Set by `luid(space, { preview })`. */
      luid?: LuidLocals;
    }
  }
}
