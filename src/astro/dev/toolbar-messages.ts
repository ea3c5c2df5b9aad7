/** What the toolbar app and the dev server say to each other. */
export const MESSAGES = {
  /** App → server: send the status; with the entry that the page names, if it names one. */
  ask: 'astro-luid:ask',
  /** App → server: refresh now. */
  refresh: 'astro-luid:refresh',
  /** Server → all apps. */
  status: 'astro-luid:status',
  /** Server → all apps, of which the one that asked takes it. */
  edit: 'astro-luid:edit',
} as const;

export interface StatusMessage {
  readonly collections: readonly {
    readonly name: string;
    readonly model: string;
    readonly entries: number;
  }[];
  /** Absent while nothing was loaded. */
  readonly reads?: 'published' | 'drafts' | 'published and drafts';
  /** Milliseconds since 1970. */
  readonly lastSync?: number;
  readonly refreshing: boolean;
  /** Why the last refresh failed. */
  readonly problem?: string;
}

export interface AskMessage {
  /** `article:101`, as the page's `<meta name="luid-entry">` says. */
  readonly entry?: string;
}

export interface EditMessage {
  readonly entry: string;
  /** Where the entry is edited. */
  readonly url: string;
}
