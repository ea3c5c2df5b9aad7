import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import luid from '../../../src/astro/integration/integration.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { createTestLoader, startService } from './test-loader.ts';

const SERVICE = {
  author: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    slug: field.text(),
    author: field.reference('author'),
    related: field.repeat({ by: field.reference('author') }),
    seo: field.fieldSet({ description: field.text() }),
  },
};
const { author, ...rest } = SERVICE.article;
const event = { name: field.text() };

const services: RunningEmulator[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});
const start = async (...parameters: Parameters<typeof startService>) => {
  const service = await startService(...parameters);
  services.push(service);
  return service;
};

const CONTENTS = [
  { id: 1, model: 'author', name: 'Mori' },
  { id: 11, model: 'article', title: 'Harbour', slug: 'harbour', author: 1, seo: { description: 'x' } },
  { id: 12, model: 'article', title: 'Tea', slug: 'tea', author: 1, seo: { description: 'y' } },
];

test('a reference to content of another sub-space is empty, with a warning', async () => {
  const created_at = '2026-01-01T00:00:00Z';
  const service = await startEmulator({
    spaces: ['_parent', 'shop'],
    keys: [{ key: 'published-key', reads: 'published' }],
    models: SERVICE,
    contents: [
      { id: 1, model: 'author', created_at, published: { ja: { name: 'Mori' } } },
      { id: 2, model: 'author', space: 'shop', created_at, published: { ja: { name: 'Kato' } } },
      ...[
        { id: 11, title: 'Harbour', author: 1 },
        { id: 12, title: 'Tea', author: 2 },
      ].map(({ id, ...fields }) => ({
        id,
        model: 'article',
        space: 'shop',
        created_at,
        published: { ja: fields },
      })),
    ],
  });
  services.push(service);
  const inShop = createTestLoader(service);
  const isAboutSpaces = (line: string) => line.includes('sub-space');
  const lines = await inShop.load('article', { models: SERVICE, space: { space: 'shop' } });
  expect([inShop.data('11')?.author, inShop.data('12')?.author]).toMatchObject([null, { name: 'Kato' }]);
  expect(lines.filter(isAboutSpaces)).toEqual([
    'article.author: 1 reference points to content of an undeclared model or another sub-space and is empty ' +
      '(the field is declared as a reference to author). Example: article 11 "Harbour" refers to content 1. ' +
      'Declare its model in `models` and add it to the reference, or run `npx luid check`. ' +
      'If it is content of another sub-space, leave out `space` in defineSpace(), and set `where: { _space: { eq: … } }` for the loader',
  ]);
  // As the warning suggests.
  const everywhere = createTestLoader(service);
  const loader = { where: { _space: { eq: 'shop' } } };
  const others = await everywhere.load('article', { models: SERVICE, loader });
  expect(everywhere.entries().sort()).toEqual(['11', '12']);
  expect(everywhere.data('11')?.author).toMatchObject({ name: 'Mori' });
  expect(others.filter(isAboutSpaces)).toEqual([]);
});

describe('a reference to a model that is not declared', () => {
  const models = {
    event,
    article: { ...rest, author: field.reference('event'), related: field.repeat({ by: field.reference() }) },
  };

  test('is a warning with count, example, and luid check, without any request for it', async () => {
    const service = await start(SERVICE, CONTENTS);
    const { load, data } = createTestLoader(service);
    const lines = await load('article', { models });
    expect(data('11')?.author).toBeNull();
    expect(service.log.filter(({ query }) => query.includes('_id%5Bin%5D'))).toEqual([]);
    expect(lines).toContainEqual(
      'article.author: 2 references point to content of an undeclared model and are empty (the field is declared as a reference to event). ' +
        'Example: article 11 "Harbour" refers to content 1. ' +
        'Declare its model in `models` and add it to the reference, or run `npx luid check`',
    );
  });

  test('is also a warning if the field accepts any model, and the id stays', async () => {
    const contents = [...CONTENTS, { id: 13, model: 'article', title: 'Night', related: [{ by: 1 }] }];
    const { load, data } = createTestLoader(await start(SERVICE, contents));
    const lines = await load('article', { models });
    expect(data('13')?.related).toEqual([{ by: 1 }]);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^article\.related\[\]\.by: 1 reference points to content of an undeclared model and stays an id\. Example: article 13 "Night" refers to content 1\./,
      ),
    );
  });

  test('is a warning in a rebuild that changes nothing, with no more requests', async () => {
    const service = await start(SERVICE, CONTENTS);
    const { load } = createTestLoader(service);
    await load('article', { models });
    service.clearLog();
    const again = await load('article', { models });
    expect(again).toContainEqual(expect.stringContaining('article.author: 2 references point'));
    expect(service.log.filter(({ query }) => query.includes('_id%5Bin%5D'))).toEqual([]);
  });
});

describe('a declared field that no item has', () => {
  test('is a warning, in groups too, once for all collections of a space', async () => {
    const service = await start(SERVICE, CONTENTS);
    const models = {
      ...SERVICE,
      article: {
        ...SERVICE.article,
        titel: field.text(),
        seo: field.fieldSet({ description: field.text(), descripton: field.text() }),
      },
    };
    const { load, context } = createTestLoader(service);
    const lines = await load('article', { models });
    expect(lines).toContainEqual(
      'article declares seo.descripton, titel, which no item has: is the LUID right? Run `npx luid check` to compare the models with the content',
    );

    const warnings: string[] = [];
    const space = defineSpace({
      baseUrl: service.baseUrl,
      apiKey: 'published-key',
      models: models as typeof SERVICE,
    });
    for (const loader of [space.loader('article'), space.loader('article', { depth: 0 })]) {
      const logger = { ...context.logger, warn: (line: string) => void warnings.push(line) };
      await loader.load({ ...context, logger } as typeof context);
    }
    expect(warnings.filter((line) => line.includes('titel'))).toHaveLength(1);
  });

  test('a model without content is a warning', async () => {
    const { load } = createTestLoader(await start(SERVICE, CONTENTS));
    const lines = await load('article', { models: { ...SERVICE, tag: { name: field.text() } } });
    expect(lines).toContainEqual(
      expect.stringMatching(
        /tag has no content that this key can see: is its LUID right\? Run `npx luid check`/,
      ),
    );
  });

  test('nothing is logged if everything fits', async () => {
    const { load } = createTestLoader(await start(SERVICE, CONTENTS));
    const lines = await load('article', { models: SERVICE });
    expect(lines.map((line) => line.replace(/\d+ requests? .*/, '…'))).toEqual([
      'Content: 3 items, 3 added; …',
      'things: 2 entries, 2 added',
    ]);
  });
});

describe('drafts without `drafts: true`', () => {
  const contents = [
    ...CONTENTS,
    { id: 13, model: 'article', draft: { ja: { title: 'Soon' } } },
    { id: 14, model: 'article', published: { ja: { title: 'Old' } }, draft: { ja: { title: 'New' } } },
  ];

  test('are a warning that names one of them and the variable', async () => {
    const { load } = createTestLoader(await start(SERVICE, contents));
    const lines = await load('article', { models: SERVICE, apiKey: 'draft-key', draftApiKey: 'draft-key' });
    expect(lines.filter((line) => /drafts/.test(line))).toEqual([
      'things contains 1 draft, but its loader does not set `drafts: true` (example: article 13 "Soon"): the key reads drafts. ' +
        'Set LUID_API_KEY (`apiKey`) to a key that reads published content only, or the loader to `drafts: true`',
    ]);
  });

  test('are a warning in embedded content too', async () => {
    const service = await start(SERVICE, [
      { id: 1, model: 'author', draft: { ja: { name: 'New' } } },
      { id: 11, model: 'article', title: 'Harbour', author: 1 },
    ]);
    const lines = await createTestLoader(service).load('article', { models: SERVICE, apiKey: 'draft-key' });
    expect(lines).toContainEqual(expect.stringContaining('example: author 1 "New"'));
  });

  test('are no warning if published content also has a draft, or with `drafts: true`', async () => {
    const service = await start(SERVICE, contents);
    const published = await createTestLoader(service).load('article', { models: SERVICE });
    expect(published.join()).not.toContain('draft');
    const drafts = await createTestLoader(service).load('article', {
      models: SERVICE,
      draftApiKey: 'draft-key',
      loader: { drafts: true },
    });
    expect(drafts.join()).not.toContain('ask for drafts');
    expect(drafts.at(-1)).toBe('things (drafts): 4 entries, 4 added');
  });

  test('one key for both kinds is a warning, even without drafts', async () => {
    const { load } = createTestLoader(await start(SERVICE, CONTENTS));
    const lines = await load('article', { models: SERVICE, apiKey: 'draft-key', draftApiKey: 'draft-key' });
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^LUID_API_KEY \(`apiKey`\) and LUID_DRAFT_API_KEY \(`draftApiKey`\) are the same key/,
      ),
    );
    expect(lines.join()).not.toContain('draft-key');
  });
});

describe('languages', () => {
  const swapped = { space: { languages: { main: 'en', sub: ['ja'] } }, loader: { langs: ['en', 'ja'] } };
  const right = { space: { languages: { main: 'ja', sub: ['en'] } }, loader: { langs: ['ja', 'en'] } };
  const byId = ({ log }: RunningEmulator) => log.filter(({ path }) => /contents\/\d+$/.test(path));

  test('that are swapped are a warning in every build, for one request in total', async () => {
    const service = await start(SERVICE, CONTENTS);
    const { load } = createTestLoader(service);
    for (const _ of ['first', 'second']) {
      expect(await load('article', { models: SERVICE, ...swapped })).toContainEqual(
        expect.stringMatching(
          /^languages\.main is "en", but the main language of the space is "ja": entries of "en" contain ja data\. .*npx luid check/,
        ),
      );
    }
    expect(byId(service)).toHaveLength(1);
    const lines = await load('article', { models: SERVICE, ...right });
    expect(lines.join()).not.toContain('languages.main');
    expect(byId(service)).toHaveLength(1);
  });

  test('cost no request if no collection uses them', async () => {
    const service = await start(SERVICE, CONTENTS);
    await createTestLoader(service).load('article', { models: SERVICE, space: right.space });
    expect(byId(service)).toEqual([]);
  });

  test('are named in the log, with the number of entries', async () => {
    const service = await start(SERVICE, [
      { id: 11, model: 'article', published: { ja: { title: '港' }, en: { title: 'Harbour' } } },
      { id: 1, model: 'author', name: 'Mori' },
    ]);
    const { load } = createTestLoader(service);
    const both = await load('article', { models: SERVICE, ...right });
    expect(both).toContainEqual(expect.stringMatching(/^Content \(ja\): 2 items, 2 added; \d+ requests? \(/));
    expect(both).toContainEqual(expect.stringMatching(/^Content \(en\): 1 item, 1 added; /));
    expect(both.at(-1)).toBe('things (ja, en): 2 entries, 2 added');
    service.contents.edit(11, { title: 'Port' }, { lang: 'en' });
    expect((await load('article', { models: SERVICE, ...right })).at(-1)).toBe(
      'things (ja, en): 2 entries, 2 changed',
    );
    const one = { ...right, loader: { lang: 'en' } };
    expect((await load('article', { models: SERVICE, ...one })).at(-1)).toBe(
      'things (en): 1 entry, 1 added, 2 removed',
    );
    expect((await load('article', { models: SERVICE, ...one })).at(-1)).toBe(
      'things (en): 1 entry, none changed',
    );
  });
});

describe('ids that cannot be page URLs', () => {
  test('with #, ? or % are a warning that names them and the fix', async () => {
    const contents = ['a#b', 'c?d', 'e%20f', 'g%', 'fine'].map((slug, index) => ({
      id: index + 1,
      model: 'article',
      title: slug,
      slug,
    }));
    const lines = await createTestLoader(await start(SERVICE, contents)).load('article', {
      models: SERVICE,
      loader: { id: 'slug' },
    });
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^things: 4 entries have ids with "#", "\?" or "%".*: "a#b", "c\?d", "e%20f", and 1 more\. Correct the field, .*`id: \(item\) => …`$/,
      ),
    );
  });

  const part = (content: string, dynamic = false, spread = false) => ({ content, dynamic, spread });
  const route = (...parts: ReturnType<typeof part>[]) => ({ segments: parts.map((one) => [one]) });
  const resolve = (...routes: object[]) => {
    const space = defineSpace({ models: SERVICE });
    luid(space).hooks['astro:routes:resolved']?.({ routes } as never);
  };
  afterEach(() => resolve());

  test.each([
    ['articles/[id].astro', true],
    ['articles/[...id].astro', false],
    ['[lang]/[id].astro', false],
    ['articles/_[...id].astro', true],
    ['about.astro', false],
  ])('with / where the integration is not used and the site has the page %s', async (page, warns) => {
    const folder = mkdtempSync(join(tmpdir(), 'astro-luid-pages-'));
    try {
      for (const file of [page, 'articles/[id].txt', ...(warns ? ['[id].astro'] : [])]) {
        mkdirSync(dirname(join(folder, 'pages', file)), { recursive: true });
        writeFileSync(join(folder, 'pages', file), '');
      }
      const loads = createTestLoader(
        await start(SERVICE, [{ id: 1, model: 'article', title: 'A', slug: 'a/b' }]),
      );
      Object.assign(loads.context.config, { srcDir: pathToFileURL(`${folder}/`) });
      const lines = await loads.load('article', { models: SERVICE, loader: { id: 'slug' } });
      expect(lines.some((line) => line.includes('[...id].astro'))).toBe(warns);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.each([
    ['one parameter', [route(part('articles'), part('id', true))], true],
    ['a rest parameter', [route(part('id', true)), route(part('...id', true, true))], false],
    ['as many parameters', [route(part('lang', true), part('id', true))], false],
    ['no parameters at all', [route(part('about'))], false],
    [
      'only parameters of Astro’s own',
      [{ ...route(part('_server-islands'), part('name', true)), origin: 'internal' }],
      false,
    ],
  ])('with / where the routes of the site have %s', async (_, routes, warns) => {
    resolve(...routes);
    const lines = await createTestLoader(
      await start(SERVICE, [{ id: 1, model: 'article', title: 'A', slug: 'a/b' }]),
    ).load('article', { models: SERVICE, loader: { id: 'slug' } });
    expect(lines.filter((line) => line.includes('[...id].astro'))).toEqual(
      warns
        ? [
            'things: 1 entry has an id with "/", which no route of the site accepts: `[id].astro` fails with "Missing parameter": "a/b". Name the route `[...id].astro`',
          ]
        : [],
    );
  });
});
