import { expect } from 'vitest';
import type { KeyName } from './conformance-seed.ts';
import { errorBody, type startServer, type TestResponse } from './http.ts';

type Server = ReturnType<typeof startServer>;

export interface Body {
  fields?: unknown;
  [more: string]: unknown;
}

/** A request to each endpoint with a JSON body. */
export const JSON_ENDPOINTS = [
  ['POST', '/contents?model=filler'],
  ['PUT', '/contents/1001?model=filler'],
  ['PATCH', '/contents/1001?model=filler'],
] as const;

/** Functions that write to a server. The default key reads drafts. */
export function createWriter(server: Server) {
  const send = (method: string, path: string, body: unknown, key: KeyName | null = 'all') =>
    server.request(path, {
      method,
      key,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  const upload = (file: Uint8Array | string, name: string, { query = '', key = 'all', type = '' } = {}) => {
    const form = new FormData();
    form.append('file', new Blob([file as BlobPart], { type }), name);
    return server.request(`/media?${query}`, { method: 'POST', key, body: form });
  };

  return {
    send,
    /** §4.3: creates an item and returns its id. */
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
      idOf(await server.request(`/contents/${id}/duplicate?${query}`, { method: 'POST', key })),
    /** §4.7: uploads a file and returns the response. */
    upload,
    /** §4.7: uploads a file and returns its id. */
    uploadMedia: async (file: Uint8Array | string, name: string, query = '') =>
      idOf(await upload(file, name, { query })),
    /** §4.8. */
    deleteMedia: (id: number | string, key: KeyName = 'all') =>
      server.request(`/media/${id}`, { method: 'DELETE', key }),

    /** Expects an error in the format of §7, and an unchanged state. */
    expectRejected: async (write: () => Promise<TestResponse>, status = 400, what = ''): Promise<void> => {
      const before = JSON.stringify(server.emulator.snapshot());
      const response = await write();
      expect(response.status, what).toBe(status);
      expect(response.body, what).toEqual(errorBody(status));
      expect(JSON.stringify(server.emulator.snapshot()) === before, `${what}: the state is unchanged`).toBe(
        true,
      );
    },
  };
}

/** §2.4: the id in the response of a write, which contains nothing else. */
export function idOf({ status, text, body }: TestResponse): number {
  expect(status, text.slice(0, 200)).toBe(200);
  expect(body).toEqual({ id: expect.any(Number) });
  return (body as { id: number }).id;
}
