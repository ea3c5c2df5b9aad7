import { basename } from 'node:path/posix';
import { checkPicture } from '../assets/image-info.ts';
import { badRequest, notFound } from '../http/refusal.ts';
import type { Parameters } from '../read/query.ts';
import type { Media, State } from '../state/state.ts';

/** §4.7: what an upload holds, checked; its id is given later. */
export async function readUpload(
  form: FormData,
  parameters: Parameters,
  state: State,
): Promise<{ media: Omit<Media, 'id'>; bytes: Uint8Array<ArrayBuffer> }> {
  const [file, ...others] = form.getAll('file');
  if (!(file instanceof File) || others.length > 0) throw badRequest();
  const alt = altOf(parameters, state);
  const name = safeName(file.name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  await checkPicture(bytes, name, file.type);
  return { media: { file: name, alt, archived: false, uploaded: true }, bytes };
}

/** §4.8: the media that a request is about. */
export function mediaOf(id: string, state: State): Media {
  if (!/^[1-9]\d*$/.test(id)) throw badRequest();
  const media = state.media.get(Number(id));
  if (!media || media.archived) throw notFound();
  return media;
}

/** `alt`, in the main language, and every `alt[xx]`. */
function altOf(parameters: Parameters, { languages: { main, sub } }: State): Record<string, string> {
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

const LONGEST_NAME = 200;

/** The last part of the name, without what no file name should have. A name that climbs is refused. */
function safeName(given: string): string {
  const path = given.replaceAll('\\', '/').toWellFormed();
  if (path.split('/').includes('..')) throw badRequest();
  const name = basename(path)
    .replaceAll(/\p{Cc}/gu, '')
    .trim();
  return name === '' || name === '.' || name === '..' ? 'file' : name.slice(-LONGEST_NAME).toWellFormed();
}
