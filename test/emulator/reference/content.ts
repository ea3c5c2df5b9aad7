import type { Field } from '../../../src/models/field-types/index.ts';
import type { Fields } from '../../../src/models/types.ts';
import { toWireTime } from './instant.ts';
import { findById, type Reader, type Shown, showById, spaceOf } from './reader.ts';
import { own, type SeedContent, type Values } from './reference-seed.ts';

/** §2.1: a content object with its references as content to `depth`; where a field has a system name, it yields. */
export function contentObject(reader: Reader, shown: Shown, depth: number): Values {
  return {
    ...fieldValues({ reader, lang: shown.lang, depth }, fieldsOf(reader, shown.content), shown.data),
    ...system(reader, shown),
  };
}

export function fieldsOf(reader: Reader, content: SeedContent): Fields {
  return own(reader.seed.models, content.model) ?? {};
}

function system(reader: Reader, shown: Shown): Values {
  const { content } = shown;
  return {
    _id: content.id,
    _model: content.model,
    _title: title(fieldsOf(reader, content), shown.data),
    _created_at: toWireTime(content.created_at),
    _updated_at: toWireTime(content.updated_at),
    _published_at: content.published_at ? toWireTime(content.published_at) : null,
    _last_published_at: lastPublishedAt(content),
    _status: status(content),
    ...(reader.seed.spaces ? { _space: spaceOf(content) } : {}),
  };
}

/** The field marked as the title, else the first single-line text. */
function title(fields: Fields, data: Values): unknown {
  const texts = Object.entries(fields).filter(([, field]) => field.type === 'text');
  const chosen = texts.find(([, field]) => field.type === 'text' && field.title) ?? texts[0];
  return (chosen && own(data, chosen[0])) ?? '';
}

/** §2.1: for content last published on or before 2025-06-25 it equals `_published_at`. */
function lastPublishedAt(content: SeedContent): string | null {
  if (!content.last_published_at) return null;
  const old = Date.parse(content.last_published_at) < Date.parse('2025-06-26T00:00:00Z');
  const time = old ? content.published_at : content.last_published_at;
  return time ? toWireTime(time) : null;
}

/** §3. */
function status(content: SeedContent): string {
  if (!content.draft) return 'published';
  return content.published ? 'published_draft' : 'draft';
}

/** Where a value is shown: for whom, in data of which language, and with how many references left to follow. */
interface SerializeContext {
  reader: Reader;
  lang: string;
  depth: number;
}

function fieldValues(showing: SerializeContext, fields: Fields, stored: Values): Values {
  return Object.fromEntries(
    Object.entries(fields).map(([luid, field]) => [luid, fieldValue(showing, field, own(stored, luid))]),
  );
}

/** §2.2, row by row. Empty is `''` for texts, `[]` for lists, else `null`. */
function fieldValue(showing: SerializeContext, field: Field, stored: unknown): unknown {
  const group = (fields: unknown, values: unknown) =>
    fieldValues(showing, fields as Fields, values as Values);
  switch (field.type) {
    case 'flexible_text':
    case 'text':
    case 'multiline':
      return stored ?? '';
    case 'multi_select':
      return stored ?? [];
    case 'boolean':
    case 'unknown':
      return stored ?? null;
    case 'select':
      return stored || null;
    case 'datetime':
      return stored ? toWireTime(stored as string) : null;
    case 'media':
      return mediaValue(showing, stored);
    case 'reference':
      return referenceValue(showing, stored);
    case 'repeat':
      return ((stored ?? []) as Values[]).map((entry) => group(field.fields, entry));
    case 'combination':
      return ((stored ?? []) as { luid: string; fields: Values }[]).map(({ luid, fields }) => ({
        luid,
        fields: group(own(field.sets, luid), fields),
      }));
    case 'field_set':
      return stored ? group(field.fields, stored) : null;
  }
}

/** §1: archived media is an empty value. The text is in the language of the data, else in the main one. */
function mediaValue({ reader, lang }: SerializeContext, id: unknown): unknown {
  const media = reader.seed.media.find((candidate) => candidate.id === id);
  if (!media || media.archived) return null;
  const alt = own(media.alt, lang) ?? own(media.alt, reader.seed.languages.main) ?? '';
  return { url: reader.mediaUrl(media.file, media.id), alt };
}

/** §1: empty where there is no such item for the key. §4.2: always an id where no depth remains. */
function referenceValue({ reader, depth }: SerializeContext, id: unknown): unknown {
  if (depth === 0) return findById(reader, id)?.id ?? null;
  const target = showById(reader, id);
  return target ? contentObject(reader, target, depth - 1) : null;
}
