import { createStorage } from 'unstorage';
import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { didYouMean } from '../../shared/suggest.ts';
import type { SyncedSpace } from '../../space/replica-options.ts';
import { findAssetsUrl } from '../../space/space-options.ts';
import type { Cache } from '../shared/open-cache.ts';
import { syncSpace } from '../shared/sync-space.ts';
import { type Replicas, SpaceContent } from './space-content.ts';

interface ContentOptions {
  readonly cache: Cache;
  /** Read drafts too, with the other key. */
  readonly drafts: boolean;
  /** Default: all. */
  readonly models?: readonly string[] | null | undefined;
  readonly langs?: readonly string[] | null | undefined;
  readonly logger: Logger;
}

/** §2.2: the language of data that names none, where the space declares no languages. That of seeds. */
const DEFAULT_LANGUAGE = 'ja';

/** Reads the content of a space, of which only changes are requested if the cache has it. */
export async function openContent(space: SyncedSpace, options: ContentOptions): Promise<SpaceContent> {
  const models = selectModels(space.models, options.models);
  const portable = { ...space, models: portableModels(models) };
  const main = space.settings.languages?.main ?? DEFAULT_LANGUAGE;
  const read = async (drafts: boolean): Promise<Replicas> => {
    const synced = await syncSpace(portable, {
      cache: options.cache,
      drafts,
      langs: options.langs ?? undefined,
      fewRequests: true,
      keepsItems: false,
      logger: () => options.logger,
    });
    return new Map(synced.map(({ lang, replica }) => [lang ?? main, replica]));
  };
  const published = await read(false);
  return new SpaceContent(models, published, options.drafts ? await read(true) : undefined);
}

function selectModels(models: ModelMap, selected?: readonly string[] | null): ModelMap {
  if (!selected) return models;
  const unknown = selected.find((name) => !Object.hasOwn(models, name));
  if (unknown !== undefined) {
    const names = Object.keys(models);
    throw new LuidConfigError(`Unknown model ${JSON.stringify(unknown)}${didYouMean(unknown, names)}`, {
      hint: `The models are ${names.join(', ')}.`,
    });
  }
  return Object.fromEntries(Object.entries(models).filter(([name]) => selected.includes(name)));
}

/** Where a space is, as an export records it. */
export async function sourceOf({ settings, connect }: SyncedSpace) {
  const [{ baseUrl }, assetsUrl] = await Promise.all([connect()(), findAssetsUrl(settings)]);
  return { baseUrl, assetsUrl, ...(settings.space !== undefined && { space: settings.space }) };
}

/** For one command: everything is read anew. */
export function memoryCache(): Cache {
  return { storage: createStorage(), throwIfFailed: () => {}, close: async () => {} };
}

/** The models with every flexible text as portable HTML, the only format that keeps all of it (§2.2). */
export function portableModels(models: ModelMap): ModelMap {
  return mapEntries(models, portableFields) as ModelMap;
}

function portableFields(fields: FieldsBase): FieldsBase {
  return mapEntries(fields, (field) => {
    if (fieldTypeOf(field).text === 'rich') return { type: field.type, format: 'portable_html' } as FieldBase;
    const { fields: inner, sets } = field as { fields?: FieldsBase; sets?: { [luid: string]: FieldsBase } };
    if (inner) return { ...field, fields: portableFields(inner) };
    return sets ? { ...field, sets: mapEntries(sets, portableFields) } : field;
  });
}

function mapEntries<T>(record: { readonly [key: string]: T }, change: (value: T) => T): { [key: string]: T } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
