import { fieldsOf } from '../../models/fields-of.ts';
import { titleField } from '../../models/title-field.ts';
import type { ModelMap } from '../../models/types.ts';
import type { BackupItem } from './backup-item.ts';
import type { MediaSource } from './download-media.ts';
import { type BackupMedia, MediaIndex } from './media-index.ts';
import type { SpaceContent } from './space-content.ts';

/** The content of an export or of a space. */
export interface Side {
  readonly name: string;
  readonly models: ModelMap;
  /** The main language, then the others. */
  readonly languages: readonly string[];
  readonly hasDrafts: boolean;
  readonly items: ReadonlyMap<number, BackupItem>;
  readonly media: ReadonlyMap<number, BackupMedia>;
  /** The base URL of its media. */
  readonly assetsUrl: string | undefined;
  /** Where the media of a space can be downloaded from. */
  readonly mediaSource?: MediaSource | undefined;
}

export async function sideOfSpace(
  name: string,
  content: SpaceContent,
  mediaSource: MediaSource,
  index = new MediaIndex(mediaSource.assetsUrl),
): Promise<Side> {
  const ids = await content.items();
  const items = byId(ids.flatMap(({ id }) => content.item(id, index) ?? []));
  const { models, languages, hasDrafts } = content;
  const media = byId(index.list(languages[0] ?? ''));
  const { assetsUrl } = mediaSource;
  return { name, models, languages, hasDrafts, items, media, assetsUrl, mediaSource };
}

export function byId<T extends { readonly id: number }>(list: readonly T[]): ReadonlyMap<number, T> {
  return new Map(list.map((one) => [one.id, one]));
}

/** A field of an item in the main language, of its draft if it was never published. */
function mainValue({ languages }: Side, item: BackupItem, luid: string | undefined): string {
  const lang = languages[0] ?? '';
  const values = item.published?.[lang] ?? item.draft?.[lang] ?? {};
  const value = luid !== undefined && Object.hasOwn(values, luid) ? values[luid] : undefined;
  return typeof value === 'string' ? value : '';
}

export function titleOf(side: Side, item: BackupItem): string {
  return mainValue(side, item, titleField(fieldsOf(side.models, item.model)));
}

/** §1: LUIDs are chosen by users; this one by nearly all. */
export function slugOf(side: Side, item: BackupItem): string {
  return mainValue(side, item, 'slug');
}
