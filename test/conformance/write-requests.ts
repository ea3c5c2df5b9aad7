import { expect } from 'vitest';
import type { KeyName } from './conformance-seed.ts';
import { type Answer, errorBody, type listening } from './http.ts';

type Server = ReturnType<typeof listening>;

export interface Body {
  fields?: unknown;
  [more: string]: unknown;
}

/** The ways to write to a listening emulator; with the drafts key unless another is named. */
export function writing(server: Server) {
  const send = (method: string, path: string, body: unknown, key: KeyName | null = 'all') =>
    server.ask(path, {
      method,
      key,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  const upload = (file: Uint8Array | string, name: string, { query = '', key = 'all', type = '' } = {}) => {
    const form = new FormData();
    form.append('file', new Blob([file as BlobPart], { type }), name);
    return server.ask(`/media?${query}`, { method: 'POST', key, body: form });
  };

  return {
    send,
    /** §4.3: the id of a new item. `query` goes beside the model. */
    create: async (model: string, body: Body, query = '', key: KeyName = 'all') =>
      idOf(await send('POST', `/contents?model=${model}&${query}`, body, key)),
    /** §4.4. */
    replace: async (id: number, model: string, body: Body, query = '', key: KeyName = 'all') =>
      idOf(await send('PUT', `/contents/${id}?model=${model}&${query}`, body, key)),
    /** §4.5. */
    patch: async (id: number, model: string, body: Body, query = '', key: KeyName = 'all') =>
      idOf(await send('PATCH', `/contents/${id}?model=${model}&${query}`, body, key)),
    /** §4.6. */
    duplicate: async (id: number, query = '', key: KeyName = 'all') =>
      idOf(await server.ask(`/contents/${id}/duplicate?${query}`, { method: 'POST', key })),
    /** §4.7: the answer to the upload of a file. */
    upload,
    /** §4.7: the id of an uploaded file. */
    uploaded: async (file: Uint8Array | string, name: string, query = '') =>
      idOf(await upload(file, name, { query })),
    /** §4.8. */
    deleteMedia: (id: number | string, key: KeyName = 'all') =>
      server.ask(`/media/${id}`, { method: 'DELETE', key }),

    /** Expects an error in §7's form, and that nothing has changed. */
    refused: async (act: () => Promise<Answer>, status = 400, what = ''): Promise<void> => {
      const before = JSON.stringify(server.emulator.snapshot());
      const answer = await act();
      expect(answer.status, what).toBe(status);
      expect(answer.body, what).toEqual(errorBody(status));
      expect(JSON.stringify(server.emulator.snapshot()) === before, `${what}: nothing has changed`).toBe(
        true,
      );
    },
  };
}

/** §2.4: the id that a write answers with, and nothing else. */
export function idOf({ status, text, body }: Answer): number {
  expect(status, text.slice(0, 200)).toBe(200);
  expect(body).toEqual({ id: expect.any(Number) });
  return (body as { id: number }).id;
}
