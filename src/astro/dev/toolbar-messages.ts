/** The events between the toolbar app and the dev server. */
export const MESSAGES = {
  /** App → server: send the status, and the edit link of the page's entry if it has one. */
  request: 'astro-luid:request',
  /** App → server: refresh now. */
  refresh: 'astro-luid:refresh',
  /** Server → all apps. */
  status: 'astro-luid:status',
  /** Server → all apps; used by those on a page of this entry. */
  edit: 'astro-luid:edit',
  /** Server → all apps; used by those on a page of this entry. */
  findings: 'astro-luid:findings',
} as const;

export interface StatusMessage {
  readonly collections: readonly {
    readonly name: string;
    readonly model: string;
    readonly entries: number;
  }[];
  /** What the collections contain. Absent: nothing was loaded yet. */
  readonly reads?: 'published' | 'drafts' | 'published and drafts';
  /** Milliseconds since 1970. */
  readonly lastSync?: number;
  readonly refreshing: boolean;
  /** Why the last refresh failed. */
  readonly error?: string;
}

export interface RequestMessage {
  /** `article:101`, from the page's `<meta name="luid-entry">`. */
  readonly entry?: string;
}

export interface EditMessage {
  readonly entry: string;
  /** Where the entry is edited. */
  readonly url: string;
}

export interface FindingsMessage {
  readonly entry: string;
  /** What is wrong with it, as `luid lint` finds it. */
  readonly findings: readonly {
    readonly severity: 'error' | 'warning';
    /** `body (en): "#x" leads to no heading` */
    readonly text: string;
    readonly fix: string;
  }[];
}

/** What is wrong with an item. Never rejects. */
export type PageFindings = (id: number) => Promise<FindingsMessage['findings']>;
