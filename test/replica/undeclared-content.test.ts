import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { type Entries, notes, openSite, published, responseOf, serve, shown } from './loader-site.ts';

const TOPIC = 60;
const OTHER = 61;
const ARTICLE = 50;
const title = field.text({ title: true });
const OPEN: ModelMap = { article: { title, editor: field.reference() }, note: { title } };
const WITH_TOPIC: ModelMap = { ...OPEN, topic: { name: title } };
const COLLECTIONS = { articles: { model: 'article', depth: 0 } };
const options = { models: OPEN, network: { concurrency: 1 } };

async function expectArticles(service: Emulator, { articles }: Record<string, Entries>, depth = 0) {
  expect(shown(articles)).toEqual(await responseOf(service, { model: 'article', depth }));
}

/** Articles that refer to two topics, of which one was published before and is hidden now. */
function start(): Emulator {
  const service = serve(
    [
      published('topic', TOPIC, { name: 'T' }),
      published('topic', OTHER, { name: 'O' }),
      published('article', ARTICLE, { title: 'a', editor: TOPIC }),
      published('article', 51, { title: 'b', editor: OTHER }),
      published('article', 52, { title: 'c' }),
      ...notes(130),
    ],
    { models: WITH_TOPIC },
  );
  service.contents.unpublish(TOPIC);
  service.clock.advance(60_000);
  return service;
}

/** Changes content a minute after the last build, and lets another minute pass. */
function change(service: Emulator, edit: (contents: Emulator['contents']) => void): void {
  service.clock.advance(60_000);
  edit(service.contents);
  service.clock.advance(60_000);
}

describe('a reference to content of an undeclared model', () => {
  const editorsOf = ({ articles }: Record<string, Entries>) =>
    Object.values(shown(articles)).map((article) => (article as { editor: unknown }).editor);

  test('is the id that the service sent, or empty, until the item is read again', async () => {
    const service = start();
    const site = openSite(service);
    const build = async (more = {}) => editorsOf(await site.build(COLLECTIONS, { ...options, ...more }));
    expect(await build()).toEqual([null, OTHER, null]);
    change(service, (contents) => {
      contents.publish(TOPIC);
      contents.archive(OTHER);
    });
    expect(await build()).toEqual([null, OTHER, null]);
    change(service, (contents) => contents.edit(ARTICLE, { title: 'edited' }));
    expect(await build()).toEqual([TOPIC, OTHER, null]);
    change(service, (contents) => contents.edit(51, { title: 'edited' }));
    expect(await build()).toEqual([TOPIC, null, null]);
    change(service, (contents) => contents.archive(TOPIC));
    expect(await build({ verify: 'always' })).toEqual([null, null, null]);
  });

  test('is empty if the content was removed while its model was declared', async () => {
    const service = start();
    const site = openSite(service);
    await site.buildTwice(COLLECTIONS, { ...options, models: WITH_TOPIC });
    change(service, (contents) => contents.archive(OTHER));
    expect(editorsOf(await site.build(COLLECTIONS, { ...options, models: WITH_TOPIC }))[1]).toBeNull();
    expect(editorsOf(await site.build(COLLECTIONS, options))[1]).toBeNull();
  });

  test('does not hide that declared content was archived when that content is published', async () => {
    const service = start();
    const site = openSite(service);
    await site.buildTwice(COLLECTIONS, options);
    change(service, (contents) => {
      contents.publish(TOPIC);
      contents.archive(52);
    });
    const { articles } = await site.build(COLLECTIONS, options);
    expect(Object.keys(shown(articles))).toEqual(['50', '51']);
  });
});

describe('a reference in English to content that the main language had', () => {
  test('is empty after that was archived, however often the main language was built alone', async () => {
    const english = (n: number) => ({ id: 5001 + n, model: 'note', published: { en: { title: `${n}` } } });
    const service = serve(
      [
        published('topic', TOPIC, { name: 'T' }),
        { id: ARTICLE, model: 'article', published: { en: { title: 'a', editor: TOPIC } } },
        ...notes(20),
        ...Array.from({ length: 260 }, (_, n) => english(n)),
      ],
      { models: WITH_TOPIC },
    );
    const site = openSite(service);
    // The main language is small, and so read in full each time.
    const more = { models: WITH_TOPIC, network: { concurrency: 2 } };
    const inEnglish = { articles: { model: 'article', lang: 'en' } };
    const build = async () => shown((await site.build(inEnglish, more)).articles)[ARTICLE];
    expect(await build()).toMatchObject({ editor: null });
    change(service, (contents) => contents.archive(TOPIC));
    for (let n = 0; n < 2; n++) await site.build({ articles: { model: 'article' } }, more);
    expect(await build()).toMatchObject({ editor: null });
  });
});

type Edit = (contents: Emulator['contents']) => void;
const SHOWN: [string, Edit, Edit][] = [
  ['published again', (contents) => contents.unpublish(TOPIC), (contents) => contents.publish(TOPIC)],
  ['restored', (contents) => contents.archive(TOPIC), (contents) => contents.restore(TOPIC)],
];

describe('a reference to content that was hidden when the other map was built', () => {
  test.each(SHOWN)('leads to it if its model is now declared and it was %s', async (_name, hide, show) => {
    const service = start();
    service.contents.publish(TOPIC);
    hide(service.contents);
    service.clock.advance(60_000);
    const site = openSite(service);
    await site.buildTwice(COLLECTIONS, options);
    change(service, show);
    const declared = { articles: { model: 'article' } };
    const more = { ...options, models: WITH_TOPIC };
    await expectArticles(service, await site.build(declared, more), 1);
    await expectArticles(service, await site.build(declared, more), 1);
  });

  test('leads to it if its model is now declared and it was published for the first time', async () => {
    const service = start();
    const draft = service.contents.create({ model: 'topic', draft: { ja: { name: 'new' } } });
    service.clock.advance(60_000);
    service.contents.edit(52, { editor: draft });
    for (let id = 1001; id < 1121; id++) {
      service.clock.advance(1000);
      service.contents.edit(id, { title: 'edited' });
    }
    const site = openSite(service);
    await site.buildTwice(COLLECTIONS, options);
    change(service, (contents) => contents.publish(draft));
    const more = { ...options, models: WITH_TOPIC };
    await expectArticles(service, await site.build({ articles: { model: 'article' } }, more), 1);
  });
});
