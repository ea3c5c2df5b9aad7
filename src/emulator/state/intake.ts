import { PARENT_SPACE } from '../../contract/luid.ts';
import { type FieldsBase, isRecord } from '../../models/field-types/field-type.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { mergeValues, parseGroup, serializeGroup } from '../fields/group-values.ts';
import { showInstant } from '../fields/instants.ts';
import type { Item, LangData } from './item.ts';
import { instantAt, record, refuse } from './place.ts';
import type { SeedContent, SeedFields, SeedMedia } from './seed.ts';
import type { Media, State } from './state.ts';

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

/** Between the shapes of a seed and what is kept, both ways. Refusals name the place. */
export class Intaker {
  readonly #state: State;
  readonly #time: (time: number) => number;

  constructor(state: State, time: (time: number) => number) {
    this.#state = state;
    this.#time = time;
  }

  content(value: unknown, place: string): Item {
    const given = record(value, place, CONTENT_KEYS);
    const model = given.model;
    const fields = typeof model === 'string' ? this.#state.fields(model) : undefined;
    if (!fields) {
      return refuse(`${place}.model`, `is no model; there are ${Object.keys(this.#state.models).join(', ')}`);
    }
    const published = this.#languages(given.published, fields, `${place}.published`);
    const draft = this.#languages(given.draft, fields, `${place}.draft`);
    if (!published && !draft) refuse(place, 'has neither published nor draft data');
    const createdAt = this.#instant(given.created_at, `${place}.created_at`);
    const updatedAt = this.#instant(given.updated_at ?? given.created_at, `${place}.updated_at`);
    const publishedAt =
      this.#instantOrNull(given.published_at, `${place}.published_at`) ?? (published ? createdAt : null);
    return {
      id: readId(given.id, `${place}.id`),
      model: model as string,
      space: this.#space(given.space ?? PARENT_SPACE, `${place}.space`),
      archived: readFlag(given.archived, `${place}.archived`),
      createdAt,
      updatedAt,
      publishedAt,
      lastPublishedAt:
        this.#instantOrNull(given.last_published_at, `${place}.last_published_at`) ?? publishedAt,
      published,
      draft,
      settledAt: undefined,
    };
  }

  media(value: unknown, place: string): Media {
    const { id, file, alt, archived } = record(value, place, ['id', 'file', 'alt', 'archived']);
    if (typeof file !== 'string' || !isInside(file)) {
      return refuse(
        `${place}.file`,
        'must be a path inside the directory of the seed, such as "media/a.jpg"',
      );
    }
    return {
      id: readId(id, `${place}.id`),
      file,
      alt: this.alt(alt, `${place}.alt`),
      archived: readFlag(archived, `${place}.archived`),
      uploaded: false,
    };
  }

  /** Puts fields over a group of values; an empty one empties. */
  merge(values: Values | undefined, fields: FieldsBase, changes: unknown, place: string): Values {
    const taken = parseGroup(fields, changes, place, { refuse, time: this.#time });
    return mergeValues(values, changes as SeedFields, taken);
  }

  giveContent(item: Item): SeedContent {
    const fields = this.#state.fields(item.model) ?? {};
    return {
      id: item.id,
      model: item.model,
      ...(this.#state.spaces && { space: item.space }),
      archived: item.archived,
      created_at: showInstant(item.createdAt),
      updated_at: showInstant(item.updatedAt),
      published_at: item.publishedAt === null ? null : showInstant(item.publishedAt),
      last_published_at: item.lastPublishedAt === null ? null : showInstant(item.lastPublishedAt),
      ...(item.published && { published: giveLanguages(item.published, fields) }),
      ...(item.draft && { draft: giveLanguages(item.draft, fields) }),
    };
  }

  giveMedia({ id, file, alt, archived }: Media): SeedMedia {
    return { id, file, alt: { ...alt }, archived };
  }

  #languages(value: unknown, fields: FieldsBase, place: string): LangData | undefined {
    if (value === undefined || value === null) return undefined;
    if (!isRecord(value)) return refuse(place, 'must be an object of language keys');
    const languages = Object.entries(value).map(([lang, values]) => {
      this.#language(lang, `${place}[${JSON.stringify(lang)}]`);
      return [lang, parseGroup(fields, values, `${place}.${lang}`, { refuse, time: this.#time })] as const;
    });
    return languages.length === 0 ? undefined : Object.fromEntries(languages);
  }

  #language(lang: string, place: string): void {
    const { main, sub } = this.#state.languages;
    if (lang !== main && !sub.includes(lang)) {
      refuse(place, `is no language of this space; there are ${[main, ...sub].join(', ')}`);
    }
  }

  #space(space: unknown, place: string): string {
    if (space === PARENT_SPACE || (typeof space === 'string' && this.#state.spaces?.has(space))) return space;
    return refuse(place, `is ${JSON.stringify(space)}, which is not in seed.spaces`);
  }

  /** Texts by language. */
  alt(alt: unknown, place: string): Record<string, string> {
    if (alt === undefined || alt === null || alt === '') return {};
    if (typeof alt === 'string') return { [this.#state.languages.main]: alt };
    if (!isRecord(alt)) return refuse(place, 'must be a text, or texts by language');
    for (const [lang, text] of Object.entries(alt)) {
      this.#language(lang, `${place}[${JSON.stringify(lang)}]`);
      if (typeof text !== 'string') refuse(`${place}.${lang}`, 'must be a text');
    }
    return { ...alt } as Record<string, string>;
  }

  #instant(value: unknown, place: string): number {
    return this.#time(instantAt(value, place));
  }

  #instantOrNull(value: unknown, place: string): number | null {
    return value === undefined || value === null ? null : this.#instant(value, place);
  }
}

function giveLanguages(data: LangData, fields: FieldsBase): Record<string, SeedFields> {
  return Object.fromEntries(
    Object.entries(data).map(([lang, values]) => [lang, serializeGroup(fields, values)]),
  );
}

function readId(id: unknown, place: string): number {
  return Number.isSafeInteger(id) && (id as number) > 0
    ? (id as number)
    : refuse(place, 'must be a whole number above 0');
}

function readFlag(flag: unknown, place: string): boolean {
  if (flag === undefined) return false;
  return typeof flag === 'boolean' ? flag : refuse(place, 'must be true or false');
}

/** A relative path that does not lead out of the folder it starts from. */
function isInside(file: string): boolean {
  return file !== '' && !/[\\\0]/.test(file) && !file.startsWith('/') && !file.split('/').includes('..');
}
