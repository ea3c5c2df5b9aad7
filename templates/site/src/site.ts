import { type CollectionKey, getCollection } from 'astro:content';
import type { Media } from 'astro-luid';
import { homeUrl, type Section, sections, timeZone } from './settings.ts';

export * from './settings.ts';

/** An entry's data, or content that is embedded in it. */
export interface Content {
  _id: number;
  _model: string;
  _title: string;
  _created_at: Date;
  _published_at: Date | null;
  _lang?: string;
}

/** The content of a collection in a language, newest first. */
export async function contentsOf(collection: CollectionKey, lang: string): Promise<Content[]> {
  const entries = await getCollection(collection);
  return entries
    .map(({ data }) => data as unknown as Content)
    .filter(({ _lang = lang }) => _lang === lang)
    .sort((a, b) => Number(dateOf(b)) - Number(dateOf(a)));
}

export function sectionOf({ _model }: Content): Section | undefined {
  return Object.hasOwn(sections, _model) ? sections[_model as keyof typeof sections] : undefined;
}

export function listUrl({ folder }: Section, lang: string): string {
  return `${homeUrl(lang)}${folder}/`;
}

/** The URL of the content's page, if it has one. */
export function urlOf(content: Content, lang: string): string | undefined {
  const section = sectionOf(content);
  return section && `${listUrl(section, lang)}${idOf(content)}/`;
}

export function idOf(content: Content): string {
  return String(fieldOf(content, sectionOf(content)?.id));
}

/** What a list shows of content. */
export function cardOf(content: Content): { title: string; image: Media | null; lead: string } {
  const section = sectionOf(content);
  return {
    title: titleOf(content),
    image: (fieldOf(content, section?.image) ?? null) as Media | null,
    lead: String(fieldOf(content, section?.lead) ?? ''),
  };
}

function fieldOf(content: Content, field: string | undefined): unknown {
  return field === undefined ? undefined : content[field as keyof Content];
}

export function titleOf({ _title, _id }: Content): string {
  return _title || String(_id);
}

export function dateOf({ _published_at, _created_at }: Content): Date {
  return _published_at ?? _created_at;
}

/** As 2026-01-31, in every language. */
export function formatDate(date: Date, timeStyle?: 'short'): string {
  return date.toLocaleString('sv', { dateStyle: 'short', timeStyle, timeZone });
}

export function isContent(value: unknown): value is Content {
  return isRecord(value) && '_model' in value && '_id' in value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Whether a value has something to show. */
export function isShown(value: unknown): boolean {
  if (isRecord(value)) return Object.values(value).some(isShown);
  if (Array.isArray(value)) return value.some(isShown);
  return value instanceof Date || (typeof value === 'string' && value !== '');
}
