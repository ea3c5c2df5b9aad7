import { basename } from 'node:path/posix';
import pLimit from 'p-limit';
import { AssetError } from '../../images/assets/request-asset.ts';
import type { Values } from '../../models/field-types/field-type.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { BackupItem } from './backup-item.ts';
import { downloadMedia } from './download-media.ts';
import { mapItemValues, type ValueRules } from './item-values.ts';
import { type MatchBy, matchKey } from './match-items.ts';
import { ASSETS_URL, type BackupMedia, fromPortable } from './media-index.ts';
import { type Side, slugOf, titleOf } from './side.ts';

/** Equal for media with the same file. */
export type MediaKeys = ReadonlyMap<number, string>;

/**
 * Tells which media of two sides are the same: by the hash of their files, which are downloaded where only one side knows
 * it, or by name if a side was exported without media.
 */
export async function mediaKeys(a: Side, b: Side): Promise<readonly [MediaKeys, MediaKeys]> {
  const byHash = [a, b].every(
    ({ media, mediaSource }) =>
      media.size === 0 || mediaSource || [...media.values()].some(({ sha256 }) => sha256 !== undefined),
  );
  const keysOf = async (side: Side, other: Side): Promise<MediaKeys> => {
    const others = new Map([...other.media.values()].map((media) => [absoluteUrl(other, media), media]));
    const keyOf = async (media: BackupMedia): Promise<string> => {
      if (!byHash) return basename(media.file);
      const url = absoluteUrl(side, media);
      // The file at a URL never changes.
      const same = others.get(url);
      const known = media.sha256 ?? same?.sha256;
      if (known !== undefined) return known;
      return same ? url : hashOf(side, media);
    };
    const media = [...side.media.values()];
    const keys = await Promise.all(
      media.map(async (one) => [one.id, await limit(() => keyOf(one))] as const),
    );
    return new Map(keys);
  };
  const limit = pLimit(CONCURRENT_DOWNLOADS);
  return [await keysOf(a, b), await keysOf(b, a)];
}

const CONCURRENT_DOWNLOADS = 8;

export function absoluteUrl({ assetsUrl = ASSETS_URL }: Side, { url }: BackupMedia): string {
  return url.startsWith(ASSETS_URL) ? assetsUrl.replace(/\/+$/, '') + url.slice(ASSETS_URL.length) : url;
}

/** The hash of a media of a space. */
export async function hashOf({ mediaSource }: Side, media: BackupMedia): Promise<string> {
  const missing = `missing ${media.url}`;
  if (!mediaSource) return missing;
  return downloadMedia(media, mediaSource).then(
    ({ sha256 }) => sha256,
    (error) => {
      if (error instanceof AssetError) return missing;
      throw error;
    },
  );
}

/** How links are written so that those of two sides can be compared, and read. */
export interface Links {
  reference(side: Side, id: number): unknown;
  media(side: Side, media: BackupMedia, lang: string): unknown;
  image(side: Side, media: BackupMedia): string;
}

/** Links that are equal where they lead to the same item or file. */
export function comparableLinks(by: MatchBy, keys: ReadonlyMap<Side, MediaKeys>): Links {
  const keyOf = (side: Side, { id }: BackupMedia) => keys.get(side)?.get(id);
  return {
    reference(side, id) {
      const item = side.items.get(id);
      return { reference: item ? matchKey(side, item, by) : String(id) };
    },
    media: (side, media, lang) => ({ media: keyOf(side, media), alt: altOf(side, media, lang) }),
    image: (side, media) => `media:${keyOf(side, media)}`,
  };
}

/** Links for people: titles, slugs and file names. */
export const READABLE_LINKS: Links = {
  reference(side, id) {
    const item = side.items.get(id);
    if (!item) return { reference: id };
    const slug = slugOf(side, item);
    return { reference: id, model: item.model, title: titleOf(side, item), ...(slug && { slug }) };
  },
  media: (side, media, lang) => ({ media: basename(media.file), alt: altOf(side, media, lang) }),
  image: (_side, media) => basename(media.file),
};

export function altOf({ languages }: Side, { alt }: BackupMedia, lang: string): string {
  return alt[lang] ?? alt[languages[0] ?? ''] ?? '';
}

/** The values of an item in one language with its links as `links` writes them. */
export function withLinks(
  side: Side,
  item: BackupItem,
  lang: string,
  values: Values,
  links: Links,
  other?: ValueRules['other'],
): Values {
  return mapItemValues(fieldsOf(side.models, item.model), values, {
    reference: (id) => links.reference(side, id),
    media: (id) => {
      const media = side.media.get(id as number);
      return media ? links.media(side, media, lang) : { media: id };
    },
    richText: (html) => fromPortable(html, side.media, (media) => links.image(side, media)),
    undeclared: () => {},
    ...(other && { other }),
  });
}
