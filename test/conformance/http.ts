import { afterAll, beforeAll, expect } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { directory, type KeyName, seed } from './conformance-seed.ts';

type Running = Awaited<ReturnType<typeof startEmulator>>;
type Options = Parameters<typeof startEmulator>[1];

/** A content object, or a part of one, as it came over the wire. */
export type Item = Record<string, unknown>;

export interface List {
  total: number;
  offset: number;
  limit: number;
  data: Item[];
}

interface Asking extends RequestInit {
  /** `null`: no key at all. */
  key?: KeyName | (string & {}) | null;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

/**
 * An emulator that listens while the tests of the file run, with the seed of this folder unless given
 * another, and the ways to ask it. Queries are written
 * as they go over the wire; the key is the published one unless named.
 */
export function listening(options: Options = {}, content: unknown = seed) {
  let running: Running;
  beforeAll(async () => {
    running = await startEmulator(content, { directory, ...options });
  });
  afterAll(() => running.close());

  async function ask(path: string, { key = 'pub', ...init }: Asking = {}): Promise<Answer> {
    const response = await fetch(`${running.baseUrl}${path}`, {
      ...init,
      headers: { ...(key === null ? {} : { 'X-SERVICE-API-KEY': key }), ...init.headers },
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : text };
  }

  async function found(path: string, key: KeyName): Promise<unknown> {
    const { status, text, body } = await ask(path, { key });
    expect(status, `${path}: ${text.slice(0, 200)}`).toBe(200);
    return body;
  }

  const list = async (query = '', key: KeyName = 'pub') => (await found(`/contents?${query}`, key)) as List;
  return {
    get emulator() {
      return running;
    },
    ask,
    list,
    /** The ids of a list, in its order. */
    ids: async (query = '', key: KeyName = 'pub') => (await list(query, key)).data.map((item) => item._id),
    /** One item by its id. */
    one: async (id: number, query = '', key: KeyName = 'pub') =>
      (await found(`/contents/${id}?${query}`, key)) as Item,
    /** The status alone. */
    status: async (path: string, key: KeyName | null = 'pub') => (await ask(path, { key })).status,
  };
}

/** §7: the body of an error, whole. */
export function errorBody(status: number): Item {
  const codes: Record<number, string> = {
    400: 'BadRequest',
    401: 'Unauthorized',
    402: 'Payment Required',
    403: 'Forbidden',
    404: 'Not Found',
    429: 'Too Many Requests',
    500: 'Internal Server Error',
  };
  return { status: String(status), code: codes[status] };
}
