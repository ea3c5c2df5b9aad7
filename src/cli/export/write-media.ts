import { join } from 'node:path';
import pLimit from 'p-limit';
import { AssetError } from '../../images/assets/request-asset.ts';
import { downloadedFacts, downloadMedia, type MediaSource } from '../backup/download-media.ts';
import { removeFile, sizeOf } from '../backup/files.ts';
import type { Manifest, Selection } from '../backup/manifest.ts';
import type { BackupMedia } from '../backup/media-index.ts';

/** A media whose original could not be downloaded. */
export interface MissingMedia {
  readonly url: string;
  readonly reason: string;
}

interface MediaRequest {
  readonly folder: string;
  readonly selection: Selection;
  readonly mediaSource: MediaSource;
}

/** Downloads keep less in memory than what a request for content may take. */
const CONCURRENT_DOWNLOADS = 8;

/**
 * Downloads the originals that the folder does not have, and removes those that no content shows. The file at a URL never
 * changes. `begin` is called before the first change, to store the names of all files: what an interrupted export has
 * downloaded is found by these.
 */
export async function writeMedia(
  { folder, selection, mediaSource }: MediaRequest,
  before: Manifest | undefined,
  media: readonly BackupMedia[],
  begin: () => Promise<void>,
) {
  if (!selection.media) return { media, downloaded: 0, missing: [] };
  const limit = pLimit(CONCURRENT_DOWNLOADS);
  const interrupted = new Set(before?.complete === false ? before.media.map(({ file }) => file) : []);
  const findPresent = async (one: BackupMedia): Promise<BackupMedia | undefined> => {
    const path = join(folder, one.file);
    if (one.bytes !== undefined) return (await sizeOf(path)) === one.bytes ? one : undefined;
    const facts = interrupted.has(one.file) ? await limit(() => downloadedFacts(path)) : undefined;
    return facts && { ...one, ...facts };
  };
  const present = await Promise.all(media.map(findPresent));
  const files = new Set(media.map(({ file }) => file));
  const gone = (before?.media ?? []).filter(({ file }) => !files.has(file));
  if (gone.length > 0 || present.includes(undefined)) await begin();

  const missing: MissingMedia[] = [];
  const complete = await Promise.all(
    media.map(async (one, index) => {
      if (present[index]) return present[index];
      const { bytes, sha256, ...rest } = one;
      try {
        const facts = await limit(() => downloadMedia(one, mediaSource, join(folder, one.file)));
        return { ...rest, ...facts };
      } catch (error) {
        if (!(error instanceof AssetError)) throw error;
        missing.push({ url: one.url, reason: error.message });
        return rest;
      }
    }),
  );
  for (const { file } of gone) await removeFile(folder, file);
  const downloaded = present.filter((isPresent) => !isPresent).length - missing.length;
  return { media: complete, downloaded, missing };
}
