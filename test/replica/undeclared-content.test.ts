import { describe, expect, test } from 'vitest';
import type { Assumptions, Emulator } from '../../src/emulator/index.ts';
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
function start(assumptions: Partial<Assumptions> = {}): Emulator {
  const service = serve(
    [
      published('topic', TOPIC, { name: 'T' }),
      published('topic', OTHER, { name: 'O' }),
      published('article', ARTICLE, { title: 'a', editor: TOPIC }),
      published('article', 51, { title: 'b', editor: OTHER }),
      published('article', 52, { title: 'c' }),
      ...notes(130),
    ],
    { models: WITH_TOPIC, assumptions },
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

/** The same with the hidden topic in the archive, and a site that was built. */
async function startArchived(assumptions?: Partial<Assumptions>) {
  const service = start(assumptions);
  service.contents.publish(TOPIC);
  service.contents.archive(TOPIC);
  const site = openSite(service);
  await site.buildTwice(COLLECTIONS, options);
  return { service, site };
}

describe('content of an undeclared model that is published again', () => {
  test('does not hide that declared content was archived between the same builds', async () => {
    const service = start();
    const site = openSite(service);
    await site.buildTwice(COLLECTIONS, options);
    change(service, (contents) => {
      contents.publish(TOPIC);
      contents.archive(52);
    });
    await expectArticles(service, await site.build(COLLECTIONS, options));
    await expectArticles(service, await site.build(COLLECTIONS, options));
  });

  test('is found, and other such content that was archived between the same builds is not', async () => {
    const service = start();
    const site = openSite(service);
    await site.buildTwice(COLLECTIONS, options);
    change(service, (contents) => {
      contents.publish(TOPIC);
      contents.archive(OTHER);
    });
    await expectArticles(service, await site.build(COLLECTIONS, options));
  });
});

test('an article that appears while content is counted, and one that disappears then, hide nothing later', async () => {
  const [SHOWN_AGAIN, ARCHIVED] = [52, 51];
  const service = start();
  service.contents.unpublish(ARCHIVED);
  const { contents } = service;
  // One edit before each of these requests, while everything is read for the first time.
  const edits: [isRequest: (query: URLSearchParams) => boolean, edit: () => void][] = [
    [(query) => query.get('offset') === '0', () => contents.publish(ARCHIVED)],
    [(query) => query.get('order') === '-_updated_at', () => contents.unpublish(SHOWN_AGAIN)],
    [(query) => query.get('limit') === '1', () => contents.publish(SHOWN_AGAIN)],
    [() => true, () => contents.archive(ARCHIVED)],
  ];
  service.beforeRequest = ({ url }) => {
    const [isRequest, edit] = edits[0] ?? [];
    if (!isRequest?.(new URL(url).searchParams)) return;
    edits.shift();
    service.clock.advance(1000);
    edit?.();
  };
  const site = openSite(service);
  await site.build(COLLECTIONS, options);
  expect(edits).toEqual([]);
  service.beforeRequest = undefined;
  service.clock.advance(60_000);
  await expectArticles(service, await site.build(COLLECTIONS, options));
});

test('content of an undeclared model that appears between the count and the search for it hides nothing later', async () => {
  const service = start();
  service.contents.publish(TOPIC);
  service.clock.advance(60_000);
  const site = openSite(service);
  const editBeforeLookUp = (edit: () => void) => {
    service.beforeRequest = ({ url }) => {
      if (!new URL(url).searchParams.get('select')?.startsWith('_id,_model')) return;
      service.beforeRequest = undefined;
      service.clock.advance(1000);
      edit();
    };
  };
  editBeforeLookUp(() => service.contents.unpublish(TOPIC));
  await site.build(COLLECTIONS, options);
  expect(service.beforeRequest).toBeUndefined();
  service.clock.advance(60_000);
  editBeforeLookUp(() => service.contents.publish(TOPIC));
  await site.build(COLLECTIONS, options);
  expect(service.beforeRequest).toBeUndefined();

  change(service, (contents) => contents.archive(OTHER));
  await expectArticles(service, await site.build(COLLECTIONS, options));
});

test('content of an undeclared model that is archived is missed by no build, where the service orders equal times at random', async () => {
  const service = start({ tieOrder: 'shuffled' });
  // More than the heads show, in one second.
  for (let id = 3000; id < 3130; id++)
    service.contents.create({ id, model: 'note', published: { ja: { title: `n${id}` } } });
  service.clock.advance(60_000);
  const site = openSite(service);
  await site.build(COLLECTIONS, options);
  change(service, (contents) => contents.archive(OTHER));
  await expectArticles(service, await site.build(COLLECTIONS, options));
});

test('content of an undeclared model that is restored with a new time is found, and other that was archived is not', async () => {
  const { service, site } = await startArchived({ restoreTouchesUpdatedAt: true });
  change(service, (contents) => contents.edit(1001, { title: 'edited' }));
  await site.buildTwice(COLLECTIONS, options);
  change(service, (contents) => {
    contents.archive(OTHER);
    contents.restore(TOPIC);
  });
  await expectArticles(service, await site.build(COLLECTIONS, options));
});

test('content of an undeclared model that is restored is found, even if other such content was created before', async () => {
  const { service, site } = await startArchived();
  change(service, (contents) => contents.create({ model: 'topic', published: { ja: { name: 'new' } } }));
  await expectArticles(service, await site.build(COLLECTIONS, options));
  change(service, (contents) => contents.restore(TOPIC));
  await expectArticles(service, await site.build(COLLECTIONS, options));
});

test('content of an undeclared model that is restored is found, even if such content was created continuously before', async () => {
  const { service, site } = await startArchived();
  service.clock.advance(60_000);
  service.contents.edit(1001, { title: 'edited' });
  service.beforeRequest = () => {
    service.clock.advance(1000);
    service.contents.create({ model: 'topic', published: { ja: { name: 'new' } } });
  };
  await site.build(COLLECTIONS, options);
  service.beforeRequest = undefined;
  change(service, (contents) => contents.restore(TOPIC));
  await expectArticles(service, await site.build(COLLECTIONS, options));
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

  test.each(SHOWN)(
    'is its id if its model is no longer declared and it was %s',
    async (_name, hide, show) => {
      const service = start();
      service.contents.publish(TOPIC);
      hide(service.contents);
      service.clock.advance(60_000);
      const site = openSite(service);
      await site.buildTwice(COLLECTIONS, { ...options, models: WITH_TOPIC });
      change(service, show);
      await expectArticles(service, await site.build(COLLECTIONS, options));
      await expectArticles(service, await site.build(COLLECTIONS, options));
    },
  );
});
