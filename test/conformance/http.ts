import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { directory, type KeyName, seed } from './conformance-seed.ts';

type Running = Awaited<ReturnType<typeof startEmulator>>;
type Options = Parameters<typeof startEmulator>[1];

/** A content object of a response, or a part of one. */
export type Item = Record<string, unknown>;

export interface List {
  total: number;
  offset: number;
  limit: number;
  data: Item[];
}

interface RequestOptions extends RequestInit {
  /** `null`: no key. */
  key?: KeyName | (string & {}) | null;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

/**
 * Starts an emulator for the tests of a file, by default with the seed of this folder, and returns functions to
 * send requests. Queries are written in their encoded form; the default key reads published content.
 */
export function startServer(options: Options = {}, content: unknown = seed) {
  let running: Running;
  beforeAll(async () => {
    // The studio must not change anything about the API.
    running = await startEmulator(content, { directory, studio: true, ...options });
  });
  afterAll(() => running.close());

  async function request(path: string, { key = 'pub', ...init }: RequestOptions = {}): Promise<TestResponse> {
    const response = await fetch(`${running.baseUrl}${path}`, {
      ...init,
      headers: { ...(key === null ? {} : { 'X-SERVICE-API-KEY': key }), ...init.headers },
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : text };
  }

  async function get(path: string, key: KeyName): Promise<unknown> {
    const { status, text, body } = await request(path, { key });
    expect(status, `${path}: ${text.slice(0, 200)}`).toBe(200);
    return body;
  }

  const list = async (query = '', key: KeyName = 'pub') => (await get(`/contents?${query}`, key)) as List;
  return {
    get emulator() {
      return running;
    },
    request,
    list,
    /** The ids of a list, in order. */
    ids: async (query = '', key: KeyName = 'pub') => (await list(query, key)).data.map((item) => item._id),
    /** One item by its id. */
    readItem: async (id: number, query = '', key: KeyName = 'pub') =>
      (await get(`/contents/${id}?${query}`, key)) as Item,
    /** The status of a response. */
    status: async (path: string, key: KeyName | null = 'pub') => (await request(path, { key })).status,
    /** After each test of a file, whatever it sent, expects that the server still responds. */
    expectResponseAfterEach: () =>
      afterEach(async () => {
        expect((await request('/contents?limit=1', { key: 'all' })).status).toBe(200);
      }),
  };
}

/** §7: the complete body of an error. */
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
