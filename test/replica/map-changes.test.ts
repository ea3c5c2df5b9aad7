import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { field } from '../../src/index.ts';
import type { FieldsBase } from '../../src/models/field-types/field-type.ts';
import type { ModelMap } from '../../src/models/types.ts';
import {
  type Content,
  type Entries,
  notes,
  openSite,
  published,
  responseOf,
  serve,
  shown,
} from './loader-site.ts';

const AUTHOR = 1;
const ARTICLE = 2;

/** The places of one reference in an article: its definition, and the value that leads to the author. */
const PLACES = {
  'a typed field': [{ by: field.reference('author') }, { by: AUTHOR }],
  'an untyped field': [{ by: field.reference() }, { by: AUTHOR }],
  'an untyped combination': [
    { parts: field.combination({ part: { by: field.reference() } }) },
    { parts: [{ luid: 'part', fields: { by: AUTHOR } }] },
  ],
} satisfies Record<string, [FieldsBase, object]>;

const author = { name: field.text({ title: true }) };
const title = field.text({ title: true });
const note = { title };

function serviceWith(how: Partial<Content>, fields: FieldsBase, values: object): Emulator {
  return serve(
    [
      { id: AUTHOR, model: 'author', ...how },
      published('article', ARTICLE, { title: 'article', ...values }),
      ...notes(250),
    ],
    { models: { author, article: { title, ...fields }, note } },
  );
}

const DRAFT = { draft: { ja: { name: 'Hana' } } };
const PUBLISHED = { published: { ja: { name: 'Hana' } } };

async function expectArticles(service: Emulator, { articles }: Record<string, Entries>, depth = 1) {
  expect(shown(articles)).toEqual(await responseOf(service, { model: 'article', depth }));
}

type Act = (contents: Emulator['contents']) => void;
const HISTORIES: [string, object, Act][] = [
  ['published', DRAFT, (contents) => contents.publish(AUTHOR)],
  ['restored', { ...PUBLISHED, archived: true }, (contents) => contents.restore(AUTHOR)],
  ['archived', PUBLISHED, (contents) => contents.archive(AUTHOR)],
  ['unpublished', PUBLISHED, (contents) => contents.unpublish(AUTHOR)],
];

describe.each(Object.entries(PLACES))(
  'a reference that is declared later, as %s',
  (_place, [fields, values]) => {
    const full: ModelMap = { author, article: { title, ...fields }, note };
    const without: ModelMap = { author, article: { title }, note };

    test.each(HISTORIES)('is right after its target was %s', async (_name, how, act) => {
      const service = serviceWith(how, fields, values);
      const site = openSite(service);
      await site.buildTwice(undefined, { models: without });
      service.clock.advance(60_000);
      act(service.contents);
      await site.buildTwice(undefined, { models: without });
      service.clock.advance(60_000);
      await expectArticles(service, await site.build(undefined, { models: full }));
      await expectArticles(service, await site.build(undefined, { models: full }));
    });

    test.each(HISTORIES)(
      'is right without a build in between, after its target was %s',
      async (_name, how, act) => {
        const service = serviceWith(how, fields, values);
        const site = openSite(service);
        await site.buildTwice(undefined, { models: without });
        service.clock.advance(60_000);
        act(service.contents);
        await expectArticles(service, await site.build(undefined, { models: full }));
      },
    );

    test.each(HISTORIES)(
      'is right with its model declared at the same time, after its target was %s',
      async (_name, how, act) => {
        const service = serviceWith(how, fields, values);
        const site = openSite(service);
        const neither: ModelMap = { article: { title }, note };
        await site.buildTwice(undefined, { models: neither, network: { concurrency: 1 } });
        service.clock.advance(60_000);
        act(service.contents);
        await site.buildTwice(undefined, { models: neither, network: { concurrency: 1 } });
        service.clock.advance(60_000);
        await expectArticles(service, await site.build(undefined, { models: full }));
      },
    );

    test.each(HISTORIES)(
      'is right if it was also declared before, after its target was %s',
      async (_name, how, act) => {
        const service = serviceWith(how, fields, values);
        const site = openSite(service);
        await site.buildTwice(undefined, { models: full });
        await site.buildTwice(undefined, { models: without });
        service.clock.advance(60_000);
        act(service.contents);
        await site.buildTwice(undefined, { models: without });
        service.clock.advance(60_000);
        await expectArticles(service, await site.build(undefined, { models: full }));
      },
    );
  },
);

describe.each(Object.entries(PLACES))(
  'a reference whose target gets another format in the model map, in %s',
  (_place, [fields, values]) => {
    const mapWith = (format: 'html' | 'text'): ModelMap => ({
      author: { ...author, bio: field.flexibleText({ format }) },
      article: { title, ...fields },
      note,
    });

    test.each(HISTORIES)('is right after its target was %s at the same time', async (_name, how, act) => {
      const service = serve(
        [
          { id: AUTHOR, model: 'author', ...how },
          published('article', ARTICLE, { title: 'article', ...values }),
          ...notes(250),
        ],
        {
          models: {
            author: { ...author, bio: field.flexibleText() },
            article: { title, ...fields },
            note,
          },
        },
      );
      const site = openSite(service);
      const network = { concurrency: 1 };
      await site.buildTwice(undefined, { models: mapWith('html'), network });
      service.clock.advance(60_000);
      act(service.contents);
      const collections = { articles: { model: 'article', depth: 0 } };
      const built = await site.build(collections, { models: mapWith('text'), network });
      await expectArticles(service, built, 0);
    });
  },
);

test('a model that is new in the map does not delay the full read of the others', async () => {
  const text = field.flexibleText();
  const models = { author, article: { title, by: field.reference('author') }, note: { title, text } };
  const service = serve(
    [
      { id: AUTHOR, model: 'author', ...PUBLISHED },
      published('article', ARTICLE, { title: 'article', by: AUTHOR }),
      ...notes(250),
    ],
    // A change that only a full read sees.
    { models, assumptions: { draftTouchesUpdatedAt: false } },
  );
  const site = openSite(service);
  const drafts = { articles: { model: 'article', drafts: true } };
  await site.buildTwice(drafts, { models });
  service.contents.saveDraft(AUTHOR, { name: 'Yuri' });
  service.clock.advance(25 * 3_600_000);
  const markdown = { ...models, note: { title, text: field.flexibleText({ format: 'markdown' }) } };
  const { articles } = await site.build(drafts, { models: markdown });
  expect(articles?.get(String(ARTICLE))).toMatchObject({ by: { name: 'Yuri' } });
});
