import type { Media } from '../../models/field-types/media.ts';

/** What feeds, sitemaps and heads of pages read of an entry of any collection. */
export interface ShownEntry {
  readonly id: string;
  readonly data: object;
  readonly rendered?: { readonly html: string } | undefined;
}

/** The data of an entry by name. All are optional: `fields` or a schema of the site may remove them. */
export interface EntryData {
  readonly [name: string]: unknown;
  readonly _id?: number;
  readonly _title?: string;
  readonly _created_at?: Date;
  readonly _updated_at?: Date;
  readonly _published_at?: Date | null;
  readonly _last_published_at?: Date | null;
  readonly _status?: string;
  readonly _lang?: string;
  readonly _fallback?: boolean;
  readonly _langs?: { readonly current: string; readonly available: readonly string[] };
}

export function dataOf({ data }: ShownEntry): EntryData {
  return data as EntryData;
}

/** The language tag that HTML and search engines use for a language of the service, such as `zh_tw`. */
export function languageTag(lang: string): string {
  return lang.replaceAll('_', '-');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isMedia(value: unknown): value is Media {
  return isObject(value) && typeof value.url === 'string' && typeof value.alt === 'string';
}

/** Embedded content: what a reference is replaced by. */
export function isContent(value: unknown): value is EntryData {
  return isObject(value) && typeof value._id === 'number' && typeof value._model === 'string';
}
