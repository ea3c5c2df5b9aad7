import { describe, expect, test } from 'vitest';
import luid from '../../src/astro/integration/integration.ts';
import { createClient } from '../../src/client/index.ts';
import { defineSpace, LuidConfigError } from '../../src/index.ts';
import { ARTICLE_MODELS as models } from './article-models.ts';

const space = defineSpace({ models, languages: { main: 'ja', sub: ['en'] } });

/** What plain JavaScript may pass is refused when it is passed, with the message of a LuidConfigError. */
function problem(define: () => unknown): string {
  try {
    define();
  } catch (error) {
    if (LuidConfigError.is(error)) return error.message;
    throw error;
  }
  return 'none';
}

describe('defineSpace refuses', () => {
  test.each<[object, string[]]>([
    [{ apikey: 'top-secret' }, ["defineSpace: unknown option 'apikey'", "Did you mean 'apiKey'?"]],
    [{ draftsApiKey: 'top-secret' }, ["Did you mean 'draftApiKey'?"]],
    [{ apiKey: ['top-secret'] }, ['apiKey must be a string, got a list of 1']],
    [{ baseURL: 'https://cms.example/v1' }, ["Did you mean 'baseUrl'?"]],
    [{ language: { main: 'ja' } }, ["unknown option 'language'", "Did you mean 'languages'?"]],
    [{ apiKeyHeader: 'X-KEY:' }, ["apiKeyHeader must be a header name, got 'X-KEY:'"]],
    [{ languages: ['ja', 'en'] }, ["languages must be { main: 'ja', sub: ['en'] }, got ['ja', 'en']"]],
    [{ languages: { main: 'ja', subs: ['en'] } }, ["unknown option 'languages.subs'", "Did you mean 'sub'?"]],
    [{ languages: { main: 'ja', sub: 'en' } }, ["languages.sub must be a list of strings, got 'en'"]],
    [{ languages: { sub: ['en'] } }, ['languages.main is missing']],
    [{ languages: { main: 'ja', sub: ['en', 'ja'] } }, ["languages names 'ja' twice"]],
    [{ network: { concurency: 4 } }, ["unknown option 'network.concurency'", "Did you mean 'concurrency'?"]],
    [
      { network: { timeout: '30s' } },
      ["network.timeout must be a whole number of at least 1, or Infinity, got '30s'"],
    ],
    [{ network: { retries: -1 } }, ['network.retries must be a whole number of at least 0']],
    [{ cache: true }, ['cache must be { dir }, { storage } or false, got true']],
    [
      { cache: { directory: 'x' } },
      ["unknown option 'cache.directory'", 'Valid options of cache: dir, storage'],
    ],
    [{ verify: 'never' }, ["verify must be 'always' or { maxAge: '24h' }, got 'never'"]],
    [{ verify: { maxage: '1h' } }, ["Did you mean 'maxAge'?"]],
    [
      { verify: { maxAge: 'a day' } },
      ["verify.maxAge must be milliseconds or a string such as '90s'", "got 'a day'"],
    ],
    [{ onError: 'ignore' }, ["onError must be 'fail', 'stale' or { stale: '2d' }, got 'ignore'"]],
    [{ onError: { stale: '2 days' } }, ["onError.stale must be milliseconds or a string such as '90s'"]],
    [{ onError: {} }, ['onError.stale is missing']],
    [{ onInvalid: 'ignore' }, ["onInvalid must be 'fail' or 'skip', got 'ignore'"]],
    [{ strict: 'yes' }, ["strict must be true or false, got 'yes'"]],
    [{ fetch: 'fetch' }, ["fetch must be a function, got 'fetch'"]],
    [{ space: 'My Shop' }, ["space must be a LUID, got 'My Shop'"]],
  ])('%j', (options, parts) => {
    const message = problem(() => defineSpace({ models, ...options } as never));
    for (const part of parts) expect(message).toContain(part);
    expect(message).not.toContain('top-secret');
  });

  test('options that are not an object', () => {
    expect(problem(() => defineSpace(undefined as never))).toContain('the options must be an object');
  });
});

describe('space.loader refuses', () => {
  test.each<[object, string[]]>([
    [
      { neighbors: { order: 'title' } },
      ['loader("article"): unknown option \'neighbors\'', "Did you mean 'neighbours'?"],
    ],
    [
      { neighbours: '-title' },
      ["neighbours must be an object such as { order: '-_published_at' }, got '-title'"],
    ],
    [{ neighbours: {} }, ['neighbours.order is missing']],
    [
      { neighbours: { order: 'titel' } },
      ["neighbours.order names 'titel', which is not a field of article", "Did you mean 'title'?"],
    ],
    [
      { neighbours: { order: '-cover' } },
      [
        "neighbours.order names 'cover', whose type media has no order",
        'Use one of title, slug, lead, place, starts_at, featured, _id',
      ],
    ],
    [{ drafts: 'yes' }, ["drafts must be true or false, got 'yes'"]],
    [{ depth: '2' }, ["depth must be a whole number from 0 to 10, got '2'"]],
    [{ lang: 5 }, ['lang must be a string, got 5']],
    [{ lang: 'fr' }, ["the space has no language 'fr'", 'Use one of ja, en']],
    [{ lang: 'ja', langs: ['en'] }, ['lang and langs exclude each other']],
    [{ langs: [] }, ['langs is empty']],
    [{ langs: ['ja', 'ja'] }, ["langs names 'ja' twice"]],
    [{ langs: 'ja' }, ["langs must be a list of strings, got 'ja'"]],
    [{ fallback: 1 }, ['fallback must be true or false, got 1']],
    [
      { id: 'slgu' },
      ["id names 'slgu', which is not a field of article", "Did you mean 'slug'?", '_id or a function'],
    ],
    [{ id: '_title' }, ["id names '_title', which is not a field of article"]],
    [{ id: 5 }, ['id must be a string or a function, got 5']],
    ...['body', 'tags', 'featured', 'cover', 'list', 'blocks', 'seo'].map((id): [object, string[]] => [
      { id },
      [
        `id names '${id}', which cannot be used there`,
        'Use one of title, slug, lead, place, starts_at, author, other, _id',
      ],
    ]),
    [{ body: 'boddy' }, ["body names 'boddy', which is not a field of article", "Did you mean 'body'?"]],
    [
      { body: 'plain' },
      ["body names 'plain', which cannot be used there: it is of type flexible_text with the format text"],
    ],
    [
      { references: { title: 'authors' } },
      ["references names 'title', which cannot be used there: it is of type text", 'Use one of author'],
    ],
    [{ references: { auther: 'authors' } }, ["Did you mean 'author'?"]],
    [{ references: 'authors' }, ["references must be an object such as { author: 'authors' }"]],
    [{ references: { author: true } }, ["references must be an object such as { author: 'authors' }"]],
    [{ where: 'title' }, ["where must be an object such as { title: { eq: 'x' } }, got 'title'"]],
    [
      { where: { place: 'hill' } },
      [
        'loader("article"): where: place must be an object with an operator, got \'hill\'',
        "Write { eq: 'hill' }. place allows eq, in",
      ],
    ],
    [
      { where: { plcae: { eq: 'hill' } } },
      ["where names 'plcae', which is not a field of article", "Did you mean 'place'?"],
    ],
  ])('%j', (options, parts) => {
    const message = problem(() => space.loader('article', options as never));
    for (const part of parts) expect(message).toContain(part);
  });

  test('a model that is not declared', () => {
    expect(problem(() => space.loader('articel' as never))).toMatch(
      /loader\("articel"\): no such model is declared\n.*Did you mean 'article'\? Use one of author, article/,
    );
  });

  test('a language where none are declared', () => {
    const single = defineSpace({ models });
    expect(problem(() => single.loader('article', { lang: 'ja' } as never))).toMatch(
      /the space has no language 'ja'\n.*defineSpace\(\{ languages:/,
    );
  });

  test.each(['title', 'lead', 'place', 'starts_at', 'author', 'other', '_id'] as const)(
    'not the id %s',
    (id) => {
      expect(problem(() => space.loader('article', { id }))).toBe('none');
    },
  );
});

describe('the integration refuses', () => {
  test.each<[object, string[]]>([
    [{ pol: 5 }, ["luid: unknown option 'pol'", "Did you mean 'poll'?"]],
    [{ refreshsecret: 'top-secret' }, ["Did you mean 'refreshSecret'?"]],
    [{ refreshSecret: ['top-secret'] }, ['refreshSecret must be a string, got a list of 1']],
    [
      { refreshSecret: 'top-secret-here' },
      ['luid: refreshSecret is too short', 'at least 16 characters', '`openssl rand -hex 32`'],
    ],
    [{ preview: { secret: 'top-secret-here' } }, ['luid: preview.secret is too short']],
    [
      { poll: true },
      ["poll must be milliseconds or a string such as '90s', '10min', '24h' or '7d' or false, got true"],
    ],
    [{ images: 'no' }, ["images must be true or false, got 'no'"]],
    [{ revalidate: '10s' }, ["revalidate must be true or false, got '10s'"]],
    [{ editUrl: 5 }, ['editUrl must be a string or a function, got 5']],
  ])('%j', (options, parts) => {
    const message = problem(() => luid(space, options as never));
    for (const part of parts) expect(message).toContain(part);
    expect(message).not.toContain('top-secret');
  });

  test('no secret of 16 characters, and no empty one, which is none', () => {
    for (const secret of ['x'.repeat(16), '']) {
      expect(problem(() => luid(space, { refreshSecret: secret, preview: { secret } }))).toBe('none');
    }
  });
});

describe('createClient refuses', () => {
  test.each<[object, string[]]>([
    [{ apikey: 'top-secret' }, ["createClient: unknown option 'apikey'", "Did you mean 'apiKey'?"]],
    [{ apiKey: 5 }, ['apiKey must be a string, got a number']],
    [{ network: { retry: 1 } }, ["unknown option 'network.retry'"]],
    [
      { network: { timeout: 0 } },
      ['network.timeout must be a whole number of at least 1, or Infinity, got 0'],
    ],
  ])('%j', (options, parts) => {
    const message = problem(() => createClient({ baseUrl: 'https://cms.example/v1', ...options } as never));
    for (const part of parts) expect(message).toContain(part);
    expect(message).not.toContain('top-secret');
  });
});

describe('a query refuses', () => {
  const { contents } = createClient({
    baseUrl: 'https://cms.example/v1',
    apiKey: 'k',
    fetch: () => Promise.reject(),
  });
  test.each<[string, () => Promise<unknown>, string[]]>([
    [
      'a misspelt option of list',
      () => contents.list('article', { limt: 5 } as never),
      ["list: unknown option 'limt'", "Did you mean 'limit'?"],
    ],
    [
      'a limit of iterate, which has none',
      () => contents.all('article', { limit: 5 } as never),
      ["iterate: unknown option 'limit'"],
    ],
    ['a misspelt option of get', () => contents.get(1, { dept: 1 } as never), ["Did you mean 'depth'?"]],
    [
      'a misspelt option of count',
      () => contents.count('article', { were: {} } as never),
      ["Did you mean 'where'?"],
    ],
    [
      'a condition without an operator',
      () => contents.list('article', { where: { place: 'hill' } } as never),
      ["list: where: place must be an object with an operator, got 'hill'", "Write { eq: 'hill' }"],
    ],
    [
      'a list without an operator',
      () => contents.count('article', { where: { place: ['hill'] } } as never),
      ["Write { in: ['hill'] }"],
    ],
  ])('%s', async (_name, ask, parts) => {
    const message = await ask().then(
      () => 'none',
      (error: Error) => error.message,
    );
    for (const part of parts) expect(message).toContain(part);
  });
});

test('space.client and space.schema refuse options that they do not have', () => {
  expect(problem(() => space.client({ draft: true } as never))).toMatch(
    /space\.client: unknown option 'draft'\n.*Did you mean 'drafts'\?/,
  );
  expect(problem(() => space.schema('article', { dept: 2 } as never))).toMatch(/Did you mean 'depth'\?/);
});
