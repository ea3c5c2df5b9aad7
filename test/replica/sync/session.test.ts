import { describe, expect, test } from 'vitest';
import { createConnection } from '../../../src/client/http/connection.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { append, startJournal, stateOf } from '../../../src/replica/store/journal.ts';
import type {
  Journal,
  JournalEntry,
  Manifest,
  ModelState,
  Target,
} from '../../../src/replica/store/manifest.ts';
import { emptyManifest } from '../../../src/replica/store/snapshot.ts';
import type { Heads } from '../../../src/replica/sync/heads.ts';
import { type SyncSession, stateName } from '../../../src/replica/sync/session.ts';
import { at, changedAt, content, second } from '../content.ts';
import { itemsOf, openSpace, published } from '../space.ts';

const author = { name: field.text({ title: true }) };
const article = { title: field.text({ title: true }), author: field.reference('author') };
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
  return { updated: list, published: list, total: 1, neverPublished: 4, fresh: true, ahead: second(1e6) };
}

const pack = async (session: SyncSession, alts = {}) => (await session.pack(() => alts)).manifest;
const statesOf = ({ models }: Manifest): Record<string, ModelState> =>
  Object.fromEntries(Object.entries(models).map(([name, state]) => [name.split('@')[0], state]));

describe('a session', () => {
  test('without a manifest knows nothing', () => {
    const session = openSpace(MODELS, []).open();
    expect(session.unread).toEqual(['author', 'article']);
    expect(session.count).toBe(0);
    expect(session.cursor).toBeUndefined();
    expect(session.isFull).toBe(false);
    expect(session.owesNothing).toBe(true);
    expect(session.isMainLanguage).toBe(true);
    expect(session.hasOtherModels).toBe(false);
  });

  test('goes on from what is stored', async () => {
    const space = await openRead();
    const session = space.open();
    expect(session.unread).toEqual([]);
    expect(session.count).toBe(3);
    expect(session.cursor).toEqual({ updated: second(3), published: second(3) });
    expect([...(await itemsOf(session)).keys()]).toEqual([1, 2, 3]);
  });

  test('does not know a model whose copy is damaged, or that was declared otherwise', async () => {
    const space = await openRead();
    expect(space.open({ damaged: new Set(['article']) }).unread).toEqual(['article']);
    const models = { author, article: { ...article, author: field.reference() } };
    expect(space.open({ models }).unread).toEqual(['article']);
    expect(space.open({ models }).count).toBe(1);
  });

  test('goes on from what is known of undeclared content', () => {
    const manifest = { ...emptyManifest(), undeclared: [4], undeclaredInMain: [5], undeclaredTotal: 6 };
    const session = openSpace(MODELS, []).open({ manifest });
    expect([...session.undeclared]).toEqual([4]);
    expect([...session.undeclaredInMain]).toEqual([5]);
    expect(session.undeclaredTotal).toBe(6);
  });

  test('reads everything, or with another model map, on request', () => {
    const space = openSpace(MODELS, []);
    expect(space.open({ full: true }).isFull).toBe(true);
    expect(space.open().appeared).toEqual([]);
    const adopted = space.open({ adopted: true });
    expect(adopted.hasOtherModels).toBe(true);
    // What was declared until now, and is not any more, may be what any empty reference leads to.
    expect(adopted.appeared).toEqual([[-1, '', 0]]);
    expect(space.open({ lang: 'en' }).isMainLanguage).toBe(false);
  });

  test('watches undeclared content if a reference may lead to it', () => {
    expect(openSpace(MODELS, []).open().tracksUndeclared).toBe(false);
    const session = openSpace({ author, page }, []).open();
    expect(session.tracksUndeclared).toBe(true);
    expect(session.headsCover).toBe('all');
    expect(openSpace({ author, page }, []).open({ lang: 'en' }).tracksUndeclared).toBe(false);
  });

  test('has a group for each set of formats, and knows the group of a model', () => {
    const html = { body: field.flexibleText() };
    const markdown = { body: field.flexibleText({ format: 'markdown' }) };
    const session = openSpace({ html, markdown, author }, []).open();
    expect(session.groups.map(({ copies }) => [...copies.keys()])).toEqual([
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

  test('retries 100 requests in all', async () => {
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
        stateName(MODELS, model),
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
    expect(cursorOf(states({ author: null, article: cursor }))).toBeNull();
    expect(cursorOf(states({ author: cursor, article: null }))).toBeNull();
  });

  test('is that of the known models only', () => {
    const manifest = states({ article: { updated: 5, published: 8 } });
    expect(cursorOf(manifest)).toEqual({ updated: 5, published: 8 });
    const both = states({ author: { updated: 1, published: 1 }, article: { updated: 5, published: 8 } });
    expect(cursorOf(both, { damaged: new Set(['author']) })).toEqual({ updated: 5, published: 8 });
  });
});

describe('another language', () => {
  const start = startJournal();
  const nothing = { appeared: [], changed: [], undeclared: false };
  const add = (to: Journal, changes: Partial<Omit<JournalEntry, 'state'>>) =>
    append(to, { ...nothing, ...changes }, 'content');
  const first = add(start, { appeared: [[1, 'author', 10]], changed: [[2, 'article', 20]] });
  const journal = add(first, { appeared: [[3, 'article', 30]] });
  const open = (follows: string | null, mainJournal = journal) =>
    openSpace(MODELS, []).open({
      lang: 'en',
      mainJournal,
      manifest: { ...emptyManifest(), generation: 1, follows },
    });

  test('owes what the main language changed since the state that it has followed', () => {
    const session = open(start.start);
    expect(session.owed.appeared).toEqual([
      [1, 'author', 10],
      [3, 'article', 30],
    ]);
    expect(session.owed.changed).toEqual([[2, 'article', 20]]);
    expect(session.appeared).toEqual(session.owed.appeared);
    expect(session.touched).toEqual(session.owed.changed);
    expect(session.owesNothing).toBe(false);
    expect(session.isFull).toBe(false);
    expect(open(stateOf(first)).owed).toEqual({ appeared: [[3, 'article', 30]], changed: [] });
  });

  test('owes nothing if it has followed the last state', () => {
    expect(open(stateOf(journal)).owesNothing).toBe(true);
  });

  test('owes something also if only an item or undeclared content changed', () => {
    const changed = add(journal, { changed: [[2, 'article', 20]] });
    expect(open(stateOf(journal), changed).owesNothing).toBe(false);
    const undeclared = add(journal, { undeclared: true });
    const session = open(stateOf(journal), undeclared);
    expect(session.undeclaredMoved).toBe(true);
    expect(session.owesNothing).toBe(false);
    expect(open(stateOf(journal), changed).undeclaredMoved).toBe(false);
    expect(open(start.start, first).owesNothing).toBe(false);
    const more = add(undeclared, { changed: [[2, 'article', 20]] });
    expect(open(stateOf(journal), more).undeclaredMoved).toBe(true);
  });

  test('reads everything if it is unknown what it owes', () => {
    for (const session of [open(null), open('unknown')]) {
      expect(session.isFull).toBe(true);
      expect(session.owed).toEqual({ appeared: [], changed: [] });
    }
  });

  test('owes nothing at first, and stores the state that it has followed', async () => {
    const session = openSpace(MODELS, []).open({ lang: 'en', mainJournal: journal });
    expect(session.isFull).toBe(false);
    expect(session.owed).toEqual({ appeared: [], changed: [] });
    expect((await pack(session)).follows).toBe(stateOf(journal));
    expect((await pack(openSpace(MODELS, []).open())).follows).toBeNull();
  });
});

describe('an item that is taken', () => {
  test('appeared if it was unknown, and was touched if it was changed', async () => {
    const session = (await openRead()).open();
    const unknown = content(9, { _created_at: at(9) });
    expect(await session.take({ item: unknown })).toBe('new');
    expect(await session.take({ item: await edited(session, 2) })).toBe('changed');
    expect(await session.take({ item: (await itemsOf(session)).get(3) as WireContent })).toBe('same');
    expect(session.appeared).toEqual([[9, 'article', second(9)]]);
    expect(session.touched).toEqual([[2, 'article', second(2)]]);
    expect((await itemsOf(session)).get(2)).toMatchObject({ _updated_at: at(100) });
  });

  test('was touched if it was changed in place', async () => {
    const session = (await openRead()).open();
    const item = { ...((await itemsOf(session)).get(2) as WireContent), title: 'other' };
    expect(await session.take({ item })).toBe('changed in place');
    expect(session.appeared).toEqual([]);
    expect(session.touched).toEqual([[2, 'article', second(2)]]);
  });

  test('is recent, and so is its model', async () => {
    const session = (await openRead()).open();
    const item = await edited(session, 2);
    expect(session.hasRecent('article')).toBe(false);
    expect(session.isRecent(item)).toBe(false);
    await session.take({ item });
    expect(session.hasRecent('article')).toBe(true);
    expect(session.hasRecent('author')).toBe(false);
    expect(session.isRecent(item)).toBe(true);
    expect(session.isRecent(content(3))).toBe(false);
  });

  test('is not recent if it was known already', async () => {
    const session = (await openRead()).open();
    const item = (await itemsOf(session)).get(3) as WireContent;
    await session.take({ item });
    expect(session.isRecent(item)).toBe(false);
  });

  test('was seen with what one of the lists showed that it was in', async () => {
    const session = (await openRead()).open();
    const item = await edited(session, 2);
    expect(session.wasSeenWith(item, 3)).toBe(false);
    await session.take({ item, seenWith: [new Set([2, 3]), new Set([2, 4])] });
    expect([3, 4, 5].map((id) => session.wasSeenWith(item, id))).toEqual([true, true, false]);
    await session.take({ item: await edited(session, 3) });
    expect(session.wasSeenWith(content(3), 2)).toBe(false);
  });
});

describe('what the sync before left unconfirmed', () => {
  const items: Target[] = [[3, 'article', second(3)]];

  test('is recent, item by item', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    expect(session.hasRecent('article')).toBe(true);
    expect(session.hasRecent('author')).toBe(true);
    expect(session.isRecent(content(3))).toBe(true);
    expect(session.isRecent(content(2))).toBe(false);
  });

  test('is recent, model by model', async () => {
    const space = await openRead();
    const unconfirmed = { items: [], models: ['article'] };
    const session = space.open({ manifest: { ...space.stored(), unconfirmed } });
    expect(session.hasRecent('article')).toBe(true);
    expect(session.hasRecent('author')).toBe(false);
    expect(session.isRecent(content(2))).toBe(true);
    expect(session.isRecent(content(1, { _model: 'author' }))).toBe(false);
  });

  test('is seen with others if it is read again and the same', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    const item = (await itemsOf(session)).get(3) as WireContent;
    await session.take({ item, seenWith: [new Set([1])] });
    expect(session.wasSeenWith(item, 1)).toBe(true);
    expect(session.wasTaken(3)).toBe(true);
  });

  test('is confirmed if it is read again and the same', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    expect([...session.unconfirmed.values()]).toEqual(items);
    await session.take({ item: (await itemsOf(session)).get(3) as WireContent });
    expect(session.unconfirmed.size).toBe(0);
    expect(session.isRecent(content(3))).toBe(true);
  });

  test('stays so if it is read again and another', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    await session.take({ item: await edited(session, 3) });
    expect([...session.unconfirmed.values()]).toEqual(items);
  });

  test('stays so until it is read', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), unconfirmed: { items, models: [] } } });
    await session.take({ item: content(9, { _created_at: at(9), author: null }) });
    session.advance(headsAt(50), null);
    expect((await pack(session)).unconfirmed).toEqual({
      items: [...items, [9, 'article', second(9)]],
      models: [],
    });
  });
});

test('an item is left unconfirmed if it has an empty reference', async () => {
  const session = (await openRead()).open();
  for (const item of (await itemsOf(session)).values()) session.leaveUnconfirmed(item);
  expect([...session.unconfirmed.values()]).toEqual([[3, 'article', second(3)]]);
});

describe('the manifest after a sync', () => {
  test('is one generation on, and else as before, if nothing was done', async () => {
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
    expect(await pack(space.open({ manifest: before }))).toEqual({
      ...before,
      generation: before.generation + 1,
    });
  });

  test('has the cursor and the heads up to which everything is known', async () => {
    const session = (await openRead()).open();
    session.advance(headsAt(50), 'digest');
    const manifest = await pack(session);
    const { author: ofAuthor, article: ofArticle } = statesOf(manifest);
    expect(ofAuthor?.cursor).toEqual({ updated: second(50), published: second(50) });
    expect(ofArticle?.cursor).toEqual({ updated: second(50), published: second(50) });
    expect(manifest).toMatchObject({ heads: 'digest', neverPublished: 4 });
  });

  test('has no cursor after a read without heads', async () => {
    const session = (await openRead()).open();
    session.forgetCursor();
    const manifest = await pack(session);
    expect(statesOf(manifest).article?.cursor).toBeNull();
    expect(manifest).toMatchObject({ heads: null, neverPublished: null });
  });

  test('has no cursor of models of which none is known', async () => {
    const { article: state } = statesOf(await pack(openSpace(MODELS, []).open()));
    expect(state).toEqual({ segments: [], cursor: null, readAt: second(3600) });
  });

  test('says when each model was read in full', async () => {
    const space = await openRead();
    space.service.clock.advance(1000);
    const session = space.open();
    await session.groupOf('article').readModels(['article'], { fresh: true });
    const { author: ofAuthor, article: ofArticle } = statesOf(await pack(session));
    expect([ofAuthor?.readAt, ofArticle?.readAt]).toEqual([second(3600), second(3601)]);
  });

  test('comes with the segments that are new', async () => {
    const space = await openRead();
    const session = space.open();
    await session.take({ item: await edited(session, 2) });
    const { manifest, written } = await session.pack(() => ({}));
    const { author: ofAuthor, article: ofArticle } = statesOf(manifest);
    expect([...written.keys()]).toEqual(ofArticle?.segments.map(({ hash }) => hash));
    expect(ofAuthor).toEqual(statesOf(space.stored()).author);
  });

  test('has what was removed, until everything was read', async () => {
    const space = await openRead();
    const manifest = { ...space.stored(), gone: [2, 9], alts: { '/a.jpg': 'A', '/b.jpg': 'B' } };
    const session = space.open({ manifest });
    const { groups } = session;
    await groups[0]?.remove(content(1, { _model: 'author', _created_at: at(1) }));
    await session.take({ item: content(8, { _created_at: at(8) }) });
    const next = await pack(session, { '/b.jpg': 'new' });
    expect(next.gone).toEqual([2, 9, 1]);
    expect(next.alts).toEqual({ '/a.jpg': 'A', '/b.jpg': 'new' });

    await groups[0]?.readModels(['article'], { fresh: true });
    expect((await pack(session)).gone).toEqual([2, 9, 1, 8]);
    await groups[0]?.readModels(['author'], { fresh: true });
    const read = await pack(session, { '/b.jpg': 'new' });
    expect(read.gone).toEqual([8]);
    expect(read.alts).toEqual({});
  });

  test('does not have what returned', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), gone: [8, 9] } });
    await session.take({ item: content(8, { _created_at: at(8) }) });
    expect((await pack(session)).gone).toEqual([9]);
  });

  test('has undeclared content in order, without what was removed or is declared by now', async () => {
    const space = await openRead();
    const session = space.open();
    for (const id of [20, 3, 8, 10]) {
      session.undeclared.add(id);
      session.undeclaredInMain.add(id);
    }
    await session.groupOf('article').remove(content(3, { _created_at: at(3) }));
    await session.take({ item: content(8, { _created_at: at(8) }) });
    expect(await pack(session)).toMatchObject({ undeclared: [10, 20], undeclaredInMain: [10, 20] });
  });

  test('is settled unless something happened that a full read cannot have seen', async () => {
    const space = await openRead();
    const unsettled = { ...space.stored(), settled: false };
    expect((await pack(space.open())).settled).toBe(true);
    expect((await pack(space.open({ manifest: unsettled }))).settled).toBe(false);
    const session = space.open({ manifest: unsettled });
    await session.groupOf('article').readModels(['author', 'article'], { fresh: true });
    expect((await pack(session)).settled).toBe(true);
    session.markUnsettled();
    expect((await pack(session)).settled).toBe(false);
  });

  test('counts as read in full only if every group was', async () => {
    const html = { body: field.flexibleText() };
    const markdown = { body: field.flexibleText({ format: 'markdown' }) };
    const space = await openRead({ html, markdown }, [
      published('html', 1, { body: '<p>a</p>' }),
      published('markdown', 2, { body: '<p>b</p>' }),
    ]);
    const session = space.open({ manifest: { ...space.stored(), gone: [9] } });
    await session.groupOf('html').readModels(['html'], { fresh: true });
    expect((await pack(session)).gone).toEqual([9]);
  });
});

describe('items that were taken are unconfirmed', () => {
  const unconfirmed = async (session: SyncSession) => {
    session.advance(headsAt(50), null);
    return (await pack(session)).unconfirmed;
  };

  test('if they have an empty reference', async () => {
    const session = (await openRead()).open();
    await session.take({ item: await edited(session, 1) });
    await session.take({ item: await edited(session, 2) });
    await session.take({ item: await edited(session, 3) });
    expect(await unconfirmed(session)).toEqual({ items: [[3, 'article', second(3)]], models: [] });
  });

  test('if they have an empty reference to any model', async () => {
    const space = await openRead({ author, page }, [published('page', 2, { title: 'p' })]);
    const session = space.open();
    await session.take({ item: await edited(session, 2) });
    expect(await unconfirmed(session)).toEqual({ items: [[2, 'page', second(2)]], models: [] });
  });

  test('up to the newest 1,000; for older ones stand their models', async () => {
    const session = openSpace({ ...MODELS, page }, []).open();
    await session.take({ item: content(1, { _model: 'page' }) });
    for (let id = 2; id <= 1000; id++) await session.take({ item: content(id) });
    const all = await unconfirmed(session);
    expect(all.items).toHaveLength(1000);
    expect(all.models).toEqual([]);
    await session.take({ item: content(1001) });
    const most = await unconfirmed(session);
    expect(most.items).toHaveLength(1000);
    expect([most.items.at(0)?.[0], most.items.at(-1)?.[0]]).toEqual([2, 1001]);
    expect(most.models).toEqual(['page']);
  });

  test('also if the heads were those of the sync before', async () => {
    const session = (await openRead()).open();
    await session.take({ item: await edited(session, 3) });
    expect((await pack(session)).unconfirmed).toEqual({ items: [[3, 'article', second(3)]], models: [] });
  });

  test('not after a read without heads: the next sync reads everything', async () => {
    const session = (await openRead()).open();
    await session.take({ item: await edited(session, 3) });
    session.forgetCursor();
    expect((await pack(session)).unconfirmed).toEqual({ items: [], models: [] });
  });
});

describe('the journal of the main language', () => {
  test('has what appeared and what changed', async () => {
    const space = await openRead();
    const session = space.open();
    await session.take({ item: content(8, { _created_at: at(8) }) });
    await session.take({ item: await edited(session, 2) });
    session.markAppeared([content(3, { _created_at: at(3) })]);
    const { journal } = await pack(session);
    expect(journal.start).toBe(space.stored().journal.start);
    expect(journal.entries).toEqual([
      {
        state: stateOf(journal),
        appeared: [
          [8, 'article', second(8)],
          [3, 'article', second(3)],
        ],
        changed: [[2, 'article', second(2)]],
        undeclared: false,
      },
    ]);
  });

  test('calls its state the same in two builds that saw the same, and only then', async () => {
    const space = await openRead();
    const stateAfter = async (title: string) => {
      const session = space.open();
      await session.take({ item: await edited(session, 2, { title }) });
      return stateOf((await pack(session)).journal);
    };
    const state = await stateAfter('edited');
    space.service.clock.advance(1000);
    expect(await stateAfter('edited')).toBe(state);
    expect(await stateAfter('otherwise')).not.toBe(state);
  });

  test('has items that a full read found', async () => {
    const space = await openRead();
    space.service.contents.create({ id: 9, model: 'article', published: { ja: { title: 'new' } } });
    const session = space.open();
    await session.groupOf('article').readModels(['article'], { fresh: true });
    expect((await pack(session)).journal.entries).toMatchObject([
      { appeared: [[9, 'article', second(3600)]], changed: [] },
    ]);
  });

  test('does not have what was read of models that were unknown', async () => {
    const space = openSpace(MODELS, CONTENTS);
    const session = await space.sync();
    expect(session.count).toBe(3);
    expect(space.stored().journal.entries).toEqual([]);
  });

  test.each(['undeclaredMoved', 'undeclaredEdited'] as const)(
    'says if content of undeclared models changed: %s',
    async (what) => {
      const session = (await openRead()).open();
      session[what] = true;
      expect((await pack(session)).journal.entries).toMatchObject([{ undeclared: true }]);
    },
  );

  test('is not written by another language', async () => {
    const space = await openRead();
    const session = space.open({ lang: 'en', manifest: space.stored() });
    await session.take({ item: content(8, { _created_at: at(8) }) });
    expect((await pack(session)).journal).toBe(space.stored().journal);
  });
});

describe('the name of the state of a model', () => {
  const name = (fields: ModelMap[string]) => stateName({ article: fields }, 'article');
  const body = field.flexibleText({ format: 'markdown' });

  test('is its LUID and a hash', () => {
    expect(name(article)).toMatch(/^article@[0-9a-f]{16}$/);
  });

  test('is the same whatever fields without a format or a reference there are, and in whatever order', () => {
    expect(name({ ...article, more: field.text() })).toBe(name(article));
    const lead = field.flexibleText({ format: 'text' });
    const to = field.reference('article');
    expect(name({ body, lead, to, ...article })).toBe(name({ ...article, to, lead, body }));
  });

  test('is another one with other formats or references', () => {
    const names = [
      name({}),
      name({ body }),
      name({ body: field.flexibleText({ format: 'text' }) }),
      name({ author: field.reference('author') }),
      name({ author: field.reference('article') }),
      name({ author: field.reference(['author', 'article']) }),
      name({ author: field.reference() }),
      name({ by: field.reference('author') }),
      name({ rows: field.repeat({ author: field.reference('author') }) }),
    ];
    expect(new Set(names).size).toBe(names.length);
  });

  test('of a model that the map lacks is that of one without fields', () => {
    expect(stateName({}, 'article')).toBe(name({}));
  });
});
