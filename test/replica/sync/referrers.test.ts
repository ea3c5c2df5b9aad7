import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
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
  session.markAppeared([AUTHOR]);
  return session;
}

describe('when an author appears', () => {
  test('articles with an empty author are read again, by id, together with it', async () => {
    const space = await openRead([
      published('author', 1, { name: 'A' }),
      published('article', 60, { title: 'without' }),
      published('article', 61, { title: 'with', author: 1 }),
      published('article', 62, { title: 'without' }),
    ]);
    expect(await readAgain(space, openAppeared(space))).toEqual(['items 60,62']);
  });

  test('their new versions are stored', async () => {
    const space = await openRead([published('article', 60, { title: 'article' })]);
    const session = openAppeared(space);
    space.service.contents.edit(60, { author: 50 });
    await readReferrers(session);
    expect((await itemsOf(session)).get(60)).toMatchObject({ author: 50 });
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
    expect(await readAgain(space, openAppeared(space))).toEqual(['items 10,11,51']);
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
    expect(await readAgain(space, session)).toEqual(['items 2,4']);
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
    expect(await readAgain(space, openAppeared(space))).toEqual(['items 60']);
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
    expect(await readAgain(space, openAppeared(space))).toEqual(['items 62,63']);
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
  session.markAppeared([content(60, { _model: 'team', _created_at: at(60) })]);
  expect(await readAgain(space, session)).toEqual(['items 61']);
});

test('nothing is read if nothing appeared, changed or was read on its own', async () => {
  const space = await openRead([published('article', 60, { title: 'article' })]);
  const session = space.open();
  const copy = session.groupOf('article').tableOf('article');
  copy.all = () => Promise.reject(new Error('not needed'));
  expect(await readAgain(space, session)).toEqual([]);
});

test('more than 100 items are read in requests of 100', async () => {
  const space = await openRead(
    Array.from({ length: 101 }, (_, n) => published('article', 60 + n, { title: 'article' })),
  );
  const requests = await readAgain(space, openAppeared(space));
  expect(requests.map((request) => request.split(',').length)).toEqual([100, 1]);
});

describe('what was read again', () => {
  const openArticles = () => openRead([60, 61].map((id) => published('article', id, { title: 'article' })));

  test('is read once more by the next sync, whether it changed or not', async () => {
    const space = await openArticles();
    const session = openAppeared(space);
    space.service.contents.edit(60, { title: 'edited' });
    await readReferrers(session);
    expect([...session.toReadNextTime]).toEqual([60, 61]);
  });

  test('is read once more even if it was hidden at that moment', async () => {
    const space = await openArticles();
    const session = openAppeared(space);
    space.service.contents.archive(60);
    await readReferrers(session);
    expect([...session.toReadNextTime]).toEqual([60, 61]);
    expect((await itemsOf(session)).has(60)).toBe(true);
  });
});

test.each([
  [1000, 1000],
  [1001, 0],
])('of %i articles that did not change, %i are read once more', async (count, again) => {
  const articles = Array.from({ length: count }, (_, n) =>
    published('article', 100 + n, { title: 'article' }),
  );
  const session = openAppeared(await openRead(articles));
  await readReferrers(session);
  expect(session.toReadNextTime.size).toBe(again);
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
    session.markAppeared([
      content(2, { _model: 'author', _created_at: at(2) }),
      content(50, { _model: 'tag', _created_at: at(50) }),
    ]);
    expect(await readAgain(space, session)).toEqual([]);
  });
});
