import { describe, expect, test } from 'vitest';
import { createConnection } from '../../../src/client/http/connection.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import type { Heads } from '../../../src/replica/read/heads.ts';
import { append, journalFingerprint, startJournal } from '../../../src/replica/store/journal.ts';
import type { Manifest, StoredModel, Target } from '../../../src/replica/store/manifest.ts';
import { emptyManifest } from '../../../src/replica/store/snapshot.ts';
import { storedModelKey } from '../../../src/replica/store/stored-model-key.ts';
import { expandUnconfirmedModels } from '../../../src/replica/sync/confirm-items.ts';
import { nextManifest } from '../../../src/replica/sync/next-manifest.ts';
import type { SyncSession } from '../../../src/replica/sync/session.ts';
import { itemsOf, openSpace, published } from '../session-space.ts';
import { at, changedAt, content, second } from '../wire-items.ts';

const author = { name: field.text({ title: true }) };
const article = {
  title: field.text({ title: true }),
  author: field.reference('author'),
  cover: field.media(),
};
const page = { title: field.text({ title: true }), to: field.reference() };
const MODELS: ModelMap = { author, article };

const CONTENTS = [
  published('author', 1, { name: 'A' }),
  published('article', 2, { title: 'a', author: 1 }),
  published('article', 3, { title: 'b' }),
];

async function openRead(models: ModelMap = MODELS, contents = CONTENTS) {
  const space = openSpace(models, contents);
  await space.sync();
  return space;
}

/** An item as the service shows it, edited at second 100. */
async function edited(session: SyncSession, id: number, change: object = {}): Promise<WireContent> {
  const item = (await itemsOf(session)).get(id) as WireContent;
  return { ...item, _updated_at: at(100), ...change };
}

/** Heads whose newest item is of this second. */
function headsAt(seconds: number): Heads {
  const list = { total: 1, offset: 0, limit: 100, data: [changedAt(1, seconds)] };
  return {
    updated: list,
    published: list,
    total: 1,
    neverPublished: 4,
    bypassedCdn: true,
    ahead: second(1e6),
  };
}

const manifestOf = async (session: SyncSession) => (await nextManifest(session)).manifest;
const statesOf = ({ models }: Manifest): Record<string, StoredModel> =>
  Object.fromEntries(Object.entries(models).map(([name, state]) => [name.split('@')[0], state]));

describe('a session', () => {
  test('without a manifest knows nothing', () => {
    const session = openSpace(MODELS, []).open();
    expect(session.unread).toEqual(['author', 'article']);
    expect(session.count).toBe(0);
    expect(session.cursor).toBeUndefined();
    expect(session.isFirstSync).toBe(true);
    expect(session.countDiffered).toBe(false);
    expect(session.reached).toEqual({ kind: 'same heads as before' });
    expect(session.mainChanges.areKnown).toBe(true);
    expect(session.isMainLanguage).toBe(true);
    expect(session.modelMapChanged).toBe(false);
  });

  test('continues from what is stored', async () => {
    const space = await openRead();
    const session = space.open();
    expect(session.unread).toEqual([]);
    expect(session.count).toBe(3);
    expect(session.cursor).toEqual({ updated: second(3), published: second(3) });
    expect([...(await itemsOf(session)).keys()]).toEqual([1, 2, 3]);
    expect(session.isFirstSync).toBe(false);
  });

  test('is cached if it has a snapshot', () => {
    const space = openSpace(MODELS, []);
    expect(space.open().isCached).toBe(true);
    expect(space.open({ snapshot: undefined }).isCached).toBe(false);
  });

  test('does not know a model whose table is damaged, or that was declared differently', async () => {
    const space = await openRead();
    expect(space.open({ damagedModels: new Set(['article']) }).unread).toEqual(['article']);
    const models = { author, article: { ...article, author: field.reference() } };
    expect(space.open({ models }).unread).toEqual(['article']);
    expect(space.open({ models }).count).toBe(1);
  });

  test('continues from what is known about undeclared content', () => {
    const manifest = { ...emptyManifest(), undeclared: [4], undeclaredInMain: [5], undeclaredTotal: 6 };
    const session = openSpace(MODELS, []).open({ manifest });
    expect([...session.undeclared.ids]).toEqual([4]);
    expect([...session.undeclared.idsInMain]).toEqual([5]);
    expect(session.undeclared.total).toBe(6);
  });

  test('expects undeclared content to have appeared if the model map changed', () => {
    const space = openSpace(MODELS, []);
    expect(space.open().visibility.undeclaredAppeared).toBe(false);
    // What was declared until now, and is not any more, may be what any empty reference leads to.
    expect(space.open({ modelMapChanged: true }).visibility.undeclaredAppeared).toBe(true);
    expect(space.open({ lang: 'en' }).isMainLanguage).toBe(false);
  });

  test('knows how long ago the oldest full read was, and whether something is damaged', async () => {
    const space = await openRead();
    space.service.clock.advance(5000);
    expect(space.open()).toMatchObject({ age: 5000, isDamaged: false });
    expect(space.open({ damaged: true }).isDamaged).toBe(true);
    expect(space.open({ damagedModels: new Set(['author']) }).isDamaged).toBe(true);
    expect(openSpace(MODELS, []).open().age).toBeUndefined();
  });

  test('watches undeclared content if a reference may lead to it', () => {
    expect(openSpace(MODELS, []).open().tracksUndeclared).toBe(false);
    const session = openSpace({ author, page }, []).open();
    expect(session.tracksUndeclared).toBe(true);
    expect(session.headsModels).toBe('all');
    expect(openSpace({ author, page }, []).open({ lang: 'en' }).tracksUndeclared).toBe(false);
  });

  test('has a group for each set of formats, and knows the group of a model', () => {
    const html = { body: field.flexibleText() };
    const markdown = { body: field.flexibleText({ format: 'markdown' }) };
    const session = openSpace({ html, markdown, author }, []).open();
    expect(session.groups.map(({ tables }) => [...tables.keys()])).toEqual([
      ['html', 'author'],
      ['markdown'],
    ]);
    expect(session.groupOf('markdown')).toBe(session.groups[1]);
    expect(session.groupOf('author')).toBe(session.groups[0]);
    expect(session.isDeclared('markdown')).toBe(true);
    expect(session.isDeclared('secret')).toBe(false);
    expect(session.headsSource).toBe(session.groups[0]?.source);
  });

  test('without models can still read', async () => {
    const session = openSpace({ author }, [published('author', 1, { name: 'A' })]).open({ models: {} });
    expect(session.groups).toEqual([]);
    expect(session.headsSource.models).toEqual([]);
    expect(await session.headsSource.modelsOf([1])).toMatchObject([{ _id: 1, _model: 'author' }]);
  });

  test('retries up to 100 requests in total', async () => {
    let requests = 0;
    // The time between two attempts passes at once, the time limit of one never.
    const sleep = (ms: number) => new Promise<void>((resolve) => ms < 10_000 && resolve());
    const unavailable = createConnection({
      baseUrl: 'http://unavailable.test/v1',
      apiKey: 'key',
      fetch: async () => {
        requests += 1;
        return new Response('', { status: 503 });
      },
      clock: { now: () => second(0), sleep },
      network: { retries: 200, requestsPerMinute: Number.POSITIVE_INFINITY },
    });
    const session = openSpace(MODELS, []).open({ connect: async () => unavailable });
    await expect(session.headsSource.modelsOf([1])).rejects.toMatchObject({ status: 503 });
    expect(requests).toBe(101);
  });

  test('reports the pages of models that are read together as one', () => {
    const pages: unknown[] = [];
    const progress = { page: (...page: unknown[]) => pages.push(page) };
    openSpace(MODELS, []).open({ progress }).onPage(['author', 'article'])(5, 9);
    expect(pages).toEqual([['author,article', 5, 9]]);
  });
});

describe('the cursor', () => {
  const states = (cursors: Record<string, Manifest['models'][string]['cursor']>): Manifest => ({
    ...emptyManifest(),
    models: Object.fromEntries(
      Object.entries(cursors).map(([model, cursor]) => [
        storedModelKey(MODELS, model),
        { segments: [], cursor, readAt: 0 },
      ]),
    ),
  });
  const cursorOf = (manifest: Manifest, options = {}) =>
    openSpace(MODELS, []).open({ manifest, ...options }).cursor;

  test('is the earliest of all models, for each time', () => {
    const manifest = states({
      author: { updated: 5, published: 8 },
      article: { updated: 7, published: 6 },
    });
    expect(cursorOf(manifest)).toEqual({ updated: 5, published: 6 });
  });

  test('is unknown if that of one model is', () => {
    const cursor = { updated: 5, published: 8 };
    expect(cursorOf(states({ author: null, article: cursor }))).toBeUndefined();
    expect(cursorOf(states({ author: cursor, article: null }))).toBeUndefined();
  });

  test('is based on the known models only', () => {
    const manifest = states({ article: { updated: 5, published: 8 } });
    expect(cursorOf(manifest)).toEqual({ updated: 5, published: 8 });
    const both = states({ author: { updated: 1, published: 1 }, article: { updated: 5, published: 8 } });
    expect(cursorOf(both, { damagedModels: new Set(['author']) })).toEqual({ updated: 5, published: 8 });
  });
});

test('another language starts with the changes of the main one, and stores which it has applied', async () => {
  const appeared: Target[] = [[1, 'author', 10]];
  const changed: Target[] = [[2, 'article', 20]];
  const start = startJournal();
  const changes = { appeared, changed, undeclared: true, undeclaredAppeared: true };
  const journal = append(start, changes, 'content');
  const manifest = { ...emptyManifest(), generation: 1, follows: start.start };
  const session = openSpace(MODELS, []).open({ lang: 'en', mainJournal: journal, manifest });
  expect(session.mainChanges).toEqual({ areKnown: true, ...changes });
  expect(session.visibility.appeared).toEqual(appeared);
  expect(session.visibility.changed).toEqual(changed);
  expect(session.visibility.undeclaredAppeared).toBe(true);
  expect(session.undeclared.hasMoved).toBe(true);
  expect((await manifestOf(session)).follows).toBe(journalFingerprint(journal));
  expect((await manifestOf(openSpace(MODELS, []).open())).follows).toBeNull();
});

describe('an item that is put', () => {
  test('appeared if it was unknown, and was edited if it was changed', async () => {
    const session = (await openRead()).open();
    const unknown = content(9, { _created_at: at(9) });
    expect(await session.put({ item: unknown })).toBe('new');
    expect(await session.put({ item: await edited(session, 2) })).toBe('changed');
    expect(await session.put({ item: (await itemsOf(session)).get(3) as WireContent })).toBe('unchanged');
    expect(session.visibility.appeared).toEqual([[9, 'article', second(9)]]);
    expect(session.visibility.changed).toEqual([[2, 'article', second(2)]]);
    expect((await itemsOf(session)).get(2)).toMatchObject({ _updated_at: at(100) });
  });

  test('was edited if it changed without a new time', async () => {
    const session = (await openRead()).open();
    const item = { ...((await itemsOf(session)).get(2) as WireContent), title: 'other' };
    expect(await session.put({ item })).toBe('silently changed');
    expect(session.visibility.appeared).toEqual([]);
    expect(session.visibility.changed).toEqual([[2, 'article', second(2)]]);
  });

  test('is recent, and so is its model', async () => {
    const session = (await openRead()).open();
    const item = await edited(session, 2);
    expect(session.visibility.hasRecentlyRead('article')).toBe(false);
    expect(session.visibility.isRecentlyRead(item)).toBe(false);
    await session.put({ item });
    expect(session.visibility.hasRecentlyRead('article')).toBe(true);
    expect(session.visibility.hasRecentlyRead('author')).toBe(false);
    expect(session.visibility.isRecentlyRead(item)).toBe(true);
    expect(session.visibility.isRecentlyRead(content(3))).toBe(false);
  });

  test('is not recent if it was known already', async () => {
    const session = (await openRead()).open();
    const item = (await itemsOf(session)).get(3) as WireContent;
    await session.put({ item });
    expect(session.visibility.isRecentlyRead(item)).toBe(false);
  });

  test('was seen with the other items of its list', async () => {
    const session = (await openRead()).open();
    const item = await edited(session, 2);
    expect(session.visibility.wasSeenWith(item, 3)).toBe(false);
    await session.put({ item, seenWith: [new Set([2, 3]), new Set([2, 4])] });
    expect([3, 4, 5].map((id) => session.visibility.wasSeenWith(item, id))).toEqual([true, true, false]);
    await session.put({ item: await edited(session, 3) });
    expect(session.visibility.wasSeenWith(content(3), 2)).toBe(false);
  });
});

describe('an item that the previous sync left unconfirmed', () => {
  const items: Target[] = [[3, 'article', second(3)]];

  test('is recent if it is stored by id', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    expect(session.visibility.hasRecentlyRead('article')).toBe(true);
    expect(session.visibility.hasRecentlyRead('author')).toBe(true);
    expect(session.visibility.isRecentlyRead(content(3))).toBe(true);
    expect(session.visibility.isRecentlyRead(content(2))).toBe(false);
  });

  test('is found by its empty references if its model is stored', async () => {
    const space = await openRead();
    const unconfirmed = { items: [], models: ['article'] };
    const session = space.open({ manifest: { ...space.stored(), unconfirmed } });
    const { visibility } = session;
    expect(visibility.isUnconfirmed('article')).toBe(true);
    expect(visibility.isUnconfirmed('author')).toBe(false);
    await expandUnconfirmedModels(session);
    expect(visibility.isUnconfirmed('article')).toBe(false);
    expect(visibility.stillUnconfirmed).toEqual(items);
    expect(visibility.isRecentlyRead(content(3))).toBe(true);
    expect(visibility.isRecentlyRead(content(2))).toBe(false);
  });

  test('is forgotten if its model was read in full, as is the model', async () => {
    const space = await openRead();
    const unconfirmed = { items, models: ['article', 'author'] };
    const session = space.open({ manifest: { ...space.stored(), unconfirmed } });
    session.visibility.forgetUnconfirmed('article');
    expect(session.visibility.isRecentlyRead(content(3))).toBe(false);
    expect((await manifestOf(session)).unconfirmed).toEqual({ items: [], models: ['author'] });
  });

  test('is forgotten if its model is not declared any more', async () => {
    const space = await openRead();
    const unconfirmed = { items: [[9, 'page', second(9)] as const], models: ['page'] };
    const session = space.open({ manifest: { ...space.stored(), unconfirmed } });
    expect((await manifestOf(session)).unconfirmed).toEqual({ items: [], models: [] });
  });

  test('was seen with others if it was read again and is equal', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    const item = (await itemsOf(session)).get(3) as WireContent;
    await session.put({ item, seenWith: [new Set([1])] });
    expect(session.visibility.wasSeenWith(item, 1)).toBe(true);
    expect(session.visibility.wasRead(3)).toBe(true);
  });

  test('is confirmed if it was read again and is equal', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    expect([...session.visibility.unconfirmed.values()]).toEqual(items);
    await session.put({ item: (await itemsOf(session)).get(3) as WireContent });
    expect(session.visibility.unconfirmed.size).toBe(0);
    expect(session.visibility.isRecentlyRead(content(3))).toBe(true);
  });

  test('stays unconfirmed if it was read again and differs', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    await session.put({ item: await edited(session, 3) });
    expect([...session.visibility.unconfirmed.values()]).toEqual(items);
  });

  test('stays unconfirmed until it is read', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    await session.put({ item: content(9, { _created_at: at(9), author: null }) });
    session.reachHeads(headsAt(50), null);
    expect((await manifestOf(session)).unconfirmed).toEqual({
      items: [...items, [9, 'article', second(9)]],
      models: [],
    });
  });
});

test('an item is left unconfirmed if it has an empty reference', async () => {
  const session = (await openRead()).open();
  for (const item of (await itemsOf(session)).values()) session.visibility.markUnconfirmed(item);
  expect([...session.visibility.unconfirmed.values()]).toEqual([[3, 'article', second(3)]]);
});

describe('the manifest after a sync', () => {
  test('has the next generation and is otherwise equal, if nothing was done', async () => {
    const space = await openRead();
    const before: Manifest = {
      ...space.stored(),
      heads: 'digest',
      neverPublished: 3,
      gone: [9],
      undeclared: [5],
      undeclaredInMain: [6],
      undeclaredTotal: 7,
      alts: { '/a.jpg': 'A' },
      unconfirmed: { items: [[3, 'article', second(3)]], models: ['author'] },
      leaving: ['leaving'],
    };
    expect(await manifestOf(space.open({ manifest: before }))).toEqual({
      ...before,
      generation: before.generation + 1,
    });
  });

  test('has the cursor and the heads up to which everything is known', async () => {
    const session = (await openRead()).open();
    session.reachHeads(headsAt(50), 'digest');
    const manifest = await manifestOf(session);
    const { author: ofAuthor, article: ofArticle } = statesOf(manifest);
    expect(ofAuthor?.cursor).toEqual({ updated: second(50), published: second(50) });
    expect(ofArticle?.cursor).toEqual({ updated: second(50), published: second(50) });
    expect(manifest).toMatchObject({ heads: 'digest', neverPublished: 4 });
  });

  test('has no cursor after a read without heads', async () => {
    const session = (await openRead()).open();
    session.reached = { kind: 'read without heads' };
    const manifest = await manifestOf(session);
    expect(statesOf(manifest).article?.cursor).toBeNull();
    expect(manifest).toMatchObject({ heads: null, neverPublished: null });
  });

  test('has no cursor for models that have none', async () => {
    const { article: state } = statesOf(await manifestOf(openSpace(MODELS, []).open()));
    expect(state).toEqual({ segments: [], cursor: null, readAt: second(3600) });
  });

  test('has the time of the last full read of each model', async () => {
    const space = await openRead();
    space.service.clock.advance(1000);
    const session = space.open();
    await session.groupOf('article').readModels(['article'], { bypassCdn: true });
    const { author: ofAuthor, article: ofArticle } = statesOf(await manifestOf(session));
    expect([ofAuthor?.readAt, ofArticle?.readAt]).toEqual([second(3600), second(3601)]);
  });

  test('comes with the new segments', async () => {
    const space = await openRead();
    const session = space.open();
    await session.put({ item: await edited(session, 2) });
    const { manifest, written } = await nextManifest(session);
    const { author: ofAuthor, article: ofArticle } = statesOf(manifest);
    const segments = ofArticle?.segments.map(({ hash }) => hash) ?? [];
    expect([...written.keys()]).toEqual([...segments, manifest.facts?.hash]);
    expect(ofAuthor).toEqual(statesOf(space.stored()).author);
  });

  test('lists removed items, until everything is read', async () => {
    const space = await openRead();
    const manifest = { ...space.stored(), gone: [2, 9], alts: { '/a.jpg': 'A', '/b.jpg': 'B' } };
    const session = space.open({ manifest });
    const { groups } = session;
    await groups[0]?.remove(content(1, { _model: 'author', _created_at: at(1) }));
    const cover = { url: '/b.jpg', alt: 'new' };
    await session.put({ item: content(8, { _created_at: at(8), cover }) });
    const next = await manifestOf(session);
    expect(next.gone).toEqual([2, 9, 1]);
    expect(next.alts).toEqual({ '/a.jpg': 'A', '/b.jpg': 'new' });

    await groups[0]?.readModels(['article'], { bypassCdn: true });
    expect((await manifestOf(session)).gone).toEqual([2, 9, 1, 8]);
    await groups[0]?.readModels(['author'], { bypassCdn: true });
    const read = await manifestOf(session);
    expect(read.gone).toEqual([8]);
    expect(read.alts).toEqual({});
  });

  test('does not list removed items that returned', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), gone: [8, 9] } });
    await session.put({ item: content(8, { _created_at: at(8) }) });
    expect((await manifestOf(session)).gone).toEqual([9]);
  });

  test('lists undeclared content in order, without content that was removed or is now declared', async () => {
    const space = await openRead();
    const session = space.open();
    for (const id of [20, 3, 8, 10]) {
      session.undeclared.ids.add(id);
      session.undeclared.idsInMain.add(id);
    }
    await session.groupOf('article').remove(content(3, { _created_at: at(3) }));
    await session.put({ item: content(8, { _created_at: at(8) }) });
    expect(await manifestOf(session)).toMatchObject({ undeclared: [10, 20], undeclaredInMain: [10, 20] });
  });

  test('is settled unless something happened that a full read cannot have seen', async () => {
    const space = await openRead();
    const unsettled = { ...space.stored(), settled: false };
    expect((await manifestOf(space.open())).settled).toBe(true);
    expect((await manifestOf(space.open({ manifest: unsettled }))).settled).toBe(false);
    const session = space.open({ manifest: unsettled });
    await session.groupOf('article').readModels(['author', 'article'], { bypassCdn: true });
    expect((await manifestOf(session)).settled).toBe(true);
    session.needsFullSync = true;
    expect((await manifestOf(session)).settled).toBe(false);
  });

  test('counts as read in full only if every group was', async () => {
    const html = { body: field.flexibleText() };
    const markdown = { body: field.flexibleText({ format: 'markdown' }) };
    const space = await openRead({ html, markdown }, [
      published('html', 1, { body: '<p>a</p>' }),
      published('markdown', 2, { body: '<p>b</p>' }),
    ]);
    const session = space.open({ manifest: { ...space.stored(), gone: [9] } });
    await session.groupOf('html').readModels(['html'], { bypassCdn: true });
    expect((await manifestOf(session)).gone).toEqual([9]);
  });
});

describe('items that were put are unconfirmed', () => {
  const unconfirmed = async (session: SyncSession) => {
    session.reachHeads(headsAt(50), null);
    return (await manifestOf(session)).unconfirmed;
  };

  test('if they have an empty reference', async () => {
    const session = (await openRead()).open();
    await session.put({ item: await edited(session, 1) });
    await session.put({ item: await edited(session, 2) });
    await session.put({ item: await edited(session, 3) });
    expect(await unconfirmed(session)).toEqual({ items: [[3, 'article', second(3)]], models: [] });
  });

  test('if they have an empty reference to any model', async () => {
    const space = await openRead({ author, page }, [published('page', 2, { title: 'p' })]);
    const session = space.open();
    await session.put({ item: await edited(session, 2) });
    expect(await unconfirmed(session)).toEqual({ items: [[2, 'page', second(2)]], models: [] });
  });

  test('up to the newest 1,000; older ones are stored as their models', async () => {
    const session = openSpace({ ...MODELS, page }, []).open();
    await session.put({ item: content(1, { _model: 'page' }) });
    for (let id = 2; id <= 1000; id++) await session.put({ item: content(id) });
    const all = await unconfirmed(session);
    expect(all.items).toHaveLength(1000);
    expect(all.models).toEqual([]);
    await session.put({ item: content(1001) });
    const most = await unconfirmed(session);
    expect(most.items).toHaveLength(1000);
    expect([most.items.at(0)?.[0], most.items.at(-1)?.[0]]).toEqual([2, 1001]);
    expect(most.models).toEqual(['page']);
  });

  test('even if the heads are equal to those of the previous sync', async () => {
    const session = (await openRead()).open();
    await session.put({ item: await edited(session, 3) });
    expect((await manifestOf(session)).unconfirmed).toEqual({
      items: [[3, 'article', second(3)]],
      models: [],
    });
  });

  test('not after a read without heads: the next sync reads everything', async () => {
    const session = (await openRead()).open();
    await session.put({ item: await edited(session, 3) });
    session.reached = { kind: 'read without heads' };
    expect((await manifestOf(session)).unconfirmed).toEqual({ items: [], models: [] });
  });
});

describe('the journal of the main language', () => {
  test('lists what appeared and what changed', async () => {
    const space = await openRead();
    const session = space.open();
    await session.put({ item: content(8, { _created_at: at(8) }) });
    await session.put({ item: await edited(session, 2) });
    session.visibility.markAppeared([content(3, { _created_at: at(3) })]);
    const { journal } = await manifestOf(session);
    expect(journal.start).toBe(space.stored().journal.start);
    expect(journal.entries).toEqual([
      {
        state: journalFingerprint(journal),
        appeared: [
          [8, 'article', second(8)],
          [3, 'article', second(3)],
        ],
        changed: [[2, 'article', second(2)]],
        undeclared: false,
        undeclaredAppeared: false,
      },
    ]);
  });

  test('has equal states in two builds that saw equal changes, and only then', async () => {
    const space = await openRead();
    const stateAfter = async (title: string) => {
      const session = space.open();
      await session.put({ item: await edited(session, 2, { title }) });
      return journalFingerprint((await manifestOf(session)).journal);
    };
    const state = await stateAfter('edited');
    space.service.clock.advance(1000);
    expect(await stateAfter('edited')).toBe(state);
    expect(await stateAfter('otherwise')).not.toBe(state);
  });

  test('lists items that a full read found', async () => {
    const space = await openRead();
    space.service.contents.create({ id: 9, model: 'article', published: { ja: { title: 'new' } } });
    const session = space.open();
    await session.groupOf('article').readModels(['article'], { bypassCdn: true });
    expect((await manifestOf(session)).journal.entries).toMatchObject([
      { appeared: [[9, 'article', second(3600)]], changed: [] },
    ]);
  });

  test('does not list items of models that were unknown', async () => {
    const space = openSpace(MODELS, CONTENTS);
    const session = await space.sync();
    expect(session.count).toBe(3);
    expect(space.stored().journal.entries).toEqual([]);
  });

  test.each(['hasMoved', 'hasChanged'] as const)(
    'lists whether content of undeclared models changed: %s',
    async (what) => {
      const session = (await openRead()).open();
      session.undeclared[what] = true;
      expect((await manifestOf(session)).journal.entries).toMatchObject([{ undeclared: true }]);
    },
  );

  test('is not written by another language', async () => {
    const space = await openRead();
    const session = space.open({ lang: 'en', manifest: space.stored() });
    await session.put({ item: content(8, { _created_at: at(8) }) });
    expect((await manifestOf(session)).journal).toBe(space.stored().journal);
  });
});
