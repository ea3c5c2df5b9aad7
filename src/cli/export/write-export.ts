import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LuidError } from '../../shared/errors.ts';
import { formatItem, formatJson, itemPath } from '../backup/backup-item.ts';
import type { MediaSource } from '../backup/download-media.ts';
import {
  folderSource,
  readIfExists,
  removeFile,
  sha256OfText,
  temporaryName,
  writeFileAtomically,
} from '../backup/files.ts';
import { formatManifest, MANIFEST, type Manifest, MODELS, type Selection } from '../backup/manifest.ts';
import { MediaIndex } from '../backup/media-index.ts';
import { readManifest } from '../backup/read-export.ts';
import type { SpaceContent } from '../backup/space-content.ts';
import { type MissingMedia, writeMedia } from './write-media.ts';

export interface ExportRequest {
  readonly folder: string;
  readonly content: SpaceContent;
  readonly source: Manifest['source'];
  readonly selection: Selection;
  readonly mediaSource: MediaSource;
  /** Only these items. Default: all. */
  readonly ids?: ReadonlySet<number> | undefined;
}

export interface ExportResult {
  readonly counts: Manifest['counts'];
  /** Files of items that were written or removed. */
  readonly written: number;
  readonly removed: number;
  readonly downloaded: number;
  readonly missing: readonly MissingMedia[];
}

/** Few enough to be in memory at once. */
const BATCH = 250;

/**
 * Brings the export in a folder up to date. The manifest names every file before it is written: a run after a kill relies
 * on these names, keeps the media that are complete, and compares everything else.
 */
export async function writeExport(request: ExportRequest): Promise<ExportResult> {
  const { folder, content, source, selection, ids } = request;
  const before = await readManifest(folderSource(folder));
  if (before) checkSameExport(before, source, selection, folder);
  const all = await content.items();
  const items = ids ? all.filter(({ id }) => ids.has(id)) : all;
  const [main = '', ...sub] = content.languages;
  const paths = [MODELS, ...items.map(itemPath)];
  const known = new Set(Object.keys(before?.files ?? {}));
  await refuseForeignFiles(folder, paths, known);
  if (before && !before.complete) await removeTemporaryFiles(folder, [...known, MANIFEST]);

  const files = new Map<string, string>();
  const media = new MediaIndex(source.assetsUrl, before?.media);
  const manifestOf = (complete: boolean, names: ReadonlyMap<string, string>, list = before?.media ?? []) => {
    const bytes = list.reduce((sum, one) => sum + (one.bytes ?? 0), 0);
    const counts = { items: items.length, media: list.length, bytes };
    const sorted = Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1)));
    const languages = { main, sub };
    return { complete, source, languages, selection, counts, files: sorted, media: list.map(inOrder) };
  };
  const writeManifest = (manifest: Omit<Manifest, 'version'>) =>
    writeFileAtomically(join(folder, MANIFEST), formatManifest(manifest), { durable: true });
  let hasBegun = false;
  /** Called before the first change. */
  const begin = async () => {
    if (hasBegun) return;
    hasBegun = true;
    const names = [...known, ...paths].map((path) => [path, before?.files[path] ?? ''] as const);
    await writeManifest(manifestOf(false, new Map(names)));
  };

  let written = 0;
  const write = async (path: string, text: string) => {
    files.set(path, sha256OfText(text));
    const existing = await readIfExists(join(folder, path));
    if (existing?.toString().replaceAll('\r\n', '\n') === text) return;
    await begin();
    await writeFileAtomically(join(folder, path), text);
    written += 1;
  };
  await write(MODELS, formatJson(content.models));
  for (let start = 0; start < items.length; start += BATCH) {
    // In order, so that new media get their ids in the order of content.
    const batch = items.slice(start, start + BATCH).flatMap(({ id }) => content.item(id, media) ?? []);
    if (!hasBegun && !before) await begin();
    await Promise.all(batch.map((item) => write(itemPath(item), formatItem(item))));
  }
  const gone = [...known].filter((path) => !files.has(path));
  if (gone.length > 0) await begin();
  for (const path of gone) await removeFile(folder, path);

  const list = media.list(main);
  const copied = await writeMedia(request, before, list, async () => {
    await begin();
    await writeManifest(manifestOf(false, files, [...list, ...goneMedia(before, list)]));
  });
  const after = manifestOf(true, files, copied.media);
  if (hasBegun || formatManifest(after) !== formatJson(before)) await writeManifest(after);
  const { downloaded, missing } = copied;
  return { counts: after.counts, written, removed: gone.length, downloaded, missing };
}

/** Equal media are equal text. */
function inOrder({
  id,
  file,
  url,
  alt,
  bytes,
  sha256,
}: Manifest['media'][number]): Manifest['media'][number] {
  return { id, file, url, alt, bytes, sha256 };
}

function goneMedia(before: Manifest | undefined, list: Manifest['media']): Manifest['media'] {
  const files = new Set(list.map(({ file }) => file));
  return (before?.media ?? []).filter(({ file }) => !files.has(file));
}

/** A file that no export has written is never replaced. */
async function refuseForeignFiles(
  folder: string,
  paths: readonly string[],
  known: ReadonlySet<string>,
): Promise<void> {
  const folders = new Set(paths.map((path) => dirname(path)));
  const found = new Set<string>();
  for (const one of folders) {
    const names = await readdir(join(folder, one)).catch(() => []);
    for (const name of names) found.add(one === '.' ? name : `${one}/${name}`);
  }
  const foreign = paths.find((path) => !known.has(path) && found.has(path));
  if (foreign === undefined) return;
  throw new LuidError(`${foreign} exists in ${folder}, and was not written by luid export`, {
    hint: 'Move it away, or export into another folder.',
  });
}

async function removeTemporaryFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(temporaryName(join(folder, path)), { force: true });
}

/** Throws if this run would remove what an earlier one was asked for: content of another space, model or language. */
function checkSameExport(
  before: Manifest,
  source: Manifest['source'],
  selection: Selection,
  folder: string,
): void {
  const hint = 'Export into another folder, or remove this one first.';
  const [was, is] = [before.source, source];
  if (was.baseUrl !== is.baseUrl || was.space !== is.space) {
    const place = [was.baseUrl, was.space].filter(Boolean).join(', space ');
    throw new LuidError(`${folder} has an export of another space: ${place}`, { hint });
  }
  const lost = lostOption(before.selection, selection);
  if (lost === undefined) return;
  throw new LuidError(`${folder} has an export with more than this run would keep there: ${lost}`, {
    hint: `Pass the same options as before. ${hint}`,
  });
}

function lostOption(before: Selection, now: Selection): string | undefined {
  if (before.drafts && !now.drafts) return 'drafts';
  if (before.media && !now.media) return 'media';
  for (const name of ['models', 'langs'] as const) {
    const [had, has] = [before[name], now[name]];
    if (has === null) continue;
    const lost = had === null ? `all ${name}` : had.find((one) => !has.includes(one));
    if (lost !== undefined) return lost;
  }
  return undefined;
}
