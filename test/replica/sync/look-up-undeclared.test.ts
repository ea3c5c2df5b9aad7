import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { readHeads } from '../../../src/replica/read/heads.ts';
import { lookUpUndeclared } from '../../../src/replica/sync/look-up-undeclared.ts';
import type { SyncSession } from '../../../src/replica/sync/session.ts';
import { openSpace, published, type SeedItem, type Space } from '../session-space.ts';
import { at, content } from '../wire-items.ts';

const MODELS = {
  author: { name: field.text({ title: true }) },
  article: { title: field.text({ title: true }), author: field.reference('author') },
  page: {
    title: field.text({ title: true }),
    to: field.reference(),
    links: field.repeat({ to: field.reference() }),
    by: field.reference('author'),
    cover: field.media(),
  },
} satisfies ModelMap;
/** The service has a model that the map lacks. */
const SERVICE = { ...MODELS, secret: { name: field.text({ title: true }) } };
const NOWHERE = 999;

const secret = (id: number, languages: object = {}): SeedItem =>
  published('secret', id, {}, { published: { ja: { name: 'secret' }, ...languages } });

function open(contents: readonly SeedItem[]): Space {
  return openSpace(MODELS, contents, { serviceModels: SERVICE });
}

async function openRead(contents: readonly SeedItem[]): Promise<Space> {
  const space = open(contents);
  await space.sync();
  return space;
}

/** Looks up after the heads were read, and returns the requests. */
async function lookUp(space: Space, session: SyncSession): Promise<string[]> {
  const heads = await readHeads(session.headsSource);
  return space.requests(() => lookUpUndeclared(session, heads));
}
const FRESH_HEADS = ['_updated_at', '_last_published_at'].map(
  (time) => `newest by ${time} bypassing the CDN`,
);
const found = ({ undeclared }: SyncSession) => [[...undeclared.ids], [...undeclared.idsInMain]];

/** A page that refers to something, edited at a later second than any other. */
const page = (id: number, to: number | null) =>
  content(id, { _model: 'page', _created_at: at(id), _updated_at: at(100), to });

describe('an untyped reference of an item that was read', () => {
  test('is looked up if it does not lead to declared content', async () => {
    const space = await openRead([
      secret(7),
      published('author', 1, { name: 'A' }),
      published('page', 2, { title: 'p' }),
    ]);
    const session = space.open();
    await session.put({ item: page(2, 7) });
    expect(await lookUp(space, session)).toEqual(['models of 7']);
    expect(found(session)).toEqual([[7], []]);
  });

  test('is looked up at any depth, and with all others in one request', async () => {
    const space = open([
      secret(7),
      secret(8),
      secret(9),
      published('page', 2, { title: 'p', to: 9, links: [{ to: 7 }, { to: 8 }] }),
    ]);
    const requests = await space.requests(() => space.sync());
    expect(requests.filter((request) => request.startsWith('models of'))).toEqual(['models of 7,8,9']);
    expect(space.stored().undeclared).toEqual([7, 8, 9]);
  });

  test('is not looked up if it leads to declared content', async () => {
    const space = await openRead([
      published('author', 1, { name: 'A' }),
      published('page', 2, { title: 'p' }),
    ]);
    const session = space.open();
    await session.put({ item: page(2, 1) });
    expect(await lookUp(space, session)).toEqual([]);
    expect(found(session)).toEqual([[], []]);
  });

  test('is not undeclared content if it is dangling', async () => {
    const space = await openRead([published('page', 2, { title: 'p' })]);
    const session = space.open();
    await session.put({ item: page(2, NOWHERE) });
    expect(await lookUp(space, session)).toEqual([`models of ${NOWHERE}`]);
    expect(found(session)).toEqual([[], []]);
  });

  test('is not undeclared content if it leads to declared content that is not in the replica', async () => {
    const space = await openRead([published('page', 2, { title: 'p' })]);
    space.service.contents.create({ id: 50, model: 'author', published: { ja: { name: 'new' } } });
    const session = space.open();
    await session.put({ item: page(2, 50) });
    expect(await lookUp(space, session)).toEqual(['models of 50']);
    expect(found(session)).toEqual([[], []]);
  });

  test('is looked up in requests of 100', async () => {
    const space = await openRead([published('page', 2, { title: 'p' })]);
    const session = space.open();
    const links = Array.from({ length: 101 }, (_, n) => ({ to: 1000 + n }));
    await session.put({ item: { ...page(2, null), links } });
    const requests = await lookUp(space, session);
    expect(requests.map((request) => request.split(',').length)).toEqual([100, 1]);
  });
});

test('a new item is inspected too', async () => {
  const space = await openRead([secret(7), published('page', 2, { title: 'p' })]);
  const session = space.open();
  await session.put({ item: page(3, 7) });
  expect(await lookUp(space, session)).toEqual(['models of 7']);
});

test('typed references are not looked up', async () => {
  const space = await openRead([
    published('article', 2, { title: 'a' }),
    published('page', 3, { title: 'p' }),
  ]);
  const session = space.open();
  await session.put({ item: content(2, { _created_at: at(2), author: NOWHERE, to: NOWHERE }) });
  session.undeclared.hasMoved = true;
  expect(await lookUp(space, session)).toEqual([]);
});

test('typed references, media and embedded content of the same item are not looked up', async () => {
  const space = await openRead([secret(7), published('page', 2, { title: 'p' })]);
  const session = space.open();
  const links = [{ to: { _id: 998 } }];
  const cover = { url: '/a.jpg', alt: '' };
  await session.put({ item: { ...page(2, 7), by: NOWHERE, links, cover } });
  expect(await lookUp(space, session)).toEqual(['models of 7']);
});

describe('a reference that is known to lead to undeclared content', () => {
  const contents = [
    secret(7),
    secret(8),
    published('page', 2, { title: 'p', to: 7 }),
    published('page', 3, { title: 'q' }),
  ];

  test('is not looked up again', async () => {
    const space = await openRead(contents);
    const session = space.open();
    await session.put({ item: page(3, 7) });
    expect(await lookUp(space, session)).toEqual([]);
    expect(found(session)).toEqual([[7], []]);
  });

  test('is looked up again by a read without heads, even if nothing refers to it any more', async () => {
    const space = await openRead(contents);
    space.service.contents.archive(7);
    const session = space.open();
    await session.put({ item: page(2, null) });
    expect(await space.requests(() => lookUpUndeclared(session, undefined))).toEqual(['models of 7']);
    expect(found(session)).toEqual([[], []]);
  });

  test('is looked up again if undeclared content appeared or disappeared', async () => {
    const space = await openRead(contents);
    space.service.contents.archive(7);
    const session = space.open();
    session.undeclared.hasMoved = true;
    expect(await lookUp(space, session)).toEqual(['models of 7']);
    expect(found(session)).toEqual([[], []]);
  });

  test('is looked up again then, even if no item refers to it any more', async () => {
    const space = await openRead(contents);
    const session = space.open();
    await session.put({ item: page(2, null) });
    session.undeclared.hasMoved = true;
    expect(await lookUp(space, session)).toEqual(['models of 7']);
    expect(found(session)).toEqual([[7], []]);
  });

  test('is forgotten if it now leads to declared content', async () => {
    const space = await openRead(contents);
    const session = space.open();
    await session.put({ item: content(7, { _model: 'author', _created_at: at(7) }) });
    await session.put({ item: page(3, 8) });
    session.undeclared.idsInMain.add(7);
    expect(await lookUp(space, session)).toEqual(['models of 8']);
    expect(found(session)).toEqual([[8], []]);
  });
});

test('a dangling reference is looked up again if undeclared content appeared', async () => {
  const space = await openRead([published('page', 2, { title: 'p' }), published('page', 3, { title: 'p' })]);
  const first = space.open();
  await first.put({ item: page(2, 7) });
  await lookUpUndeclared(first, undefined);
  await space.store(first);
  const second = space.open();
  await lookUpUndeclared(second, undefined);
  await space.store(second);
  space.service.contents.create({ id: 7, model: 'secret', published: { ja: { name: 'new' } } });

  const unaware = space.open();
  expect(await lookUp(space, unaware)).toEqual([]);
  const session = space.open();
  session.undeclared.hasMoved = true;
  expect(await lookUp(space, session)).toEqual(['models of 7']);
  expect(found(session)).toEqual([[7], []]);
});

describe('a reference that was looked up and not found', () => {
  async function storeMissing(contents: Parameters<typeof openRead>[0] = []) {
    const space = await openRead([published('page', 2, { title: 'p' }), ...contents]);
    const session = space.open();
    await session.put({ item: page(2, 7) });
    await lookUpUndeclared(session, undefined);
    await space.store(session);
    return space;
  }

  test('is looked up once more by the next sync, even if nothing changed', async () => {
    const { undeclaredMissing } = (await storeMissing()).stored();
    expect(undeclaredMissing).toEqual([7]);
    const space = await openRead([published('page', 2, { title: 'p' })]);
    const session = space.open({ manifest: { ...space.stored(), undeclaredMissing } });
    expect(await lookUp(space, session)).toEqual(['models of 7', ...FRESH_HEADS]);
    await space.store(session);
    expect(space.stored().undeclaredMissing).toEqual([]);
    expect(await lookUp(space, space.open())).toEqual([]);
  });

  test('stays missing while the service shows something else than is known', async () => {
    const space = await storeMissing();
    const session = space.open();
    const heads = await readHeads(session.headsSource);
    space.service.contents.create({ id: 8, model: 'secret', published: { ja: { name: 'new' } } });
    await lookUpUndeclared(session, heads);
    expect([...session.undeclared.missing]).toEqual([7]);
  });

  test('may have been hidden only then', async () => {
    const space = await storeMissing();
    space.service.contents.create({ id: 7, model: 'secret', published: { ja: { name: 'new' } } });
    const session = space.open();
    await lookUpUndeclared(session, undefined);
    expect(found(session)).toEqual([[7], []]);
  });
});

describe('undeclared content that is found', () => {
  /** Looks up the target 7 of a page with the heads that are read before `change`. */
  async function lookUpAfter(change: (space: Space) => void, contents: readonly SeedItem[] = []) {
    const space = await openRead([published('page', 2, { title: 'p' }), ...contents]);
    const session = space.open();
    const heads = await readHeads(session.headsSource, { bypassCdn: true });
    change(space);
    await session.put({ item: page(2, 7) });
    await lookUpUndeclared(session, heads);
    return session.undeclared;
  }

  test('is not missing if the heads show it', async () => {
    const undeclared = await lookUpAfter(() => {}, [secret(7)]);
    expect([[...undeclared.ids], [...undeclared.missing]]).toEqual([[7], []]);
  });

  test('is known, but counts as missing if it appeared after the heads', async () => {
    const undeclared = await lookUpAfter(({ service }) => {
      service.contents.create({ id: 7, model: 'secret', published: { ja: { name: 'new' } } });
    });
    expect([[...undeclared.ids], [...undeclared.missing]]).toEqual([[7], [7]]);
  });

  test('is not missing if it is declared', async () => {
    const undeclared = await lookUpAfter(({ service }) => {
      service.contents.create({ id: 7, model: 'author', published: { ja: { name: 'new' } } });
    });
    expect([[...undeclared.ids], [...undeclared.missing]]).toEqual([[], []]);
  });

  test('is not missing without heads to compare with', async () => {
    const space = await openRead([published('page', 2, { title: 'p' })]);
    space.service.contents.create({ id: 7, model: 'secret', published: { ja: { name: 'new' } } });
    const session = space.open();
    await session.put({ item: page(2, 7) });
    await lookUpUndeclared(session, undefined);
    expect([...session.undeclared.missing]).toEqual([]);
  });
});

test('with another model map every item is inspected, and only unknown ids are looked up', async () => {
  const space = await openRead([secret(7), secret(8), published('page', 2, { title: 'p', to: 7 })]);
  const session = space.open({
    modelMapChanged: true,
    manifest: { ...space.stored(), undeclared: [8] },
  });
  expect(await lookUp(space, session)).toEqual(['models of 7']);
  expect(found(session)).toEqual([[8, 7], []]);
});

test('all items of a model that was read in full are inspected', async () => {
  const space = await openRead([secret(7), published('page', 2, { title: 'p', to: 7 })]);
  const session = space.open({ manifest: { ...space.stored(), undeclared: [] } });
  session.groupOf('page').fullyRead.add('page');
  expect(await lookUp(space, session)).toEqual(['models of 7']);
});

test('known references are looked up again if something was read in full', async () => {
  const space = await openRead([secret(7), secret(8), published('page', 2, { title: 'p', to: 7 })]);
  space.service.contents.archive(7);
  const session = space.open();
  session.groupOf('page').fullyRead.add('page');
  expect(await lookUp(space, session)).toEqual(['models of 7']);
  expect(found(session)).toEqual([[], []]);
});

test('known references are looked up again even if only models in other formats were read in full', async () => {
  const models = {
    page: { ...MODELS.page, body: field.flexibleText() },
    author: { ...MODELS.author, body: field.flexibleText({ format: 'markdown' }) },
  };
  const contents = [secret(7), published('page', 2, { title: 'p', to: 7 })];
  const space = openSpace(models, contents, { serviceModels: { ...SERVICE, ...models } });
  await space.sync();
  const session = space.open({ modelMapChanged: true });
  session.groupOf('author').fullyRead.add('author');
  expect(await lookUp(space, session)).toEqual(['models of 7']);
});

test('models without untyped references are not read from the cache', async () => {
  const space = await openRead([published('author', 1, { name: 'A' }), published('page', 2, { title: 'p' })]);
  const session = space.open({ modelMapChanged: true });
  const table = session.groupOf('author').tableOf('author');
  table.all = () => Promise.reject(new Error('not needed'));
  await lookUpUndeclared(session, undefined);
});

describe('in another language', () => {
  const contents = [
    secret(7, { en: { name: 'secret' } }),
    secret(8),
    published('author', 1, { name: 'A' }),
    published('page', 2, {}, { published: { ja: { title: 'p' }, en: { title: 'p' } } }),
  ];

  test('content is looked up in that language and in the main one', async () => {
    const space = await openRead(contents);
    const session = space.open({ lang: 'en' });
    await session.put({ item: { ...page(2, 7), links: [{ to: 8 }, { to: NOWHERE }, { to: 1 }] } });
    const requests = await space.requests(() => lookUpUndeclared(session, undefined));
    expect(requests).toEqual(['models of 1,7,8,999 in en', 'models of 1,7,8,999']);
    expect(found(session)).toEqual([[7], [8]]);
    // 8 may get this language; 1 is declared, so that the replica knows when it does.
    expect([...session.undeclared.missing]).toEqual([8, NOWHERE]);
  });

  test('content that lost that language exists in the main one only', async () => {
    const space = await openRead(contents);
    const manifest = { ...space.stored('en'), undeclared: [7, 8], undeclaredInMain: [7, NOWHERE] };
    const session = space.open({ lang: 'en', manifest });
    session.undeclared.hasMoved = true;
    await lookUpUndeclared(session, undefined);
    expect(found(session)).toEqual([[7], [8]]);
  });

  test('content that is known to exist in the main language only is not looked up again', async () => {
    const space = await openRead(contents);
    const session = space.open({ lang: 'en', manifest: { ...space.stored('en'), undeclaredInMain: [8] } });
    await session.put({ item: page(2, 8) });
    expect(await lookUp(space, session)).toEqual([]);
  });
});
