import { basename } from 'node:path/posix';
import { checkUploadedImage } from '../assets/image-info.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import type { Parameters } from '../read/parse-query.ts';
import type { Media, State } from '../state/state.ts';

/** §4.7: parses an upload. The id is allocated later. */
export async function readUpload(
  form: FormData,
  parameters: Parameters,
  state: State,
): Promise<{ media: Omit<Media, 'id'>; bytes: Uint8Array<ArrayBuffer> }> {
  const [file, ...others] = form.getAll('file');
  if (!(file instanceof File) || others.length > 0) throw badRequest();
  const alt = parseAlt(parameters, state);
  const name = sanitizeFileName(file.name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  await checkUploadedImage(bytes, name, file.type);
  return { media: { file: name, alt, archived: false, uploaded: true }, bytes };
}

/** §4.8: the media with the id of a request. */
export function findMedia(id: string, state: State): Media {
  if (!/^[1-9]\d*$/.test(id)) throw badRequest();
  const media = state.media.get(Number(id));
  if (!media || media.archived) throw notFound();
  return media;
}

/** `alt`, in the main language, and every `alt[xx]`. */
function parseAlt(parameters: Parameters, { languages: { main, sub } }: State): Record<string, string> {
  const alt: Record<string, string> = {};
  for (const [name, text] of parameters) {
    const [, qualified] = /^alt(?:\[(.*)\])?$/s.exec(name) ?? [undefined, null];
    if (qualified === null) continue;
    const lang = qualified ?? main;
    if ((lang !== main && !sub.includes(lang)) || Object.hasOwn(alt, lang)) throw badRequest();
    alt[lang] = text;
  }
  return alt;
}

const MAX_NAME_LENGTH = 200;

/** The last part of the path, without control characters. A path with `..` is a 400. */
function sanitizeFileName(path: string): string {
  const normalized = path.replaceAll('\\', '/').toWellFormed();
  if (normalized.split('/').includes('..')) throw badRequest();
  const name = basename(normalized)
    .replaceAll(/\p{Cc}/gu, '')
    .trim();
  return name === '' || name === '.' || name === '..' ? 'file' : name.slice(-MAX_NAME_LENGTH).toWellFormed();
}
