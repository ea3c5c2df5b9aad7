/** §2.1: the values of `_status`. */
export const STATUSES = ['draft', 'published', 'published_draft'] as const;
export type Status = (typeof STATUSES)[number];

/** §2.1: the system properties of every content object, unless `select` is used. */
export const SYSTEM_PROPERTIES = [
  '_id',
  '_model',
  '_title',
  '_created_at',
  '_updated_at',
  '_published_at',
  '_last_published_at',
  '_status',
  '_space',
] as const;
export type SystemProperty = (typeof SYSTEM_PROPERTIES)[number];

/** These, and the ones that only `include` adds. A field of such a name cannot be reached. */
export const SYSTEM_NAMES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...SYSTEM_PROPERTIES,
  '_prev',
  '_next',
  '_langs',
]);

/** §2.1: the system properties that are times. */
export const SYSTEM_TIMES = [
  '_created_at',
  '_updated_at',
  '_published_at',
  '_last_published_at',
] as const satisfies readonly SystemProperty[];
export type SystemTime = (typeof SYSTEM_TIMES)[number];

/** §2.2: the languages of an item that the key can see. */
export interface WireLangs {
  current: string;
  available: string[];
}

/** §2.2: a media value. */
export interface WireMedia {
  url: string;
  alt: string;
}

/** §2.1: a content object as the service sends it, with fields by LUID. */
export interface WireContent {
  _id: number;
  _model: string;
  _title: string;
  _created_at: string;
  _updated_at: string;
  _published_at: string | null;
  _last_published_at: string | null;
  _status: Status;
  /** Only if sub-spaces are in use. */
  _space?: string;
  _prev?: unknown;
  _next?: unknown;
  _langs?: WireLangs;
  [fieldLuid: string]: unknown;
}

/** §2.3: the envelope of a list. */
export interface WireList<Item = WireContent> {
  total: number;
  offset: number;
  limit: number;
  data: Item[];
}

/** §2.4: the response to every write. */
export interface WriteResult {
  id: number;
}
