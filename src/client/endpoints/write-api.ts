import type { WriteResult } from '../../contract/content.ts';
import type { WriteFormat } from '../../contract/parameters.ts';
import type { Fields, ModelMap, WriteData } from '../../models/types.ts';
import type { ClientRequest, RequestOptions } from '../http/client-request.ts';
import type { Connect } from '../http/connection.ts';
import { sendRequest } from '../http/send-request.ts';
import { checkId } from './check-id.ts';
import { checkValues, checkWrite } from './check-write.ts';
import { parseId } from './string-ids.ts';

/** The data of a write (§4.3). `fields` are those of the main language. */
export interface WriteInput<F extends Fields> {
  fields?: WriteData<F>;
  /** Fields by language key. */
  languages?: { readonly [language: string]: WriteData<F> };
  /** Write published data rather than the draft. Default false. */
  published?: boolean;
  /** The sub-space that the item is in. Default: that of `defineSpace`, or `_parent`. */
  space?: string;
  /** The format of flexible texts. Default `portable_html`. */
  textFormat?: WriteFormat;
}

/** §4.5: a patch must not contain flexible text. */
type Patchable<F extends Fields> = {
  [K in keyof F as F[K] extends { readonly type: 'flexible_text' } ? never : K]: PatchableField<F[K]>;
};

/** Nor may a group in it. */
type PatchableField<T> = T extends { readonly fields: infer F extends Fields }
  ? Omit<T, 'fields'> & { readonly fields: Patchable<F> }
  : T extends { readonly sets: infer S extends { readonly [name: string]: Fields } }
    ? Omit<T, 'sets'> & { readonly sets: { [K in keyof S]: Patchable<S[K]> } }
    : T;

/**
 * Writing content. **Beta**, like the service's own write interface: it may change in incompatible ways
 * (§9). A write is retried only after a 429 or if no connection was made, never if it may have been
 * carried out.
 */
export interface WriteContents<M extends ModelMap> {
  /** §4.3 (beta): creates an item, as a draft unless `published`. */
  create<N extends keyof M & string>(
    model: N,
    input: WriteInput<M[N]>,
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** §4.4 (beta): replaces the data of an item. */
  replace<N extends keyof M & string>(
    model: N,
    id: number,
    input: WriteInput<M[N]>,
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** §4.5 (beta): changes these fields only. */
  patch<N extends keyof M & string>(
    model: N,
    id: number,
    input: Omit<WriteInput<Patchable<M[N]>>, 'textFormat'>,
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** §4.6 (beta): copies an item, as a draft. */
  duplicate(id: number, input?: { space?: string }, options?: RequestOptions): Promise<WriteResult>;
}

/** Writing media. **Beta**, like writing content. */
export interface WriteMedia {
  /** §4.7 (beta): uploads a file. `alt` is the alternative text, or one per language. */
  upload(
    file: Blob,
    input?: { name?: string; alt?: string | { readonly [language: string]: string } },
    options?: RequestOptions,
  ): Promise<WriteResult>;
  /** §4.8 (beta): deletes a media file. */
  delete(id: number, options?: RequestOptions): Promise<WriteResult>;
}

export function createContentsWriter(connect: Connect, defaultSpace?: string): WriteContents<ModelMap> {
  const withSpace = <Input extends { space?: string | undefined }>(input: Input) => ({
    ...input,
    space: input.space ?? defaultSpace,
  });
  return {
    async create(model, input, options) {
      checkWrite('create', input, options);
      return send(connect, 'create', '/contents', withSpace({ model, fields: {}, ...input }), options);
    },
    async replace(model, id, input, options) {
      checkWrite('replace', input, options);
      return send(connect, 'replace', contentPath('replace', id), withSpace({ model, ...input }), options);
    },
    async patch(model, id, input, options) {
      checkWrite('patch', input, options);
      return send(connect, 'patch', contentPath('patch', id), withSpace({ model, ...input }), options);
    },
    async duplicate(id, input = {}, options) {
      checkWrite('duplicate', input, options);
      return write(connect, {
        method: 'POST',
        path: `${contentPath('duplicate', id)}/duplicate`,
        parameters: { space: input.space ?? defaultSpace },
        signal: options?.signal,
      });
    },
  };
}

export function createMediaWriter(connect: Connect): WriteMedia {
  return {
    async upload(file, input = {}, options) {
      checkWrite('upload', input, options);
      const { name, alt } = input;
      const form = new FormData();
      form.append('file', file, name ?? (file instanceof File ? file.name : 'file'));
      const parameters =
        typeof alt === 'object'
          ? Object.fromEntries(Object.entries(alt).map(([language, text]) => [`alt[${language}]`, text]))
          : { alt };
      return write(connect, {
        method: 'POST',
        path: '/media',
        parameters,
        body: form,
        signal: options?.signal,
      });
    },
    async delete(id, options) {
      checkWrite('delete', {}, options);
      checkId('delete', id);
      return write(connect, { method: 'DELETE', path: `/media/${id}`, signal: options?.signal });
    },
  };
}

const METHODS = { create: 'POST', replace: 'PUT', patch: 'PATCH' } as const;

function send(
  connect: Connect,
  name: keyof typeof METHODS,
  path: string,
  input: Omit<WriteInput<Fields>, 'space'> & { model: string; space?: string | undefined },
  { signal }: RequestOptions = {},
): Promise<WriteResult> {
  const { model, fields, languages = {}, published, space, textFormat } = input;
  const inLanguages = Object.entries(languages).map(([language, data]) => [`fields[${language}]`, data]);
  // Empty fields would replace those of the main language. Throws for circular values.
  const body = JSON.stringify({ ...(fields && { fields }), ...Object.fromEntries(inLanguages) });
  checkValues(`${name}: fields`, fields, model);
  for (const [language, data] of Object.entries(languages)) {
    checkValues(`${name}: languages.${language}`, data, model);
  }
  return write(connect, {
    method: METHODS[name],
    path,
    parameters: { model, published, space, ft_format: textFormat },
    body,
    contentType: 'application/json',
    signal,
  });
}

async function write(connect: Connect, request: ClientRequest): Promise<WriteResult> {
  const idOf = (json: unknown) => parseId((json as Partial<WriteResult> | null)?.id);
  const check = (json: unknown) => (Number.isSafeInteger(idOf(json)) ? undefined : 'the response has no id');
  return { id: idOf(await sendRequest(await connect(), { ...request, check })) as number };
}

function contentPath(method: string, id: number): string {
  checkId(method, id);
  return `/contents/${id}`;
}
