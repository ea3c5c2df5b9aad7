import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { targetOf } from '../../../src/replica/store/journal.ts';
import { readReferrers } from '../../../src/replica/sync/referrers.ts';
import type { SyncSession } from '../../../src/replica/sync/session.ts';
import { itemsOf, openSpace, published, type SeedItem, type Space } from '../session-space.ts';
import { at, content } from '../wire-items.ts';

const MODELS = {
  author: { name: field.text({ title: true }) },
  article: { title: field.text({ title: true }), author: field.reference('author') },
  page: { title: field.text({ title: true }), to: field.reference() },
} satisfies ModelMap;

/** The author that appears: created at second 50. */
const AUTHOR = content(50, { _model: 'author', _created_at: at(50) });

/** Some content, read in full by the sync before; it has no author 50 yet. */
async function openRead(contents: readonly SeedItem[], models: ModelMap = MODELS): Promise<Space> {
  const space = openSpace(models, contents);
  await space.sync();
  return space;
}

/** The items that are read again, by requests. */
async function readAgain(space: Space, session: SyncSession): Promise<string[]> {
  return space.requests(() => readReferrers(session));
}

function createAuthor(space: Space, id = 50): void {
  const names = { ja: { name: 'B' }, en: { name: 'B' } };
  space.service.contents.create({ id, model: 'author', created_at: at(id), published: names });
}

/** A session in which the author appeared. */
function openAppeared(space: Space, options: Parameters<Space['open']>[0] = {}): SyncSession {
  createAuthor(space);
  const session = space.open(options);
  session.visibility.markAppeared([AUTHOR]);
  return session;
}

/** Options of a session after one that left an item unconfirmed. */
async function leftUnconfirmed(space: Space, id: number, lang?: string) {
  const item = (await itemsOf(space.open({ lang }))).get(id) as WireContent;
  const unconfirmed = { items: [targetOf(item)], models: [] };
  return { manifest: { ...space.stored(lang), unconfirmed } };
}

describe('when an author appears', () => {
  test('articles with an empty author are read again, by id, together with it', async () => {
    const space = await openRead([
      published('author', 1, { name: 'A' }),
      published('article', 60, { title: 'without' }),
      published('article', 61, { title: 'with', author: 1 }),
      published('article', 62, { title: 'without' }),
    ]);
    expect(await readAgain(space, openAppeared(space))).toEqual(['items 60,62,50']);
  });

  test('their new versions are stored', async () => {
    const space = await openRead([published('article', 60, { title: 'article' })]);
    const session = openAppeared(space);
    space.service.contents.edit(60, { author: 50 });
    await readReferrers(session);
    expect((await itemsOf(session)).get(60)).toMatchObject({ author: 50 });
    expect(session.visibility.changed).toEqual([[60, 'article', Date.parse(at(60))]]);
  });

  test('nothing is read if every field has a value', async () => {
    const space = await openRead([
      published('author', 1, { name: 'A' }),
      published('article', 60, { title: 'with', author: 1 }),
    ]);
    expect(await readAgain(space, openAppeared(space))).toEqual([]);
  });

  test('items that are older than the author are not read', async () => {
    const space = await openRead([
      published('article', 49, { title: 'before' }),
      published('article', 51, { title: 'same second', author: null }, { created_at: at(50) }),
      published('article', 10, { title: 'edited later' }, { updated_at: at(55) }),
      published('article', 11, { title: 'published later' }, { last_published_at: at(55) }),
    ]);
    expect(await readAgain(space, openAppeared(space))).toEqual(['items 10,11,51,50']);
  });

  test('drafts are read even if their times are older', async () => {
    const space = openSpace(MODELS, [
      { id: 2, model: 'article', created_at: at(2), draft: { ja: { title: 'draft' } } },
      published('article', 3, { title: 'published' }),
      {
        ...published('article', 4, { title: 'both' }),
        updated_at: at(4),
        draft: { ja: { title: 'changed' } },
      },
    ]);
    await space.sync({ apiKey: 'drafts' });
    const session = openAppeared(space, { apiKey: 'drafts' });
    expect(await readAgain(space, session)).toEqual(['items 2,4,50']);
  });

  test('untyped fields accept it, fields for another model do not', async () => {
    const models = {
      author: MODELS.author,
      page: MODELS.page,
      team: { name: field.text({ title: true }), lead: field.reference('team') },
    };
    const space = await openRead(
      [published('page', 60, { title: 'page' }), published('team', 61, { name: 'team' })],
      models,
    );
    expect(await readAgain(space, openAppeared(space))).toEqual(['items 60,50']);
  });

  test('of several fields only the empty ones count', async () => {
    const models = {
      author: MODELS.author,
      article: { ...MODELS.article, next: field.reference('article') },
      mixed: { title: field.text({ title: true }), by: field.reference('author'), to: field.reference() },
    };
    const space = await openRead(
      [
        published('author', 1, { name: 'A' }),
        published('article', 60, { title: 'next is empty', author: 1 }),
        published('mixed', 61, { title: 'full', by: 1, to: 1 }),
        published('mixed', 62, { title: 'by is empty', to: 1 }),
        published('mixed', 63, { title: 'to is empty', by: 1 }),
      ],
      models,
    );
    expect(await readAgain(space, openAppeared(space))).toEqual(['items 62,63,50']);
  });

  test('models with no field for it are not read from the cache', async () => {
    const space = await openRead([
      published('author', 1, { name: 'A' }),
      published('article', 2, { title: 'B' }),
    ]);
    const session = openAppeared(space);
    const copy = session.groupOf('author').tableOf('author');
    copy.all = () => Promise.reject(new Error('not needed'));
    await readReferrers(session);
  });
});

test('an item does not refer to itself', async () => {
  const models = { team: { name: field.text({ title: true }), lead: field.reference('team') } };
  const space = await openRead(
    [published('team', 60, { name: 'A' }), published('team', 61, { name: 'B' })],
    models,
  );
  const session = space.open();
  session.visibility.markAppeared([content(60, { _model: 'team', _created_at: at(60) })]);
  expect(await readAgain(space, session)).toEqual(['items 61,60']);
});

test('nothing is read if nothing appeared, changed or was read on its own', async () => {
  const space = await openRead([published('article', 60, { title: 'article' })]);
  const session = space.open();
  const copy = session.groupOf('article').tableOf('article');
  copy.all = () => Promise.reject(new Error('not needed'));
  expect(await readAgain(space, session)).toEqual([]);
});

describe('an item that was read in this sync', () => {
  const edited = (id: number) => content(id, { _created_at: at(id), _updated_at: at(70), author: null });

  test('is not read again if one response contained it and the author', async () => {
    const space = await openRead([60, 61].map((id) => published('article', id, { title: 'article' })));
    const session = openAppeared(space);
    await session.put({ item: edited(60), seenWith: [new Set([60]), new Set([60, 50])] });
    expect(await readAgain(space, session)).toEqual(['items 61,50']);
  });

  test('is read again if one of two authors was not in the same response', async () => {
    const space = await openRead([published('article', 60, { title: 'article' })]);
    const session = openAppeared(space);
    createAuthor(space, 51);
    session.visibility.markAppeared([content(51, { _model: 'author', _created_at: at(51) })]);
    await session.put({ item: edited(60), seenWith: [new Set([60, 50])] });
    expect(await readAgain(space, session)).toEqual(['items 60,50,51']);
  });

  test('is read again if an author changed that may have been hidden when it was read; others are not', async () => {
    const space = await openRead([
      published('author', 50, { name: 'A' }),
      ...[60, 61].map((id) => published('article', id, { title: 'article' })),
    ]);
    const session = space.open();
    await session.put({ item: edited(60), seenWith: [new Set([60])] });
    await session.put({ item: { ...AUTHOR, name: 'B' }, seenWith: [new Set([50])] });
    expect(session.visibility.appeared).toEqual([]);
    expect(session.visibility.changed).toHaveLength(2);
    expect(await readAgain(space, session)).toEqual(['items 60']);
  });
});

test('items with an empty field of a model that was read on its own are read again, whatever their times are', async () => {
  const space = await openRead([
    published('author', 1, { name: 'A' }),
    published('article', 2, { title: 'without' }),
    published('article', 3, { title: 'with', author: 1 }),
    published('page', 4, { title: 'without' }),
    published('page', 5, { title: 'with', to: 1 }),
  ]);
  const session = space.open();
  session.visibility.unprovenModels.add('article');
  expect(await readAgain(space, session)).toEqual(['items 2']);
  const other = space.open();
  other.visibility.unprovenModels.add('page').add('author');
  expect(await readAgain(space, other)).toEqual(['items 4']);
});

test('up to 300 items of a model that was read on its own are read again, and all stay unconfirmed', async () => {
  const articles = Array.from({ length: 301 }, (_, n) => published('article', 60 + n, { title: 'article' }));
  const some = await openRead(articles.slice(1));
  const session = some.open();
  session.visibility.unprovenModels.add('article');
  expect(await readAgain(some, session)).toHaveLength(3);
  expect(session.visibility.unconfirmed.size).toBe(300);

  const many = await openRead(articles);
  const other = many.open();
  other.visibility.unprovenModels.add('article');
  expect(await readAgain(many, other)).toEqual([]);
  expect(other.visibility.unconfirmed.size).toBe(301);
});

test('more than 100 items are read in requests of 100, each with the author', async () => {
  const space = await openRead(
    Array.from({ length: 101 }, (_, n) => published('article', 60 + n, { title: 'article' })),
  );
  const requests = await readAgain(space, openAppeared(space));
  expect(requests.map((request) => request.split(',').length)).toEqual([100, 3]);
  for (const request of requests) expect(request).toMatch(/,50$/);
});

describe('a response', () => {
  const contents = [published('article', 60, { title: 'article' })];
  const unconfirmed = (session: SyncSession) => [...session.visibility.unconfirmed.keys()];

  /** Hides the author while so many of the first requests are served. */
  function hideAuthor({ service }: Space, times: number): void {
    let requests = 0;
    service.beforeRequest = () => {
      if (requests === 0 && times > 0) service.contents.archive(50);
      if (requests === times && times > 0) service.contents.restore(50);
      requests += 1;
    };
  }

  test('with the author proves that a reference is empty', async () => {
    const space = await openRead(contents);
    const session = openAppeared(space, await leftUnconfirmed(space, 60));
    expect(await readAgain(space, session)).toEqual(['items 60,50']);
    expect(unconfirmed(session)).toEqual([]);
  });

  test('proves nothing about an item that was first read in the same sync', async () => {
    const space = await openRead(contents);
    const session = openAppeared(space);
    session.visibility.markUnconfirmed((await itemsOf(session)).get(60) as WireContent);
    expect(await readAgain(space, session)).toEqual(['items 60,50']);
    expect(unconfirmed(session)).toEqual([60]);
  });

  test('without the author is not used: the request is repeated', async () => {
    const space = await openRead(contents);
    const session = openAppeared(space);
    space.service.contents.edit(60, { author: 50 });
    hideAuthor(space, 2);
    expect(await readAgain(space, session)).toEqual(['items 60,50', 'items 60,50', 'items 60,50']);
    expect((await itemsOf(session)).get(60)).toMatchObject({ author: 50 });
  });

  test('without the author is used at the third attempt, and leaves items unconfirmed', async () => {
    const space = await openRead(contents);
    const session = openAppeared(space);
    hideAuthor(space, 9);
    expect(await readAgain(space, session)).toEqual(['items 60,50', 'items 60,50', 'items 60,50']);
    expect(unconfirmed(session)).toEqual([60]);
  });

  test('is not requested with more than 20 authors, and then proves nothing', async () => {
    for (const count of [20, 21]) {
      const space = await openRead(contents);
      const session = space.open();
      for (let id = 31; id < 31 + count; id++) {
        createAuthor(space, id);
        session.visibility.markAppeared([content(id, { _model: 'author', _created_at: at(id) })]);
      }
      const requests = await readAgain(space, session);
      expect(requests.map((request) => request.split(',').length)).toEqual([count === 20 ? 21 : 1]);
      expect(unconfirmed(session)).toEqual(count === 20 ? [] : [60]);
    }
  });

  test('cannot contain content in other formats or of undeclared models, and then proves nothing', async () => {
    const models = {
      page: { ...MODELS.page, body: field.flexibleText() },
      author: { body: field.flexibleText({ format: 'markdown' }) },
    };
    for (const model of ['author', 'undeclared']) {
      const space = await openRead([published('page', 60, { title: 'page' })], models);
      const session = space.open();
      session.visibility.markAppeared([content(50, { _model: model, _created_at: at(50) })]);
      expect(await readAgain(space, session)).toEqual(['items 60']);
      expect(unconfirmed(session)).toEqual([60]);
    }
  });
});

describe('an item that lost a reference while it was read again', () => {
  const models = {
    author: MODELS.author,
    article: { ...MODELS.article, editor: field.reference('author') },
  };
  const contents = [
    published('author', 1, { name: 'A' }),
    published('article', 60, { title: 'article', author: 1 }),
    published('article', 61, { title: 'other' }),
  ];

  /** Hides the author while so many of the first requests for items are served. */
  function hideDuring(space: Space, times: number): void {
    const { contents: items } = space.service;
    let left = times;
    let isHidden = false;
    space.service.beforeRequest = ({ url }) => {
      const isForItems = url.includes('_id%5Bin%5D') && !url.includes('select=');
      const hide = isForItems && left-- > 0;
      if (hide === isHidden) return;
      isHidden = hide;
      if (hide) items.archive(1);
      else items.restore(1);
    };
  }

  const authorOf = async (session: SyncSession) => ((await itemsOf(session)).get(60) as WireContent).author;

  test('is read once more, if what it referred to exists', async () => {
    const space = await openRead(contents, models);
    const session = openAppeared(space);
    hideDuring(space, 1);
    expect(await readAgain(space, session)).toEqual(['items 60,61,50', 'models of 1', 'items 60,50']);
    expect(await authorOf(session)).toBe(1);
  });

  test('is read three times at most, and then accepted as it is', async () => {
    const space = await openRead(contents, models);
    const session = openAppeared(space);
    hideDuring(space, 9);
    expect(await readAgain(space, session)).toEqual([
      'items 60,61,50',
      'models of 1',
      'items 60,50',
      'models of 1',
      'items 60,50',
      'models of 1',
    ]);
    expect(await authorOf(session)).toBeNull();
  });

  test('is accepted as it is, if what it referred to no longer exists', async () => {
    const space = await openRead(contents, models);
    const session = openAppeared(space);
    space.service.contents.archive(1);
    expect(await readAgain(space, session)).toEqual(['items 60,61,50', 'models of 1']);
    expect(await authorOf(session)).toBeNull();
  });

  test('is accepted as it is, if it was edited', async () => {
    const space = await openRead(contents, models);
    const session = openAppeared(space);
    space.service.contents.edit(60, { author: null });
    expect(await readAgain(space, session)).toEqual(['items 60,61,50']);
    expect(await authorOf(session)).toBeNull();
  });

  test('is looked up in its language and the main one', async () => {
    const space = openSpace(models, [
      published('author', 1, { name: 'A' }),
      { ...published('article', 60, {}), published: { ja: { title: 'a' }, en: { title: 'a', author: 1 } } },
    ]);
    await space.sync();
    await space.sync({ lang: 'en' });
    const session = openAppeared(space, { lang: 'en' });
    space.service.contents.archive(1);
    const requests = await readAgain(space, session);
    expect(requests).toEqual(['items 60 in en', 'models of 1 in en', 'models of 1']);
  });

  test('is the only item that is looked up', async () => {
    const space = await openRead(contents, models);
    const session = openAppeared(space);
    expect(await readAgain(space, session)).toEqual(['items 60,61,50']);
    expect(session.visibility.changed).toEqual([]);
  });

  test('is not looked up if it lost media', async () => {
    const withCover = { ...models, article: { ...models.article, cover: field.media() } };
    const space = await openRead(contents, withCover);
    const before = space.open({ models: withCover });
    const known = (await itemsOf(before)).get(60) as WireContent;
    await before.put({ item: { ...known, cover: { url: '/a.jpg', alt: '' } } });
    await space.store(before);
    const session = openAppeared(space);
    expect(await readAgain(space, session)).toEqual(['items 60,61,50']);
    expect((await itemsOf(session)).get(60)).toMatchObject({ cover: null });
  });

  test('is looked up together with others, each id once', async () => {
    const space = await openRead([...contents, published('article', 62, { title: 'b', author: 1 })], models);
    const session = openAppeared(space);
    space.service.contents.archive(1);
    expect(await readAgain(space, session)).toEqual(['items 60,61,62,50', 'models of 1']);
  });
});

describe('when undeclared content appears', () => {
  const models = {
    author: MODELS.author,
    article: MODELS.article,
    page: { ...MODELS.page, author: field.reference('author') },
  };
  const contents = [
    published('author', 1, { name: 'A' }),
    published('article', 3, { title: 'article' }),
    published('page', 4, { title: 'empty' }),
    published('page', 5, { title: 'without an author', to: 1 }),
  ];

  test('items are read again whose empty field may lead to it, however old they are', async () => {
    const space = await openRead(contents, models);
    const session = space.open();
    session.visibility.undeclaredAppeared = true;
    expect(await readAgain(space, session)).toEqual(['items 4']);
    expect([...session.visibility.unconfirmed.keys()]).toEqual([4]);
  });

  test('after a full read that could not prove its absence, they are read twice', async () => {
    const readWith = async (total: number | null, unproven: string[]) => {
      const space = await openRead(contents, models);
      const session = space.open();
      session.undeclared.total = total;
      for (const model of unproven) session.visibility.unprovenForUndeclared.add(model);
      return readAgain(space, session);
    };
    expect(await readWith(1, ['page'])).toEqual(['items 4']);
    expect(await readWith(null, ['page'])).toEqual(['items 4']);
    expect(await readWith(0, ['page'])).toEqual([]);
    expect(await readWith(1, [])).toEqual([]);
  });
});

describe('of several targets', () => {
  const tag = { name: field.text({ title: true }) };
  const models = {
    author: MODELS.author,
    tag,
    article: { ...MODELS.article, tag: field.reference('tag') },
  };

  test('those that an empty field does not accept are no reason, nor those that are younger', async () => {
    const space = await openRead(
      [published('author', 1, { name: 'A' }), published('article', 3, { title: 'a', author: 1 })],
      models,
    );
    const session = space.open();
    session.visibility.markAppeared([
      content(2, { _model: 'author', _created_at: at(2) }),
      content(50, { _model: 'tag', _created_at: at(50) }),
    ]);
    expect(await readAgain(space, session)).toEqual([]);
  });

  test('one that appeared and one that changed are both a reason', async () => {
    const space = await openRead([
      published('author', 1, { name: 'A' }),
      published('article', 60, { title: 'article' }),
    ]);
    const session = openAppeared(space);
    const [known, article] = [(await itemsOf(session)).get(1), (await itemsOf(session)).get(60)];
    await session.put({ item: { ...(article as WireContent), title: 'just read' } });
    session.visibility.markChanged(known as WireContent);
    expect(await readAgain(space, session)).toEqual(['items 60,50']);
  });
});

describe('an item that is read again', () => {
  test('may be gone', async () => {
    const space = await openRead([published('article', 60, { title: 'article' })]);
    const session = openAppeared(space);
    space.service.contents.archive(60);
    expect(await readAgain(space, session)).toEqual(['items 60,50']);
    expect(session.count).toBe(1);
  });

  test('was seen with what is in the same response', async () => {
    const space = await openRead([published('article', 60, { title: 'article' })]);
    const session = openAppeared(space);
    space.service.contents.edit(60, { title: 'edited' });
    await readReferrers(session);
    const article = (await itemsOf(session)).get(60) as WireContent;
    expect(session.visibility.wasSeenWith(article, 50)).toBe(true);
    expect(session.visibility.wasSeenWith(article, 1)).toBe(false);
  });

  test('and gained a reference has lost none', async () => {
    const space = await openRead([
      { id: 50, model: 'author', created_at: at(50), draft: { ja: { name: 'draft' } } },
      published('article', 60, { title: 'article', author: 50 }),
    ]);
    space.service.contents.publish(50);
    const session = space.open();
    session.visibility.markAppeared([AUTHOR]);
    expect(await readAgain(space, session)).toEqual(['items 60,50']);
    expect((await itemsOf(session)).get(60)).toMatchObject({ author: 50 });
  });

  test('in another language stays confirmed, if only what changed was a reason', async () => {
    const both = (model: string, id: number, values: object) => ({
      ...published(model, id, values),
      published: { ja: values, en: values },
    });
    const space = await openRead([both('author', 1, { name: 'A' }), both('article', 60, { title: 'a' })]);
    await space.sync({ lang: 'en' });
    const session = space.open({ lang: 'en', ...(await leftUnconfirmed(space, 60, 'en')) });
    expect([...session.visibility.unconfirmed.keys()]).toEqual([60]);
    session.visibility.markChanged((await itemsOf(session)).get(1) as WireContent);
    expect(await readAgain(space, session)).toEqual(['items 60 in en']);
    expect([...session.visibility.unconfirmed.keys()]).toEqual([]);
  });
});

test('an item that lost one reference for a moment, and another for good, is read once more', async () => {
  const people = { author: field.reference('author'), editor: field.reference('author') };
  const models = {
    author: MODELS.author,
    article: { ...MODELS.article, ...people, reviewer: field.reference('author') },
  };
  const space = await openRead(
    [
      published('author', 1, { name: 'A' }),
      published('author', 2, { name: 'B' }),
      published('article', 60, { title: 'article', author: 1, editor: 2 }),
    ],
    models,
  );
  const session = openAppeared(space);
  const { contents } = space.service;
  contents.archive(1);
  contents.archive(2);
  let requests = 0;
  space.service.beforeRequest = () => {
    if (requests++ === 1) contents.restore(1);
  };
  expect(await readAgain(space, session)).toEqual([
    'items 60,50',
    'models of 1,2',
    'items 60,50',
    'models of 2',
  ]);
  expect((await itemsOf(session)).get(60)).toMatchObject({ author: 1, editor: null });
});
