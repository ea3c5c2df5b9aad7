import { isDeepStrictEqual } from 'node:util';
import type { WireContent } from '../../contract/content.ts';
import { isLuid } from '../../contract/luid.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import type { Replica } from '../../replica/replica.ts';
import { LuidResponseError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { BackupItem, LanguageData } from './backup-item.ts';
import { mapItemValues } from './item-values.ts';
import type { MediaIndex } from './media-index.ts';

/** An item as the keys show it, by language. */
export interface WireLanguages {
  readonly published: ReadonlyMap<string, WireContent>;
  /** With the key for drafts, which shows published data where there is no draft. */
  readonly drafts?: ReadonlyMap<string, WireContent> | undefined;
}

/** The replicas of a space, by language. */
export type Replicas = ReadonlyMap<string, Replica>;

/** The content of a space at one moment, in all languages, with one key or both. */
export class SpaceContent {
  readonly models: ModelMap;
  /** The main language, then the others. */
  readonly languages: readonly string[];
  readonly #published: Replicas;
  readonly #drafts: Replicas | undefined;
  /** Places that the model map does not declare, with one item each: `article.subtitle`. */
  readonly undeclared = new Map<string, number>();

  constructor(models: ModelMap, published: Replicas, drafts: Replicas | undefined) {
    this.models = models;
    this.languages = [...published.keys()];
    this.#published = published;
    this.#drafts = drafts;
  }

  get hasDrafts(): boolean {
    return this.#drafts !== undefined;
  }

  /** Model and id of every item, by id. */
  async items(): Promise<{ readonly model: string; readonly id: number }[]> {
    const found = new Map<number, string>();
    for (const replica of [...this.#published.values(), ...(this.#drafts?.values() ?? [])]) {
      await replica.readAll();
      for (const { model, ids } of replica
        .allSegments()
        .map((one) => ({ model: one.model, ids: one.ids() }))) {
        for (const id of ids) found.set(id, model);
      }
    }
    return [...found].map(([id, model]) => checked(model, id)).sort((a, b) => a.id - b.id);
  }

  /** An item as the service sent it. After `items()`. */
  wire(id: number): WireLanguages {
    return {
      published: inLanguages(this.#published, id),
      drafts: this.#drafts && inLanguages(this.#drafts, id),
    };
  }

  item(id: number, media: MediaIndex): BackupItem | undefined {
    const isGone = (target: number) =>
      [this.#published, this.#drafts].every((replicas) => {
        const main = replicas?.get(this.languages[0] ?? '');
        return !main || (main.removed.has(target) && !main.has(target));
      });
    const onUndeclared = (path: string) => this.undeclared.set(path, this.undeclared.get(path) ?? id);
    return toBackupItem(this.models, this.wire(id), media, isGone, onUndeclared);
  }
}

function inLanguages(replicas: Replicas, id: number): ReadonlyMap<string, WireContent> {
  return new Map(
    [...replicas].flatMap(([lang, replica]) => {
      const item = replica.get(id);
      return item ? [[lang, item] as const] : [];
    }),
  );
}

/** They become the path of a file. */
function checked(model: string, id: number) {
  if (isLuid(model) && Number.isSafeInteger(id) && id > 0) return { model, id };
  throw new LuidResponseError(`Content ${JSON.stringify(id)} of ${JSON.stringify(model)} has an invalid id`);
}

/** An item of an export. `onUndeclared` gets what the model map does not declare. */
export function toBackupItem(
  models: ModelMap,
  wire: WireLanguages,
  media: MediaIndex,
  isGone: (id: number) => boolean,
  onUndeclared: (path: string) => void,
): BackupItem | undefined {
  const [item] = [...(wire.drafts?.values() ?? []), ...wire.published.values()];
  if (!item) return undefined;
  const convert = (items: ReadonlyMap<string, WireContent>): LanguageData | undefined => {
    const data = [...items].map(([lang, values]) => [lang, convertOne(lang, values)] as const);
    return data.length > 0 ? Object.fromEntries(data) : undefined;
  };
  const convertOne = (lang: string, values: WireContent) =>
    mapItemValues(fieldsOf(models, item._model), values, {
      reference: (id) => (isGone(id) ? undefined : id),
      media: (value) => {
        const { url, alt } = isRecord(value) ? value : {};
        return typeof url === 'string' ? media.idOf(url, lang, alt as string | null) : undefined;
      },
      richText: (html) => media.toPortable(html),
      undeclared: (path) => onUndeclared(`${item._model}.${path}`),
    });
  const { published, draft } = dataOf(wire, item, convert);
  return {
    id: item._id,
    model: item._model,
    ...(item._space !== undefined && { space: item._space }),
    created_at: item._created_at,
    updated_at: item._updated_at,
    published_at: item._published_at,
    last_published_at: item._last_published_at,
    ...(published && { published }),
    ...(draft && { draft }),
  };
}

type Convert = (items: ReadonlyMap<string, WireContent>) => LanguageData | undefined;

function dataOf(wire: WireLanguages, { _status }: WireContent, convert: Convert) {
  if (!wire.drafts || wire.drafts.size === 0) return { published: convert(wire.published), draft: undefined };
  const seen = convert(wire.drafts);
  // The key for drafts shows more: references to what is a draft.
  if (_status === 'published') return { published: seen, draft: undefined };
  if (_status === 'draft') return { published: undefined, draft: seen };
  const published = convert(wire.published);
  const changed = Object.entries(seen ?? {}).filter(
    ([lang, values]) => !isDeepStrictEqual(values, published?.[lang]),
  );
  return { published, draft: changed.length > 0 ? Object.fromEntries(changed) : seen };
}
