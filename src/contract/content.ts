/** §2.1: the values of `_status`. */
export const STATUSES = ['draft', 'published', 'published_draft'] as const;
export type Status = (typeof STATUSES)[number];

/** §2.1: the system properties that every content object has when `select` names none. */
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

/** §2.1: the system properties that hold an instant. */
export const SYSTEM_TIMES = [
  '_created_at',
  '_updated_at',
  '_published_at',
  '_last_published_at',
] as const satisfies readonly SystemProperty[];
export type SystemTime = (typeof SYSTEM_TIMES)[number];

/** §2.2: which languages an item has, for the key that asked. */
export interface WireLangs {
  current: string;
  available: string[];
}

/** §2.2: a media value. */
export interface WireMedia {
  url: string;
  alt: string;
}

/** §2.2: one block of a combination. */
export interface WireBlock {
  luid: string;
  fields: Record<string, unknown>;
}

/** §2.1: a content object as the service sends it; field LUIDs stand beside the system properties. */
export interface WireContent {
  _id: number;
  _model: string;
  _title: string;
  _created_at: string;
  _updated_at: string;
  _published_at: string | null;
  _last_published_at: string | null;
  _status: Status;
  /** Only where the sub-space feature is in use. */
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

/** §2.4: what every write answers. */
export interface WriteResult {
  id: number;
}
