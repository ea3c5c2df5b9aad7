import type { Emulator } from '../../src/emulator/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { SERVICE_MODELS } from './models.ts';
import { LANGUAGES } from './seed.ts';

/**
 * The entries that a collection must have, from the service's own `depth` and `lang_fallback` responses. It
 * shares no code with the package: it is based on the specification and the table of empty values.
 */

/** Any JSON object. */
export type Json = Record<string, unknown>;

/** How a site looks at the service. */
export interface View {
  readonly apiKey: string;
  readonly space: string | undefined;
  readonly map: ModelMap;
}

/** The options of a collection that decide what its entries are. */
export interface CollectionOptions {
  readonly model: string;
  readonly depth: number;
  readonly lang?: string | undefined;
  readonly langs?: readonly string[] | undefined;
  readonly fallback: boolean;
}

/** An id that is allowed in place of an empty reference: what the service shows of content that is not visible. */
export class IdOrEmpty {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }
}

/** Content that does not match its model, or must refer to such content. */
class Invalid extends Error {}

/** In place of the value of an undeclared field that is not compared. */
export const NOT_COMPARED = Symbol('not compared');

type Field = {
  type: string;
  required?: boolean;
  model?: unknown;
  fields?: Fields;
  sets?: Record<string, Fields>;
  format?: string;
};
type Fields = Record<string, Field>;

export class ExpectedEntries {
  readonly #service: Emulator;
  readonly #view: View;
  readonly #lists = new Map<string, Promise<Json[]>>();
  #requests = 0;

  constructor(service: Emulator, view: View) {
    this.#service = service;
    this.#view = view;
  }

  /** The data of all entries of a collection, by their ids. */
  async entries(options: CollectionOptions): Promise<Map<string, Json>> {
    const entries = new Map<string, Json>();
    for (const lang of options.langs ?? [options.lang]) {
      const prefix = options.langs ? `${lang}/` : '';
      for (const [id, data] of await this.#inLanguage(options, lang)) entries.set(`${prefix}${id}`, data);
    }
    return entries;
  }

  async #inLanguage({ model, depth, fallback }: CollectionOptions, lang: string | undefined) {
    const isMain = lang === undefined || lang === LANGUAGES.main;
    const language = isMain ? '' : `&lang=${lang}${fallback ? '&lang_fallback=true' : ''}`;
    const fields = this.#view.map[model] as Fields;
    const items = await this.#list(`model=${model}&depth=${depth}${language}${formats(fields)}`);
    const visible = new Map(
      (await this.#list(`select=_id,_model${language}`)).map(({ _id, _model }) => [_id, _model]),
    ) as ReadonlyMap<number, string>;
    const languages = lang === undefined ? undefined : await this.#languages();
    const converter = new Converter(this.#view.map, visible, await this.#formatted(language));
    return items.flatMap((item) => {
      const data = converter.validItem(item, depth);
      if (!data) return [];
      if (!languages || lang === undefined) return [[item._id as number, data] as const];
      const available = [...languages].filter(([, ids]) => ids.has(item._id)).map(([key]) => key);
      const _fallback = !available.includes(lang);
      const current = _fallback ? LANGUAGES.main : lang;
      return [
        [item._id as number, { ...data, _lang: lang, _fallback, _langs: { current, available } }] as const,
      ];
    });
  }

  /** Items whose texts have a format, by id: a list applies it to its own items, not to what they embed. */
  async #formatted(language: string): Promise<Map<number, Json>> {
    const found = new Map<number, Json>();
    for (const [model, fields] of Object.entries(this.#view.map)) {
      const asked = formats(fields as Fields);
      if (asked === '') continue;
      const items = await this.#list(`model=${model}&depth=0${language}${asked}`);
      for (const item of items) found.set(item._id as number, item);
    }
    return found;
  }

  /** The ids that each language has, of all models. */
  async #languages(): Promise<Map<string, Set<unknown>>> {
    const found = new Map<string, Set<unknown>>();
    for (const lang of [LANGUAGES.main, ...LANGUAGES.sub]) {
      found.set(lang, new Set((await this.#list(`select=_id&lang=${lang}`)).map(({ _id }) => _id)));
    }
    return found;
  }

  /** All items of a list, page by page, while nothing changes; past the CDN. */
  #list(query: string): Promise<Json[]> {
    const known = this.#lists.get(query) ?? this.#read(query);
    this.#lists.set(query, known);
    return known;
  }

  async #read(query: string): Promise<Json[]> {
    const { space, apiKey } = this.#view;
    const inSpace = space === undefined ? '' : `&space=${space}`;
    const items: Json[] = [];
    for (;;) {
      const url = `${this.#service.baseUrl}/contents?${query}${inSpace}&order=_id&limit=100&offset=${items.length}`;
      const response = await this.#service.fetch(url, {
        headers: { 'X-SERVICE-API-KEY': apiKey, 'x-luid-pop': `expected ${instances++} ${this.#requests++}` },
      });
      if (!response.ok) throw new Error(`Expected entries: got ${response.status} for ${url}`);
      const { total, data } = (await response.json()) as { total: number; data: Json[] };
      items.push(...data);
      if (items.length >= total) return items;
    }
  }
}

let instances = 0;

/** `body[format]=text`, for each flexible text of a group that the map gives a format. */
function formats(fields: Fields, path = ''): string {
  return Object.entries(fields)
    .map(([luid, field]) => {
      const here = path + luid;
      if (field.type === 'flexible_text') return field.format ? `&${here}[format]=${field.format}` : '';
      return field.fields ? formats(field.fields, `${here}.`) : '';
    })
    .join('');
}

const TIMES = ['_created_at', '_updated_at', '_published_at', '_last_published_at'];

/** Makes the data of an entry from a content object of the service. */
class Converter {
  readonly #map: ModelMap;
  /** Visible content of all models, with the same key, space and language. */
  readonly #visible: ReadonlyMap<number, string>;
  readonly #formatted: ReadonlyMap<number, Json>;

  constructor(map: ModelMap, visible: ReadonlyMap<number, string>, formatted: ReadonlyMap<number, Json>) {
    this.#map = map;
    this.#visible = visible;
    this.#formatted = formatted;
  }

  /** `undefined` if the item is not shown. */
  validItem(item: Json, depth: number): Json | undefined {
    try {
      return this.#item(item, depth);
    } catch (error) {
      if (error instanceof Invalid) return undefined;
      throw error;
    }
  }

  #item(item: Json, depth: number): Json {
    const model = item._model as string;
    const formatted = this.#formatted.get(item._id as number);
    const data: Json = {};
    for (const [name, value] of Object.entries(item)) {
      if (TIMES.includes(name)) data[name] = value === null ? null : new Date(value as string);
      else if (name.startsWith('_')) data[name] = value;
    }
    const declared = this.#map[model] as Fields;
    Object.assign(data, this.#group(declared, SERVICE_MODELS[model as 'note'], item, depth));
    for (const [luid, { type }] of Object.entries(declared)) {
      if (type === 'flexible_text' && formatted) data[luid] = formatted[luid] ?? '';
    }
    return data;
  }

  #group(declared: Fields, known: Fields, values: Json, depth: number): Json {
    const data: Json = {};
    // The service may omit empty fields.
    const omitted = Object.entries(known).filter(
      ([luid, field]) => !Object.hasOwn(values, luid) && (Object.hasOwn(declared, luid) || holdsLinks(field)),
    );
    const all = [...Object.entries(values), ...omitted.map(([luid]) => [luid, null] as const)];
    for (const [luid, value] of all) {
      const field = Object.hasOwn(declared, luid) ? declared[luid] : undefined;
      if (luid.startsWith('_')) continue;
      if (field) data[luid] = this.#required(field, this.#value(field, value, depth));
      else data[luid] = holdsLinks(known[luid] as Field) ? NOT_COMPARED : value;
    }
    return data;
  }

  #required(field: Field, value: unknown): unknown {
    if (field.required && (value === null || value === '')) throw new Invalid();
    return value;
  }

  #value(field: Field, value: unknown, depth: number): unknown {
    const isEmpty = value === null || value === undefined || value === '';
    switch (field.type) {
      case 'text':
      case 'multiline':
      case 'flexible_text':
        return isEmpty ? '' : value;
      case 'multi_select':
        return isEmpty ? [] : value;
      case 'datetime':
        return isEmpty ? null : new Date(value as string);
      case 'reference':
        return this.#reference(field, value, depth);
      case 'repeat':
        return ((value ?? []) as Json[]).map((row) =>
          this.#group(field.fields as Fields, field.fields as Fields, row, depth),
        );
      case 'combination':
        return ((value ?? []) as { luid: string; fields: Json }[]).map(({ luid, fields }) => ({
          luid,
          fields: this.#group(field.sets?.[luid] as Fields, field.sets?.[luid] as Fields, fields, depth),
        }));
      case 'field_set':
        return isEmpty
          ? null
          : this.#group(field.fields as Fields, field.fields as Fields, value as Json, depth);
      default:
        return isEmpty ? null : value;
    }
  }

  /** Content to the depth, ids past it; empty where the target is not visible. */
  #reference(field: Field, value: unknown, depth: number): unknown {
    if (value === null || value === undefined) return null;
    const isContent = typeof value === 'object';
    const id = (isContent ? (value as Json)._id : value) as number;
    const model = this.#visible.get(id);
    if (model === undefined) return field.model === undefined ? new IdOrEmpty(id) : null;
    if (!Object.hasOwn(this.#map, model)) return field.model === undefined ? id : null;
    if (isContent) return this.validItem(value as Json, depth - 1) ?? null;
    if (depth > 0)
      throw new Error(`The service shows content ${id} as an id although ${depth} levels are left`);
    return id;
  }
}

function holdsLinks(field: Field): boolean {
  return !['text', 'multiline', 'flexible_text', 'boolean', 'select', 'multi_select', 'datetime'].includes(
    field.type,
  );
}
