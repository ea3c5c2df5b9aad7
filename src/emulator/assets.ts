import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { notFound } from './refusal.ts';
import { bytesResponse } from './responses.ts';
import { fileName } from './show.ts';
import type { State } from './state.ts';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.png', 'image/png'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
  ['.gif', 'image/gif'],
  ['.svg', 'image/svg+xml'],
  ['.pdf', 'application/pdf'],
  ['.mp4', 'video/mp4'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** The file of a media: `{id}/{name}` under the assets address. No key is needed. */
export async function readAsset(path: string, state: State, directory: string): Promise<Response> {
  const [, id = '', name = ''] = /^\/([1-9]\d*)\/([^/]+)$/.exec(path) ?? [];
  const media = state.media.get(Number(id));
  if (!media || media.archived || decode(name) !== fileName(media)) throw notFound();
  const bytes = await readFile(join(directory, media.file)).catch(() => {
    throw notFound();
  });
  const type = TYPES.get(extname(media.file).toLowerCase()) ?? 'application/octet-stream';
  const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000' };
  return bytesResponse(new Uint8Array(bytes), { status: 200, headers });
}

function decode(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
