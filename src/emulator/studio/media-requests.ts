import { badRequest, notFound } from '../http/http-error.ts';
import { getOwn } from '../state/own-property.ts';
import { type Media, mediaFileName } from '../state/state.ts';
import { readForm, readJsonObject } from '../write/request-body.ts';
import { readUpload } from '../write/write-media.ts';
import { type StudioContext, waitUntilSaved } from './studio-context.ts';
import { parsePageParameters, type StudioRequest } from './studio-request.ts';
import type { MediaPage, MediaRow } from './studio-types.ts';

type Body = Readonly<Record<string, unknown>>;

const ACTIONS: {
  readonly [action: string]: (id: number, body: Body, { emulator }: StudioContext) => void;
} = {
  alt: (id, { lang, alt }, { emulator }) => {
    if (typeof alt !== 'string' || (lang !== undefined && typeof lang !== 'string')) throw badRequest();
    emulator.media.setAlt(id, alt, { lang });
  },
  archive: (id, _body, { emulator }) => emulator.media.archive(id),
  restore: (id, _body, { emulator }) => emulator.media.restore(id),
  remove: (id, _body, { emulator }) => emulator.media.remove(id),
};

/** Newest first. */
export function listMedia(query: URLSearchParams, context: StudioContext): MediaPage {
  const { offset, limit } = parsePageParameters(query);
  const words = (query.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const ids = query.get('ids')?.split(',').map(Number);
  const found = [...context.requestContext().state.media.values()].reverse().filter((media) => {
    if (ids && !ids.includes(media.id)) return false;
    const text = [media.id, mediaFileName(media), ...Object.values(media.alt)].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rows = found.slice(offset, offset + limit).map((media) => describeMedia(media, context));
  return { total: found.length, offset, rows };
}

export async function uploadMedia({ request, query }: StudioRequest, context: StudioContext) {
  const { maxUpload, state, writeQueue } = context.requestContext();
  const form = await readForm(request, maxUpload);
  const { media, bytes } = await readUpload(form, new Map(query), state);
  const { id } = await writeQueue.upload(media, bytes);
  return describeMedia(findMedia(id, context), context);
}

/** POST media/{id}/{action}. */
export async function changeMedia(
  { request, id, action }: StudioRequest,
  context: StudioContext,
): Promise<MediaRow> {
  const change = getOwn(ACTIONS, action);
  if (!change) throw notFound();
  const body = await readJsonObject(request, context.requestContext().maxBody);
  const before = describeMedia(findMedia(Number(id), context), context);
  change(before.id, body, context);
  const after = action === 'remove' ? before : describeMedia(findMedia(before.id, context), context);
  await waitUntilSaved(context);
  return after;
}

export function describeMedia(media: Media, { requestContext }: StudioContext): MediaRow {
  const name = mediaFileName(media);
  const { id, alt, archived } = media;
  const url = archived ? undefined : `${requestContext().assetsUrl}/${id}/${encodeURIComponent(name)}`;
  return { id, name, url, isImage: /\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(name), alt, archived };
}

function findMedia(id: number, { requestContext }: StudioContext): Media {
  const media = requestContext().state.media.get(id);
  if (!media) throw notFound();
  return media;
}
