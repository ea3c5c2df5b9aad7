import type { ModelMap } from '../../models/types.ts';

/** A group of values in the write format of §4.10, by field LUID. */
export type SeedFields = { readonly [luid: string]: unknown };

export interface SeedKey {
  readonly key: string;
  /** §5: the two kinds of key. */
  readonly reads: 'published' | 'drafts';
  /** The spaces that it may read. Default: all. */
  readonly spaces?: readonly string[] | undefined;
}

export interface SeedMedia {
  readonly id: number;
  /** Path of the file, relative to the folder of the seed. */
  readonly file: string;
  /** By language; a string is in the main language. */
  readonly alt?: string | { readonly [lang: string]: string } | undefined;
  readonly archived?: boolean | undefined;
}

export interface SeedContent {
  readonly id: number;
  readonly model: string;
  readonly space?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly created_at: string;
  /** Default: `created_at`. */
  readonly updated_at?: string | undefined;
  /** Default: `created_at` if there is published data, else `null`. */
  readonly published_at?: string | null | undefined;
  /** Default: `published_at`. */
  readonly last_published_at?: string | null | undefined;
  /** By language. Omitted: not published. */
  readonly published?: { readonly [lang: string]: SeedFields } | undefined;
  /** By language. Omitted: no draft data. */
  readonly draft?: { readonly [lang: string]: SeedFields } | undefined;
}

/** What a webhook can be sent for. `draft`: a draft was saved. */
export const WEBHOOK_EVENTS = ['publish', 'unpublish', 'draft', 'archive', 'restore', 'delete'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A request that the space sends when content changes. */
export interface SeedWebhook {
  readonly url: string;
  /** Such as the secret that the receiver expects. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Default: all. */
  readonly events?: readonly WebhookEvent[] | undefined;
  /** The JSON that is sent, with `{{event}}`, `{{id}}`, `{{model}}`, `{{space}}`, `{{status}}` and `{{at}}` in its strings. */
  readonly body?: unknown;
}

/** A whole space, as JSON. */
export interface Seed {
  /** The JSON Schema for editors; the emulator ignores it. */
  readonly $schema?: string | undefined;
  /** Default: `{ main: 'ja', sub: [] }`. */
  readonly languages?: { readonly main: string; readonly sub?: readonly string[] | undefined } | undefined;
  /** Omitted: the sub-space feature is off. `_parent` is always one of them. */
  readonly spaces?: readonly string[] | undefined;
  readonly keys: readonly SeedKey[];
  readonly models: ModelMap;
  readonly media?: readonly SeedMedia[] | undefined;
  readonly contents?: readonly SeedContent[] | undefined;
  readonly webhooks?: readonly SeedWebhook[] | undefined;
}

/** Content for `contents.create`: `id` and times are optional. */
export type NewContent = Omit<SeedContent, 'id' | 'created_at'> & { id?: number; created_at?: string };
/** Media for `media.add`. */
export type NewMedia = Omit<SeedMedia, 'id'> & { id?: number };
