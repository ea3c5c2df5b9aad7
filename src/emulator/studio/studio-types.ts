// The JSON between the studio's page and the emulator. The page imports these types, and nothing else of the emulator.
import type { Status } from '../../contract/content.ts';
import type { FormControl } from '../fields/field-behaviour.ts';
import type { LogEntry } from '../http/request-log.ts';
import type { SeedFields, SeedWebhook, WebhookEvent } from '../state/seed-types.ts';
import type { WebhookDelivery } from '../webhooks/webhooks.ts';

/** A field, as the page needs it to show a form control. */
export interface StudioField {
  readonly luid: string;
  /** For people to read; the page decides by `control`. */
  readonly type: string;
  readonly control: FormControl;
  readonly required: boolean;
  /** With the control `select` or `multi-select`. */
  readonly options?: readonly string[];
  /** The models that a reference can point to; absent: any. */
  readonly models?: readonly string[];
  /** With the control `group` or `list`. */
  readonly fields?: readonly StudioField[];
  /** With the control `blocks`. */
  readonly sets?: readonly StudioFieldSet[];
}

export interface StudioFieldSet {
  readonly luid: string;
  readonly fields: readonly StudioField[];
}

/** §3, and `archived`. */
export type ItemStatus = Status | 'archived';

export interface StudioModel {
  readonly luid: string;
  /** The field that the title is taken from. */
  readonly titleField?: string | undefined;
  readonly fields: readonly StudioField[];
  readonly counts: { readonly [status in ItemStatus]: number };
}

export interface StudioKey {
  /** Such as `#1 (published)`. */
  readonly name: string;
  readonly key: string;
  readonly reads: 'published' | 'drafts';
  readonly spaces?: readonly string[] | undefined;
}

/** What an action does to a time: sets it, keeps it, or sets it back to what it was before the draft. */
export type TimeEffect = 'now' | 'unchanged' | 'before-draft';

/** GET /_studio/api/space */
export interface StudioSpace {
  readonly languages: { readonly main: string; readonly sub: readonly string[] };
  /** Absent: the space has no sub-spaces. */
  readonly spaces?: readonly string[] | undefined;
  readonly models: readonly StudioModel[];
  readonly mediaCount: number;
  readonly keys: readonly StudioKey[];
  readonly baseUrl: string;
  readonly assetsUrl: string;
  /** The name of the header with the key. */
  readonly header: string;
  readonly effects: {
    readonly [action in ItemAction]?: { readonly updated: TimeEffect; readonly lastPublished: TimeEffect };
  };
}

/** One line of a list. */
export interface ItemRow {
  readonly id: number;
  readonly model: string;
  readonly title: string;
  readonly status: ItemStatus;
  /** The languages that it has data in, published or draft; the main language first. */
  readonly languages: readonly string[];
  readonly space: string;
  readonly updatedAt: string;
  readonly lastPublishedAt: string | null;
}

/**
 * GET /_studio/api/contents?model=&status=&lang=&space=&search=&order=&offset=&limit=
 * `model` can name several, separated by commas. `order` is `-updated`, `updated`, `-created`, `title` or `id`.
 */
export interface ItemPage {
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly ItemRow[];
}

/** GET /_studio/api/contents/{id}. Values are in the write format of §4.10. */
export interface StudioItem extends ItemRow {
  /** Changes with every change of the item. */
  readonly version: string;
  readonly createdAt: string;
  readonly publishedAt: string | null;
  readonly published?: { readonly [lang: string]: SeedFields } | undefined;
  readonly draft?: { readonly [lang: string]: SeedFields } | undefined;
  /** The content and media that its values name by id. An id that does not exist is absent. */
  readonly linkedContents: readonly ItemRow[];
  readonly linkedMedia: readonly MediaRow[];
}

/** `draft` saves one language; `discard` removes the draft; `remove` deletes the item permanently. */
export type ItemAction =
  | 'draft'
  | 'publish'
  | 'unpublish'
  | 'archive'
  | 'restore'
  | 'duplicate'
  | 'discard'
  | 'remove';

/**
 * POST /_studio/api/contents/{id}/{action}. With a `version` that is not the current one: 409, and nothing changes.
 * POST /_studio/api/contents takes a `NewItem` instead.
 */
export interface ItemChange {
  readonly version?: string | undefined;
  /** With `draft`: the values of one language that differ; an empty value empties the field. */
  readonly lang?: string | undefined;
  readonly fields?: SeedFields | undefined;
}

export interface NewItem {
  readonly model: string;
  readonly space?: string | undefined;
  readonly lang: string;
  readonly fields: SeedFields;
}

/** The response to an action: the item afterwards (of `duplicate`: the copy; of `remove`: as it was). */
export interface ActionResult {
  readonly item: StudioItem;
}

/** One line of the list of media. */
export interface MediaRow {
  readonly id: number;
  /** The file name. */
  readonly name: string;
  /** Absent if it is archived: then it is not served. */
  readonly url?: string | undefined;
  readonly isImage: boolean;
  readonly alt: { readonly [lang: string]: string };
  readonly archived: boolean;
}

/**
 * GET /_studio/api/media?search=&ids=&offset=&limit=
 * `ids`, separated by commas: only these.
 * POST /_studio/api/media?alt=&alt[en]= with a multipart form and its `file` responds with the new `MediaRow`.
 * POST /_studio/api/media/{id}/alt with `{ lang, alt }`, and /archive, /restore, /remove: with the `MediaRow`.
 */
export interface MediaPage {
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly MediaRow[];
}

/** GET /_studio/api/response?key=0&path=/contents/12?depth=1: what the API responds. Not counted and not logged. */
export interface ApiResponse {
  readonly status: number;
  /** The exact body. */
  readonly body: string;
}

/** `cut` ends the connection in the body, `drop` before it, `truncate` sends half of the JSON as a whole response. */
export type StudioFaultKind =
  | 'latency'
  | 'time-per-item'
  | 'max-response'
  | 'rate-limit'
  | 'server-error'
  | 'drop'
  | 'cut'
  | 'truncate'
  | 'stall'
  | 'stale-cdn'
  | 'purge-delay';

/** POST /_studio/api/faults adds one; POST /_studio/api/faults/{id}/remove removes one, or with the id `all` every one. */
export interface NewFault {
  readonly kind: StudioFaultKind;
  /** For the next n requests; absent: until it is removed. */
  readonly times?: number | undefined;
  /** `latency`, `time-per-item`, `purge-delay`: milliseconds. `max-response`: bytes. `rate-limit`: seconds of `retry-after`. */
  readonly amount?: number | undefined;
}

export interface ActiveFault extends NewFault {
  readonly id: number;
  /** How many requests are left; absent: until it is removed. */
  readonly left?: number | undefined;
}

/**
 * GET /_studio/api/webhooks; POST with `{ webhooks }` replaces all of them. POST /_studio/api/deliveries/{id}/again sends a
 * delivery again.
 */
export interface StudioWebhooks {
  readonly webhooks: readonly SeedWebhook[];
  /** Newest first. */
  readonly deliveries: readonly WebhookDelivery[];
  /** What a webhook can be sent for. */
  readonly events: readonly WebhookEvent[];
  /** The body of a webhook without one. */
  readonly defaultBody: object;
}

/** The remaining requests of one key in the current minute. */
export interface RateWindow {
  /** The index of the key. */
  readonly key: number;
  readonly reads: number;
  readonly writes: number;
}

export interface LoggedRequest extends LogEntry {
  /** Counts up from 1. */
  readonly number: number;
}

/**
 * GET /_studio/api/activity?since=&state=&wait=: responds as soon as there is a request after the number `since` or
 * anything else than `state`, at the latest after `wait` milliseconds.
 */
export interface Activity {
  /** The number of the last request. */
  readonly last: number;
  /** The requests after `since`, at most the last 500, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Changes with content, media, models, faults, webhooks and their deliveries. */
  readonly state: string;
  /** Changes with content, media and models only. */
  readonly content: string;
  readonly faults: readonly ActiveFault[];
  /** Absent: the rate limit is off. */
  readonly windows?: readonly RateWindow[] | undefined;
  /** Requests per minute and key. */
  readonly limits: { readonly reads: number; readonly writes: number };
}

/** An error response. §7 has `status` and `code`; the emulator explains more. */
export interface StudioError {
  readonly status: string;
  readonly code: string;
  readonly message?: string | undefined;
  /** With 400: the values that are not valid. */
  readonly problems?: readonly FieldProblem[] | undefined;
  /** With 409: the item as it is now. */
  readonly current?: StudioItem | undefined;
}

export interface FieldProblem {
  /** From the fields of the language: `seo.title`, `blocks[2].fields.image`. */
  readonly path: string;
  readonly message: string;
}
