import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/index.ts';
import {
  clientCode,
  curlCode,
  fetchCode,
  type ItemRead,
  type ListRead,
  literal,
  type Read,
  readPath,
  readUrl,
  shellQuote,
  splitList,
  type Target,
} from '../../../../src/emulator/studio/page/response/snippets.ts';

const HOSTILE = [
  "it's",
  'say "hello"',
  '$(touch /tmp/owned) `id` $HOME $9',
  'a\\b\\',
  '\\" \\\' \'"\'"',
  'first\nsecond\r\n\tthird',
  '港町の灯台、50%引き&model=x#top',
  '--output=/etc/passwd; rm -rf *',
  '[1-9]{a,b}!!',
  '\u2028</script>\u2029',
];

const TARGET: Target = { baseUrl: 'http://localhost:4000/v1', header: 'X-SERVICE-API-KEY', key: 'key-1' };
const SHAPE = { depth: 1, fallback: false, select: [], formats: {} };
const ITEM: ItemRead = { ...SHAPE, id: 12, include: [] };
const LIST: ListRead = { ...SHAPE, model: 'article', order: [], contains: '' };

/** The arguments that a shell passes to curl. */
function shellArguments(command: string): string[] {
  const script = `curl() { for argument; do printf '%s\\0' "$argument"; done; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

interface Sent {
  url: string;
  headers: Headers;
}

/** Runs code with a `fetch` that records the request. */
async function run(code: string): Promise<Sent> {
  const sent: Sent[] = [];
  const record: typeof fetch = async (input, init) => {
    const url = String(input);
    sent.push({ url, headers: new Headers(init?.headers) });
    const query = new URL(url).searchParams;
    const page = {
      total: 0,
      offset: Number(query.get('offset')),
      limit: Number(query.get('limit') ?? 100),
      data: [],
    };
    return Response.json(/\/contents\/12(\?|$)/.test(url) ? { _id: 12 } : page);
  };
  const create: typeof createClient = (options) => createClient({ ...options, fetch: record });
  const AsyncFunction = (async () => {}).constructor as new (
    ...source: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const body = code.replace("import { createClient } from 'astro-luid/client';", '');
  await new AsyncFunction('fetch', 'createClient', body)(record, create);
  expect(sent).toHaveLength(1);
  return sent[0] as Sent;
}

const READS: [string, Read][] = [
  ['an item', ITEM],
  ['a list', LIST],
  [
    'an item with every parameter',
    {
      ...ITEM,
      depth: 3,
      lang: 'en',
      fallback: true,
      select: ['title', '_next._id'],
      formats: { body: 'markdown', 'sections.quote.text': 'portable_html' },
      include: ['_prev', '_next', '_langs'],
    },
  ],
  [
    'a list with every parameter',
    {
      ...LIST,
      depth: 0,
      lang: 'en',
      fallback: true,
      select: ['_id', 'author.name'],
      formats: { body: 'text' },
      limit: 10,
      offset: 20,
      order: ['-_published_at', 'title'],
      contains: '灯台,港 町',
    },
  ],
  ...HOSTILE.map((value): [string, Read] => [
    `a list that contains ${JSON.stringify(value)}`,
    { ...LIST, contains: value },
  ]),
];

describe('the URL of a read', () => {
  it('has no parameter that is the default', () => {
    expect(readPath(ITEM)).toBe('/contents/12');
    expect(readPath(LIST)).toBe('/contents?model=article');
  });

  it('has the names of the service', () => {
    const path = readPath({
      ...ITEM,
      depth: 0,
      lang: 'en',
      fallback: true,
      formats: { body: 'text' },
      include: ['_langs'],
    });
    const query = new URLSearchParams(path.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({
      depth: '0',
      lang: 'en',
      lang_fallback: 'true',
      'body[format]': 'text',
      include: '_langs',
    });
  });

  it.each(HOSTILE)('contains %j as one parameter', (value) => {
    const { searchParams, hash } = new URL(readUrl({ ...LIST, contains: value }, TARGET));
    expect([searchParams.get('contains'), searchParams.get('model'), hash]).toEqual([value, 'article', '']);
  });
});

describe('the curl command', () => {
  it.each(READS)('requests the URL of %s with the key', (_, read) => {
    expect(shellArguments(curlCode(read, TARGET))).toEqual([
      '--globoff',
      readUrl(read, TARGET),
      '--header',
      'X-SERVICE-API-KEY: key-1',
    ]);
  });

  it.each(HOSTILE)('passes the key %j unchanged', (key) => {
    expect(shellArguments(curlCode(ITEM, { ...TARGET, key })).at(-1)).toBe(`X-SERVICE-API-KEY: ${key}`);
  });

  it.each(HOSTILE)('quotes %j so that the shell yields it unchanged', (value) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(value)}`], { encoding: 'utf8' })).toBe(value);
  });
});

describe('the fetch code', () => {
  it.each(READS)('requests the URL of %s with the key', async (_, read) => {
    const { url, headers } = await run(fetchCode(read, TARGET));
    expect([url, headers.get('x-service-api-key')]).toEqual([readUrl(read, TARGET), 'key-1']);
  });

  it.each(HOSTILE)('has %j as a string literal', (value) => {
    expect(new Function(`return ${literal(value)}`)()).toBe(value);
  });
});

describe('the client code', () => {
  it.each(READS)('requests the URL of %s with the key', async (_, read) => {
    const { url, headers } = await run(clientCode(read, TARGET));
    expect([url, headers.get('x-service-api-key')]).toEqual([readUrl(read, TARGET), 'key-1']);
  });

  it('names the header only if it is not the default', async () => {
    expect(clientCode(ITEM, TARGET)).not.toContain('apiKeyHeader');
    const { headers } = await run(clientCode(ITEM, { ...TARGET, header: 'X-OTHER', key: "it's" }));
    expect(headers.get('x-other')).toBe("it's");
  });

  it('is short without options', () => {
    expect(clientCode(ITEM, TARGET)).toBe(`import { createClient } from 'astro-luid/client';

const client = createClient({
  baseUrl: 'http://localhost:4000/v1',
  apiKey: 'key-1',
});
const item = await client.contents.get(12);
`);
  });
});

it('splits a typed list at commas and ignores spaces and empty names', () => {
  expect(splitList(' title, ,author.name,')).toEqual(['title', 'author.name']);
  expect(splitList('')).toEqual([]);
});
