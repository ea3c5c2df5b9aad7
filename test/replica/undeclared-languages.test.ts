import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { type Edit, findWrongBuilds } from './hide-and-show.ts';
import { notes, openSite, published, put, responseOf, serve, shown } from './loader-site.ts';

const AUTHOR = 1;
const TOPIC = 60;
const DRAFT = 61;
const title = field.text({ title: true });

test('an author with English that is archived and restored while its English is read again still exists', async () => {
  const wrong = await findWrongBuilds({
    contents: [
      published('author', AUTHOR, { name: 'Hana' }, { en: { name: 'Hana' } }),
      published('article', 50, { title: 'a' }, { en: { title: 'b' } }),
      ...notes(130),
    ],
    models: {
      author: { name: title },
      article: { title, author: field.reference('author') },
      note: { title },
    },
    collection: { model: 'author', lang: 'en' },
    before: ({ contents }) => contents.edit(AUTHOR, { name: 'Hanako' }),
    hide: (({ contents }) => contents.archive(AUTHOR)) as Edit,
    show: (({ contents }) => contents.restore(AUTHOR)) as Edit,
  });
  expect(wrong).toEqual([]);
});

/** The topic is of a model that the site does not declare. */
const OPEN: ModelMap = { article: { title, editor: field.reference() }, note: { title } };
const WITH_TOPIC: ModelMap = { ...OPEN, topic: { name: title } };
const ENGLISH = { articles: { model: 'article', lang: 'en' } };

function start(topic: object, count: number): Emulator {
  return serve(
    [
      published('topic', TOPIC, { name: 'T' }, topic),
      published('article', 50, { title: 'a', editor: TOPIC }, { en: { title: 'b', editor: TOPIC } }),
      ...notes(count),
    ],
    { models: WITH_TOPIC },
  );
}

async function expectAsCold(service: Emulator, concurrency: number, options: object, between: Edit) {
  const how = { models: OPEN, network: { concurrency } };
  const site = openSite(service);
  await site.build(ENGLISH, how);
  service.clock.advance(60_000);
  await put(service, TOPIC, 'topic', {
    fields: { name: 'T' },
    ...(service.contents.get(TOPIC).published?.en ? {} : { 'fields[en]': { name: 'T' } }),
  });
  service.clock.advance(60_000);
  between(service);
  const warm = await site.build(ENGLISH, { ...how, ...options });
  const cold = await openSite(service).build(ENGLISH, how);
  expect(shown(warm.articles)).toEqual(shown(cold.articles));
}

const LANGUAGES: [string, object][] = [
  ['gets', {}],
  ['loses', { en: { name: 'T' } }],
];

describe.each(LANGUAGES)('content of an undeclared model that %s its English', (_name, topic) => {
  const nothing = () => {};
  test('is looked up again in a space that is always read in full', async () => {
    await expectAsCold(start(topic, 5), 16, {}, nothing);
  });

  test('is looked up again by a verified build of such a space', async () => {
    await expectAsCold(start(topic, 5), 16, { verify: 'always' }, nothing);
  });

  test('is looked up again in a larger space', async () => {
    await expectAsCold(start(topic, 130), 1, {}, nothing);
  });

  test('is looked up again after more changes than are kept for other languages', async () => {
    await expectAsCold(start(topic, 1100), 1, {}, (service) => {
      for (let id = 1001; id < 2101; id++) {
        service.clock.advance(1000);
        service.contents.edit(id, { title: `edited ${id}` });
      }
    });
  });
});

test('a fallback to a reference whose undeclared content was archived is empty, also if the model map changed', async () => {
  const service = serve(
    [
      published('topic', TOPIC, { name: 'T' }),
      published('article', 50, { title: 'a', editor: TOPIC }),
      published('article', 51, { title: 'a', editor: TOPIC }, { en: { title: 'b', editor: TOPIC } }),
      ...notes(260),
    ],
    { models: WITH_TOPIC },
  );
  const site = openSite(service);
  const fallback = { articles: { model: 'article', lang: 'en', fallback: true } };
  const { article } = OPEN;
  await site.build({ articles: { model: 'article' } }, { models: OPEN });
  await site.build(fallback, { models: { article } });
  service.clock.advance(60_000);
  service.contents.archive(TOPIC);
  const { articles } = await site.build(fallback, { models: OPEN });
  expect(articles?.get('50')).toMatchObject({ editor: null, _fallback: true });
});

/** With less content in the main language than in English, it is read in one round and English is not. */
describe.each([
  ['archived', TOPIC, (({ contents }) => contents.archive(TOPIC)) as Edit],
  ['published', DRAFT, (({ contents }) => contents.publish(DRAFT)) as Edit],
])('content of an undeclared model that is %s', (_name, editor, change) => {
  test.each([
    ['130', 130, 0],
    ['230', 230, 0],
    ['130 instead of 230', 230, 100],
  ])('is seen in English, with %s items in the main language', async (_count, count, archived) => {
    const english = Array.from({ length: 260 }, (_, n) => ({
      id: 5001 + n,
      model: 'note',
      published: { en: { title: `only ${n}` } },
    }));
    const service = serve(
      [
        published('topic', TOPIC, { name: 'T' }, { en: { name: 'T' } }),
        { id: DRAFT, model: 'topic', draft: { ja: { name: 'D' }, en: { name: 'D' } } },
        { id: 50, model: 'article', published: { en: { title: 'a', editor } } },
        published('article', 51, { title: 'a', editor }, { en: { title: 'b', editor } }),
        ...notes(count),
        ...english,
      ],
      { models: WITH_TOPIC },
    );
    const site = openSite(service);
    const plain = { model: 'article', lang: 'en', depth: 0 };
    const withFallback = { ...plain, fallback: true };
    const build = async () => {
      service.clock.advance(60_000);
      return site.build({ plain, withFallback }, { models: OPEN, network: { concurrency: 2 } });
    };
    // The second and third confirm what the first one read.
    for (let n = 0; n < 3; n++) await build();
    for (let id = 1001; id < 1001 + archived; id++) service.contents.archive(id);
    for (let n = 0; n < 2; n++) await build();
    change(service);
    const built = await build();
    expect(shown(built.plain)).toEqual(await responseOf(service, plain));
    expect(shown(built.withFallback)).toEqual(await responseOf(service, withFallback));
  });
});
