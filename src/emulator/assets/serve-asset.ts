import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { notFound } from '../http/http-error.ts';
import { bytesResponse } from '../http/responses.ts';
import { type Media, mediaFileName, type State } from '../state/state.ts';
import { formatFromName, imageType, readImageInfo } from './image-info.ts';
import { parseImageRequest } from './image-request.ts';
import type { ImageResizer } from './image-resizer.ts';
import type { Uploads } from './uploads.ts';

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.gif', 'image/gif'],
  ['.svg', 'image/svg+xml'],
  ['.pdf', 'application/pdf'],
  ['.mp4', 'video/mp4'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** What serving a file needs. */
export interface AssetContext {
  readonly state: State;
  /** The folder of the seed's media. */
  readonly directory: string;
  readonly uploads: Uploads;
  readonly imageResizer: ImageResizer;
}

/** Serves the file of a media, `/assets/{id}/{name}`, resized if requested. No key is needed. */
export async function serveAsset(request: Request, url: URL, context: AssetContext): Promise<Response> {
  const media = findMedia(url.pathname.slice('/assets'.length), context.state);
  const imageRequest = parseImageRequest(new Map(url.searchParams));
  const bytes = await readMediaFile(media, context);
  const name = mediaFileName(media);
  const format = formatFromName(name);
  const info = imageRequest && format ? await readImageInfo(bytes) : undefined;
  const resized = imageRequest && info && (await context.imageResizer.resize(bytes, info, imageRequest));
  if (resized) return fileResponse(request, resized.bytes, imageType(resized.format), resized.hash);
  const type = format ? imageType(format) : CONTENT_TYPES.get(extname(name).toLowerCase());
  return fileResponse(request, bytes, type ?? 'application/octet-stream', hashOf(bytes));
}

function findMedia(path: string, state: State): Media {
  const [, id = '', name = ''] = /^\/([1-9]\d*)\/([^/]+)$/.exec(path) ?? [];
  const media = state.media.get(Number(id));
  if (!media || media.archived || decode(name) !== mediaFileName(media)) throw notFound();
  return media;
}

function decode(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

async function readMediaFile(media: Media, context: AssetContext): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = media.uploaded
    ? await context.uploads.read(media.id)
    : await readFromFolder(context.directory, media.file).catch(() => undefined);
  if (!bytes) throw notFound();
  return bytes;
}

/** Reads a file of a folder; `undefined` if a link leads out of it. */
async function readFromFolder(directory: string, file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const path = await realpath(join(directory, file));
  if (!path.startsWith((await realpath(directory)) + sep) || !(await stat(path)).isFile()) return undefined;
  return new Uint8Array(await readFile(path));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function fileResponse(
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  hash: string,
): Response {
  const etag = `"${hash.slice(0, 32)}"`;
  const headers = { 'cache-control': 'public, max-age=31536000', etag, ...isolationHeaders(type) };
  const knownTags = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  if (knownTags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)) {
    return new Response(null, { status: 304, headers });
  }
  return bytesResponse(bytes, { status: 200, headers: { 'content-type': type, ...headers } });
}

/**
 * Anyone with a key can upload a file, and browsers open it on this origin. The sandbox gives each file a unique
 * origin without scripts; an SVG may use its own styles only.
 */
function isolationHeaders(type: string): Record<string, string> {
  const policy =
    type === CONTENT_TYPES.get('.svg') ? "default-src 'none'; style-src 'unsafe-inline'; sandbox" : 'sandbox';
  return { 'content-security-policy': policy, 'x-content-type-options': 'nosniff' };
}
