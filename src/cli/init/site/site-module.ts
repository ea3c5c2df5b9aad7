import { propertyName, quoted } from '../space-file/code-literals.ts';
import type { Section } from './sections.ts';

/** `site.ts`: what all pages of a new site share. */
export function siteModule(sections: readonly Section[], name: string, main: string): string {
  const langs = [...new Set(sections.flatMap((section) => section.langs ?? []))];
  const homeUrl =
    langs.length > 0
      ? `homeUrl(lang: string): string {\n  return \`/\${lang}/\`;`
      : `homeUrl(_lang: string): string {\n  return '/';`;
  return `import { type CollectionKey, getCollection } from 'astro:content';
import type { Media } from 'astro-luid';

export const name = ${quoted(name)};
/** The languages, the main one first. */
export const langs = [${(langs.length > 0 ? langs : [main]).map((lang) => quoted(lang)).join(', ')}];
export const mainLang = ${quoted(langs[0] ?? main)};
/** Of the dates on pages. */
export const timeZone = ${quoted(Intl.DateTimeFormat().resolvedOptions().timeZone)};

interface Section {
  title: string;
  /** The folder of its pages. */
  folder: string;
  langs: string[];
  /** The fields that give the id, and the image and text in lists. */
  id: string;
  image?: string;
  lead?: string;
}

/** The models that have pages. */
export const sections = {
${sections.map((section) => `  ${sectionCode(section, main)},`).join('\n')}
} satisfies Record<string, Section>;

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

export function ${homeUrl}
}

export function listUrl({ folder }: Section, lang: string): string {
  return \`\${homeUrl(lang)}\${folder}/\`;
}

/** The URL of the content's page, if it has one. */
export function urlOf(content: Content, lang: string): string | undefined {
  const section = sectionOf(content);
  return section && \`\${listUrl(section, lang)}\${idOf(content)}/\`;
}

export function idOf(content: Content): string {
  return String(valueOf(content, sectionOf(content)?.id));
}

/** What a list shows of content. */
export function cardOf(content: Content): { title: string; image: Media | null; lead: string } {
  const section = sectionOf(content);
  return {
    title: titleOf(content),
    image: (valueOf(content, section?.image) ?? null) as Media | null,
    lead: String(valueOf(content, section?.lead) ?? ''),
  };
}

function valueOf(content: Content, field: string | undefined): unknown {
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
`;
}

function sectionCode({ model, folder, langs, id, image, lead }: Section, main: string): string {
  const properties = [
    `title: ${quoted(labelOf(model))}`,
    `folder: ${quoted(folder)}`,
    `langs: [${(langs ?? [main]).map((lang) => quoted(lang)).join(', ')}]`,
    `id: ${quoted(id)}`,
    image !== undefined && `image: ${quoted(image)}`,
    lead !== undefined && `lead: ${quoted(lead)}`,
  ].filter((property) => property !== false);
  return `${propertyName(model)}: { ${properties.join(', ')} }`;
}

/** `starts_at` → `Starts at` */
export function labelOf(luid: string): string {
  const words = luid.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
