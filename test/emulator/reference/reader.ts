import { type Key, own, type Seed, type SeedContent, type Values } from './reference-seed.ts';

/** Somebody who asks: a key, a language, and what to do where that language is missing. */
export interface Reader {
  seed: Seed;
  key: Key;
  lang: string;
  fallback: boolean;
  /** Where a media file is served from. */
  mediaUrl: (file: string, id: number) => string;
}

/** An item as a reader sees it: in one language, as published or as drafted. */
export interface Shown {
  content: SeedContent;
  /** The language of `data`, which is not the reader's after a fallback. */
  lang: string;
  data: Values;
}

/** The item as this reader sees it, or `undefined` where there is nothing to see. */
export function show(reader: Reader, content: SeedContent): Shown | undefined {
  if (!exists(reader, content)) return undefined;
  const languages = reader.fallback ? [reader.lang, reader.seed.languages.main] : [reader.lang];
  for (const lang of languages) {
    const data = dataInLanguage(content, reader.key, lang);
    if (data) return { content, lang, data };
  }
  return undefined;
}

/** Whether there is such an item for the reader's key, in whatever language. */
function exists(reader: Reader, content: SeedContent): boolean {
  if (content.archived) return false;
  if (reader.key.spaces && !reader.key.spaces.includes(spaceOf(content))) return false;
  return availableLanguages(reader, content).length > 0;
}

/** The item with this id, if there is one for the reader's key. */
export function findById(reader: Reader, id: unknown): SeedContent | undefined {
  return reader.seed.contents.find((content) => content.id === id && exists(reader, content));
}

export function showById(reader: Reader, id: unknown): Shown | undefined {
  const content = findById(reader, id);
  return content && show(reader, content);
}

/** §5: one kind of key reads what is published; the other reads drafts too, and those first. */
function dataInLanguage(content: SeedContent, key: Key, lang: string): Values | undefined {
  const published = own(content.published, lang);
  return key.reads === 'drafts' ? (own(content.draft, lang) ?? published) : published;
}

/** §2.2: the languages that this key sees of an item, the main one first. */
export function availableLanguages(reader: Reader, content: SeedContent): string[] {
  const { main, sub } = reader.seed.languages;
  return [main, ...sub].filter((lang) => dataInLanguage(content, reader.key, lang) !== undefined);
}

export function spaceOf(content: SeedContent): string {
  return content.space ?? '_parent';
}
