import type { WriteResult } from '../../contract/content.ts';
import type { WriteFormat } from '../../contract/parameters.ts';
import { LuidConfigError } from '../../errors.ts';
import type { Fields, ModelMap, WriteData } from '../../models/types.ts';
import type { Connect } from '../http/connection.ts';
import { type Ask, type RequestOptions, request } from '../http/send-request.ts';
import { asId } from './string-ids.ts';

/** What is written (§4.3): fields of the main language, and of others by their language keys. */
export interface WriteInput<F extends Fields> {
  fields?: WriteData<F>;
  languages?: { readonly [language: string]: WriteData<F> };
  /** Write published data rather than the draft. Default false. */
  published?: boolean;
  /** The sub-space that the item is in. Default `_parent`. */
  space?: string;
  /** The format in which flexible texts are given. Default `portable_html`. */
  textFormat?: WriteFormat;
}

/** §4.5: a patch may not touch flexible text. */
type Patchable<F extends Fields> = {
  [K in keyof F as F[K] extends { readonly type: 'flexible_text' } ? never : K]: F[K];
};

/**
 * Writing content. **Beta**, as the service's own write interface: it may change in incompatible ways
 * (§9). A write is sent again only after a 429, or when it surely never left: never when it may have
 * been carried out.
 */
export interface WriteContents<M extends ModelMap> {
  /** §4.3 (beta): a new item, a draft unless `published`. */
  create<N extends keyof M & string>(
    model: N,
    input: WriteInput<M[N]>,
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** §4.4 (beta): replaces an item's data with this. */
  replace<N extends keyof M & string>(
    model: N,
    id: number,
    input: WriteInput<M[N]>,
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** §4.5 (beta): changes just these fields. */
  patch<N extends keyof M & string>(
    model: N,
    id: number,
    input: Omit<WriteInput<Patchable<M[N]>>, 'textFormat'>,
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** §4.6 (beta): a copy, as a draft. */
  duplicate(id: number, input?: { space?: string }, options?: RequestOptions): Promise<WriteResult>;
}

/** Writing media. **Beta**, as for content. */
export interface WriteMedia {
  /** §4.7 (beta): uploads a file. `alt` is its alternative text, or one for each language. */
  upload(
    file: Blob,
    input?: { name?: string; alt?: string | { readonly [language: string]: string } },
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** §4.8 (beta): deletes a media. */
  delete(id: number, options?: RequestOptions): Promise<WriteResult>;
}

export function writeContents(connect: Connect): WriteContents<ModelMap> {
  return {
    create: (model, input, options) =>
      send(connect, 'POST', '/contents', { model, fields: {}, ...input }, options),
    replace: async (model, id, input, options) =>
      send(connect, 'PUT', contentPath(id), { model, ...input }, options),
    patch: async (model, id, input, options) =>
      send(connect, 'PATCH', contentPath(id), { model, ...input }, options),
    duplicate: async (id, { space } = {}, { signal } = {}) =>
      write(connect, { method: 'POST', path: `${contentPath(id)}/duplicate`, parameters: { space }, signal }),
  };
}

export function writeMedia(connect: Connect): WriteMedia {
  return {
    upload(file, { name, alt } = {}, { signal } = {}) {
      const form = new FormData();
      form.append('file', file, name ?? (file instanceof File ? file.name : 'file'));
      const parameters =
        typeof alt === 'object'
          ? Object.fromEntries(Object.entries(alt).map(([language, text]) => [`alt[${language}]`, text]))
          : { alt };
      return write(connect, { method: 'POST', path: '/media', parameters, body: form, signal });
    },
    delete: async (id, { signal } = {}) => {
      checkId(id, 'media');
      return write(connect, { method: 'DELETE', path: `/media/${id}`, signal });
    },
  };
}

function send(
  connect: Connect,
  method: Ask['method'],
  path: string,
  input: WriteInput<Fields> & { model: string },
  { signal }: RequestOptions = {},
): Promise<WriteResult> {
  const { model, fields, languages = {}, published, space, textFormat } = input;
  const inLanguages = Object.entries(languages).map(([language, data]) => [`fields[${language}]`, data]);
  return write(connect, {
    method,
    path,
    parameters: { model, published, space, ft_format: textFormat },
    // Without fields of the main language it is left alone, where empty ones would be written.
    body: JSON.stringify({ ...(fields && { fields }), ...Object.fromEntries(inLanguages) }),
    contentType: 'application/json',
    signal,
  });
}

async function write(connect: Connect, ask: Ask): Promise<WriteResult> {
  const idIn = (json: unknown) => asId((json as Partial<WriteResult> | null)?.id);
  const check = (json: unknown) => (Number.isSafeInteger(idIn(json)) ? undefined : 'the response has no id');
  return { id: idIn(await request(await connect(), { ...ask, check })) as number };
}

function contentPath(id: number): string {
  checkId(id, 'content');
  return `/contents/${id}`;
}

function checkId(id: number, what: string): void {
  if (Number.isSafeInteger(id) && id > 0) return;
  throw new LuidConfigError(`The ${what} id is ${String(id)}`, { hint: 'Give a positive whole number.' });
}
