import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { notFound } from '../http/refusal.ts';
import { bytesResponse } from '../http/responses.ts';
import { fileName } from '../read/show.ts';
import type { Media, State } from '../state/state.ts';
import { inspect, namedPicture, PICTURE_TYPES } from './image-info.ts';
import { parsePictureAsk } from './image-request.ts';
import type { PictureWork } from './image-worker.ts';
import type { Uploads } from './uploads.ts';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.gif', 'image/gif'],
  ['.svg', 'image/svg+xml'],
  ['.pdf', 'application/pdf'],
  ['.mp4', 'video/mp4'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** Where files come from, and what works on them. */
export interface Warehouse {
  readonly state: State;
  /** Of the seed's media. */
  readonly directory: string;
  readonly uploads: Uploads;
  readonly pictures: PictureWork;
}

/** The file of a media: `{id}/{name}` under the assets address, as a picture is asked for. No key is needed. */
export async function readAsset(request: Request, url: URL, house: Warehouse): Promise<Response> {
  const media = find(url.pathname.slice('/assets'.length), house.state);
  const ask = parsePictureAsk(new Map(url.searchParams));
  const bytes = await read(media, house);
  const name = fileName(media);
  const named = namedPicture(name);
  // What does not even call itself a picture is passed through unseen.
  const picture = ask && named ? await inspect(bytes) : undefined;
  const result = ask && picture && (await house.pictures.result(bytes, picture, ask));
  if (result) return fileResponse(request, result.bytes, PICTURE_TYPES[result.format], result.hash);
  const type = named ? PICTURE_TYPES[named] : TYPES.get(extname(name).toLowerCase());
  return fileResponse(request, bytes, type ?? 'application/octet-stream', hashOf(bytes));
}

function find(path: string, state: State): Media {
  const [, id = '', name = ''] = /^\/([1-9]\d*)\/([^/]+)$/.exec(path) ?? [];
  const media = state.media.get(Number(id));
  if (!media || media.archived || decode(name) !== fileName(media)) throw notFound();
  return media;
}

function decode(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

async function read(media: Media, house: Warehouse): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = media.uploaded
    ? await house.uploads.read(media.id)
    : await readInside(house.directory, media.file).catch(() => undefined);
  if (!bytes) throw notFound();
  return bytes;
}

/** A file in a folder; one that a link leads out of it is not there. */
async function readInside(directory: string, file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
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
  const headers = { 'cache-control': 'public, max-age=31536000', etag, ...isolated(type) };
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  if (known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)) {
    return new Response(null, { status: 304, headers });
  }
  return bytesResponse(bytes, { status: 200, headers: { 'content-type': type, ...headers } });
}

/**
 * Anybody with a key can upload, and browsers open files of this origin. So that no file can act in its
 * name, each is a document of an origin of its own without scripts; an SVG may use only its own styles.
 */
function isolated(type: string): Record<string, string> {
  const policy =
    type === TYPES.get('.svg') ? "default-src 'none'; style-src 'unsafe-inline'; sandbox" : 'sandbox';
  return { 'content-security-policy': policy, 'x-content-type-options': 'nosniff' };
}
