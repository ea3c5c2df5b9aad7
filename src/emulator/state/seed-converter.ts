import { PARENT_SPACE } from '../../contract/luid.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { mergeValues, parseGroup, toWriteValues } from '../fields/group-values.ts';
import { formatInstant } from '../fields/instants.ts';
import type { Item, LanguageData } from './item.ts';
import { parseObject, parseTime, throwSeedError } from './seed-parsers.ts';
import type { SeedContent, SeedFields, SeedMedia } from './seed-types.ts';
import { MAX_ID, type Media, type State } from './state.ts';

const CONTENT_KEYS = [
  'id',
  'model',
  'space',
  'archived',
  'created_at',
  'updated_at',
  'published_at',
  'last_published_at',
  'published',
  'draft',
] as const;

/** Converts content and media from the seed format to stored items and back. Errors name the path. */
export class SeedConverter {
  readonly #state: State;
  readonly #truncateTime: (time: number) => number;

  constructor(state: State, truncateTime: (time: number) => number) {
    this.#state = state;
    this.#truncateTime = truncateTime;
  }

  parseContent(value: unknown, path: string): Item {
    const object = parseObject(value, path, CONTENT_KEYS);
    const model = object.model;
    const fields = typeof model === 'string' ? this.#state.fields(model) : undefined;
    if (!fields) {
      const models = Object.keys(this.#state.models).join(', ');
      return throwSeedError(`${path}.model`, `must be one of the models ${models}`);
    }
    const published = this.#parseLanguages(object.published, fields, `${path}.published`);
    const draft = this.#parseLanguages(object.draft, fields, `${path}.draft`);
    if (!published && !draft) throwSeedError(path, 'must have published or draft data');
    const createdAt = this.#parseTime(object.created_at, `${path}.created_at`);
    const updatedAt = this.#parseTime(object.updated_at ?? object.created_at, `${path}.updated_at`);
    const publishedAt =
      this.#parseTimeOrNull(object.published_at, `${path}.published_at`) ?? (published ? createdAt : null);
    return {
      id: parseId(object.id, `${path}.id`),
      model: model as string,
      space: this.#parseSpace(object.space ?? PARENT_SPACE, `${path}.space`),
      archived: parseBoolean(object.archived, `${path}.archived`),
      createdAt,
      updatedAt,
      publishedAt,
      lastPublishedAt:
        this.#parseTimeOrNull(object.last_published_at, `${path}.last_published_at`) ?? publishedAt,
      published,
      draft,
      updatedAtBeforeDraft: undefined,
    };
  }

  parseMedia(value: unknown, path: string): Media {
    const { id, file, alt, archived } = parseObject(value, path, ['id', 'file', 'alt', 'archived']);
    if (typeof file !== 'string' || !isInsideFolder(file)) {
      const problem = 'must be a path inside the directory of the seed, such as "media/a.jpg"';
      return throwSeedError(`${path}.file`, problem);
    }
    return {
      id: parseId(id, `${path}.id`),
      file,
      alt: this.parseAlt(alt, `${path}.alt`),
      archived: parseBoolean(archived, `${path}.archived`),
      uploaded: false,
    };
  }

  /** Merges changed fields into a group of values; an empty value empties the field. */
  mergeFields(values: Values | undefined, fields: FieldsBase, changes: unknown, path: string): Values {
    return mergeValues(values, changes as SeedFields, this.#parseFields(changes, fields, path));
  }

  toSeedContent(item: Item): SeedContent {
    const fields = this.#state.fields(item.model) ?? {};
    return {
      id: item.id,
      model: item.model,
      ...(this.#state.spaces && { space: item.space }),
      archived: item.archived,
      created_at: formatInstant(item.createdAt),
      updated_at: formatInstant(item.updatedAt),
      published_at: item.publishedAt === null ? null : formatInstant(item.publishedAt),
      last_published_at: item.lastPublishedAt === null ? null : formatInstant(item.lastPublishedAt),
      ...(item.published && { published: toSeedLanguages(item.published, fields) }),
      ...(item.draft && { draft: toSeedLanguages(item.draft, fields) }),
    };
  }

  toSeedMedia({ id, file, alt, archived }: Media): SeedMedia {
    return { id, file, alt: { ...alt }, archived };
  }

  #parseLanguages(value: unknown, fields: FieldsBase, path: string): LanguageData | undefined {
    if (value === undefined || value === null) return undefined;
    if (!isRecord(value)) return throwSeedError(path, 'must be an object with a key per language');
    const languages = Object.entries(value).map(([lang, values]) => {
      this.#checkLanguage(lang, `${path}[${JSON.stringify(lang)}]`);
      return [lang, this.#parseFields(values, fields, `${path}.${lang}`)] as const;
    });
    return languages.length === 0 ? undefined : Object.fromEntries(languages);
  }

  #parseFields(values: unknown, fields: FieldsBase, path: string): Values {
    return parseGroup(fields, values, path, { refuse: throwSeedError, time: this.#truncateTime });
  }

  #checkLanguage(lang: string, path: string): void {
    const { main, sub } = this.#state.languages;
    if (lang !== main && !sub.includes(lang)) {
      throwSeedError(path, `is not a language of this space; expected one of ${[main, ...sub].join(', ')}`);
    }
  }

  #parseSpace(space: unknown, path: string): string {
    if (space === PARENT_SPACE || (typeof space === 'string' && this.#state.spaces?.has(space))) return space;
    return throwSeedError(path, `is ${JSON.stringify(space)}, which is not in seed.spaces`);
  }

  /** Alternative text by language. */
  parseAlt(alt: unknown, path: string): Record<string, string> {
    if (alt === undefined || alt === null || alt === '') return {};
    if (typeof alt === 'string') return { [this.#state.languages.main]: alt };
    if (!isRecord(alt)) return throwSeedError(path, 'must be a string, or strings by language');
    for (const [lang, text] of Object.entries(alt)) {
      this.#checkLanguage(lang, `${path}[${JSON.stringify(lang)}]`);
      if (typeof text !== 'string') throwSeedError(`${path}.${lang}`, 'must be a string');
    }
    return { ...alt } as Record<string, string>;
  }

  #parseTime(value: unknown, path: string): number {
    return this.#truncateTime(parseTime(value, path));
  }

  #parseTimeOrNull(value: unknown, path: string): number | null {
    return value === undefined || value === null ? null : this.#parseTime(value, path);
  }
}

function toSeedLanguages(data: LanguageData, fields: FieldsBase): Record<string, SeedFields> {
  return Object.fromEntries(
    Object.entries(data).map(([lang, values]) => [lang, toWriteValues(fields, values)]),
  );
}

function parseId(id: unknown, path: string): number {
  return Number.isSafeInteger(id) && (id as number) > 0 && (id as number) <= MAX_ID
    ? (id as number)
    : throwSeedError(path, `must be an integer from 1 to ${MAX_ID}`);
}

function parseBoolean(value: unknown, path: string): boolean {
  if (value === undefined) return false;
  return typeof value === 'boolean' ? value : throwSeedError(path, 'must be true or false');
}

/** Whether a relative path stays inside the folder that it starts from. */
function isInsideFolder(file: string): boolean {
  return file !== '' && !/[\\\0]/.test(file) && !file.startsWith('/') && !file.split('/').includes('..');
}
