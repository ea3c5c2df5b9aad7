import { afterEach, describe, expect, test, vi } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { isSwitchedOn, parseSwitch } from '../../src/space/environment/environment.ts';
import { findAssetsUrl, type SpaceOptions } from '../../src/space/space-options.ts';

const models = { item: { title: field.text() } };
const VARIABLES = ['LUID_BASE_URL', 'LUID_API_KEY', 'LUID_DRAFT_API_KEY'];
const SERVICE_VARIABLES = [...VARIABLES, 'LUID_SERVICE', 'LUID_ASSETS_URL', 'LUID_API_KEY_HEADER'];

afterEach(() => vi.unstubAllEnvs());

/** The requests of a space whose service answers every list with nothing. */
function listening() {
  const requests: Request[] = [];
  const answer: typeof fetch = async (url, init) => {
    requests.push(new Request(url, init));
    return Response.json({ total: 0, offset: 0, limit: 100, data: [] });
  };
  return { requests, fetch: answer };
}

describe('a service', () => {
  const NILTO = 'https://cms-api.nilto.com/v1/contents?model=item';
  const ASSETS = 'https://cms-assets.nilto.com';

  /** The URL and the key header of the requests of a space with a key. */
  async function connected(
    options: Partial<SpaceOptions<typeof models>>,
    environment: Record<string, string>,
  ) {
    for (const name of SERVICE_VARIABLES) vi.stubEnv(name, environment[name] ?? '');
    const { requests, fetch } = listening();
    const space = defineSpace({ models, fetch, apiKey: 'k', ...options });
    await space.client().contents.list('item');
    const { url, headers } = requests[0] as Request;
    const header = ['x-service-api-key', 'x-nilto-api-key', 'x-other'].filter((name) => headers.has(name));
    return [url, header.join(), await findAssetsUrl(space.settings)];
  }

  test.each([
    ['the option', { service: 'nilto' } as const, {}],
    ['LUID_SERVICE', {}, { LUID_SERVICE: 'nilto' }],
    ['LUID_SERVICE in capitals', {}, { LUID_SERVICE: ' NILTO ' }],
  ])('sets URL, key header and media: %s', async (_, options, environment) => {
    expect(await connected(options, environment)).toEqual([NILTO, 'x-nilto-api-key', ASSETS]);
  });

  test('gives way to each option, and to each variable', async () => {
    const proxy = 'https://proxy.example/v1';
    const media = 'https://media.example';
    expect(await connected({ service: 'nilto' }, { LUID_BASE_URL: proxy })).toEqual([
      `${proxy}/contents?model=item`,
      'x-nilto-api-key',
      ASSETS,
    ]);
    expect(await connected({ service: 'nilto' }, { LUID_API_KEY_HEADER: 'X-Other' })).toEqual([
      NILTO,
      'x-other',
      ASSETS,
    ]);
    expect(await connected({ service: 'nilto', assetsUrl: media }, {})).toEqual([
      NILTO,
      'x-nilto-api-key',
      media,
    ]);
    const variables = {
      LUID_SERVICE: 'nilto',
      LUID_BASE_URL: 'https://wrong.example/v1',
      LUID_API_KEY_HEADER: 'X-No',
    };
    expect(await connected({ baseUrl: proxy, apiKeyHeader: 'X-Other' }, variables)).toEqual([
      `${proxy}/contents?model=item`,
      'x-other',
      ASSETS,
    ]);
  });

  test('that is not known is an error that names those that are', async () => {
    await expect(connected({}, { LUID_SERVICE: 'other' })).rejects.toThrow(
      "service (LUID_SERVICE) must be one of nilto, got 'other'",
    );
    expect(() => defineSpace({ models, service: 'other' as 'nilto' })).toThrow(
      "service must be 'nilto', got 'other'",
    );
  });

  test('a header name that cannot be sent is an error, not a failed request', async () => {
    await expect(connected({ service: 'nilto' }, { LUID_API_KEY_HEADER: 'a b' })).rejects.toThrow(
      "apiKeyHeader (LUID_API_KEY_HEADER) must be a header name, got 'a b'",
    );
  });
});

describe('URL and key', () => {
  test('are looked up when the first request needs them', async () => {
    const { requests, fetch } = listening();
    for (const name of VARIABLES) vi.stubEnv(name, '');
    const client = defineSpace({ models, fetch }).client();
    vi.stubEnv('LUID_BASE_URL', 'https://cms.example/v1');
    vi.stubEnv('LUID_API_KEY', 'from-environment');
    await client.contents.list('item');
    expect(requests[0]?.url).toBe('https://cms.example/v1/contents?model=item');
    expect(requests[0]?.headers.get('x-service-api-key')).toBe('from-environment');
  });

  test('come from the options first', async () => {
    const { requests, fetch } = listening();
    for (const name of VARIABLES) vi.stubEnv(name, 'https://wrong.example');
    const space = defineSpace({
      models,
      fetch,
      baseUrl: 'https://cms.example/v1/',
      apiKey: 'mine',
      draftApiKey: 'my-drafts',
      apiKeyHeader: 'X-Other',
    });
    await space.client().contents.list('item');
    await space.client({ drafts: true }).contents.list('item');
    expect(requests.map(({ url }) => url)).toEqual(
      Array(2).fill('https://cms.example/v1/contents?model=item'),
    );
    expect(requests.map(({ headers }) => headers.get('x-other'))).toEqual(['mine', 'my-drafts']);
  });

  test.each([
    ['baseUrl', 'LUID_BASE_URL', {}, { apiKey: 'k' }],
    ['apiKey', 'LUID_API_KEY', {}, { baseUrl: 'https://cms.example/v1', draftApiKey: 'k' }],
    [
      'draftApiKey',
      'LUID_DRAFT_API_KEY',
      { drafts: true },
      { baseUrl: 'https://cms.example/v1', apiKey: 'k' },
    ],
  ])(
    'a missing %s is an error that names the option, %s and where each is read',
    async (option, variable, which, rest) => {
      for (const name of VARIABLES) vi.stubEnv(name, '');
      const request = defineSpace({ models, ...rest })
        .client(which)
        .contents.list('item');
      await expect(request).rejects.toThrow(
        `The space has no ${option}\n  → Set ${variable} in .env, or in the environment of the host or CI that builds the site, ` +
          `or pass defineSpace({ ${option} }). ` +
          'Looked up in this order: the option, the environment, .env',
      );
    },
  );

  test('one error names everything that is missing', async () => {
    for (const name of VARIABLES) vi.stubEnv(name, '');
    await expect(defineSpace({ models }).client().contents.list('item')).rejects.toThrow(
      'The space has no baseUrl and no apiKey\n  → Set LUID_BASE_URL and LUID_API_KEY in .env',
    );
  });

  test('a missing key can be set later', async () => {
    const { fetch } = listening();
    for (const name of VARIABLES) vi.stubEnv(name, '');
    const client = defineSpace({ models, fetch, baseUrl: 'https://cms.example/v1' }).client();
    await expect(client.contents.list('item')).rejects.toThrow('The space has no apiKey');
    vi.stubEnv('LUID_API_KEY', 'late');
    await expect(client.contents.list('item')).resolves.toMatchObject({ total: 0 });
  });

  test.each(['cms.example/v1', 'ftp://cms.example/v1', 'file:///v1'])(
    'the address %s is refused',
    async (baseUrl) => {
      const client = defineSpace({ models, baseUrl, apiKey: 'k' }).client();
      await expect(client.contents.list('item')).rejects.toThrow(
        /baseUrl must be an http\(s\) URL.*\n.*LUID_BASE_URL/,
      );
    },
  );
});

describe('a switch of the environment', () => {
  test.each(['1', 'true', 'TRUE', 'yes', 'on', ' true '])('is on with %j', (value) => {
    expect(parseSwitch('LUID_OFFLINE', value)).toBe(true);
  });

  test.each([undefined, '', '0', 'false', 'False', 'no', 'off'])('is off with %j', (value) => {
    expect(parseSwitch('LUID_OFFLINE', value)).toBe(false);
  });

  test.each(['2', 'ture', 'please', 'null'])('is an error with %j', (value) => {
    expect(() => parseSwitch('LUID_VERIFY', value)).toThrow(
      `LUID_VERIFY must be on or off, got '${value}'\n  → Set it to one of 1, true, yes, on, or to one of 0, false, no, off, or unset it`,
    );
  });

  test('is looked up in the environment outside of Astro', async () => {
    vi.stubEnv('LUID_OFFLINE', 'true');
    expect([await isSwitchedOn('LUID_OFFLINE'), await isSwitchedOn('LUID_VERIFY')]).toEqual([true, false]);
  });
});
