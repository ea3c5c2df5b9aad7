import { describe, expect, test } from 'vitest';
import { createConnection } from '../../../src/client/http/connection.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import type { Manifest, StoredModel } from '../../../src/replica/store/manifest/manifest.ts';
import type { ModelGroup } from '../../../src/replica/sync/model-group.ts';
import { readModels } from '../../../src/replica/sync/read-models.ts';
import type { SyncSession } from '../../../src/replica/sync/session.ts';
import { itemsOf, NO_MAIN_CHANGES, openSpace, published } from '../session-space.ts';
import { at, content, second } from '../wire-items.ts';
import { packSession } from '../written.ts';

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

const manifestOf = async (session: SyncSession) => (await packSession(session)).manifest;
const statesOf = ({ models }: Manifest): Record<string, StoredModel> =>
  Object.fromEntries(Object.entries(models).map(([name, state]) => [name.split('@')[0], state]));

describe('a session', () => {
  test('without a manifest knows nothing', () => {
    const session = openSpace(MODELS, []).open();
    expect(session.unread).toEqual(['author', 'article']);
    expect(session.count).toBe(0);
    expect(session.manifest.cursor).toBeNull();
    expect(session.reached).toBeUndefined();
    expect(session.mainChanges.areKnown).toBe(true);
    expect(session.isMainLanguage).toBe(true);
    expect(session.modelMapChanged).toBe(false);
  });

  test('continues from what is stored', async () => {
    const space = await openRead();
    const session = space.open();
    expect(session.unread).toEqual([]);
    expect(session.count).toBe(3);
    expect(session.manifest.cursor).toEqual({ updated: second(3), published: second(3) });
    expect([...(await itemsOf(session)).keys()]).toEqual([1, 2, 3]);
  });

  test('does not know a model whose table is damaged, or that was declared differently', async () => {
    const space = await openRead();
    expect(space.open({ damagedModels: new Set(['article']) }).unread).toEqual(['article']);
    const models = { author, article: { ...article, author: field.reference() } };
    expect(space.open({ models }).unread).toEqual(['article']);
    expect(space.open({ models }).count).toBe(1);
  });

  test('knows how long ago the oldest full read was, and whether something is damaged', async () => {
    const space = await openRead();
    space.service.clock.advance(5000);
    expect(space.open()).toMatchObject({ age: 5000, isDamaged: false });
    expect(space.open({ damaged: true }).isDamaged).toBe(true);
    expect(space.open({ damagedModels: new Set(['author']) }).isDamaged).toBe(true);
    expect(openSpace(MODELS, []).open().age).toBeUndefined();
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
});

test('another language starts with the changes of the main one, and stores which it has applied', async () => {
  const space = await openRead();
  const main = space.main();
  const added = [content(9, { _created_at: at(9) })];
  const mainChanges = { ...NO_MAIN_CHANGES, added, removed: [7] };
  const session = space.open({ lang: 'en', main, mainChanges, manifest: space.stored() });
  expect([...session.appeared.keys()]).toEqual([9]);
  const manifest = await manifestOf(session);
  expect(manifest.main).toBe(main.fingerprint);
  expect(manifest.removed).toEqual([7]);
});

describe('an item that is put', () => {
  test('appeared if it was unknown', async () => {
    const session = (await openRead()).open();
    const unknown = content(9, { _created_at: at(9) });
    expect(await session.put(unknown)).toBe('new');
    expect(await session.put(await edited(session, 2))).toBe('changed');
    expect(await session.put((await itemsOf(session)).get(3) as WireContent)).toBe('unchanged');
    expect([...session.appeared.keys()]).toEqual([9]);
    expect((await itemsOf(session)).get(2)).toMatchObject({ _updated_at: at(100) });
  });

  test('may have changed without a new time', async () => {
    const session = (await openRead()).open();
    const item = { ...((await itemsOf(session)).get(2) as WireContent), title: 'other' };
    expect(await session.put(item)).toBe('silently changed');
    expect(session.appeared.size).toBe(0);
  });

  test('is read once more by the next sync if it has an empty reference and is not as it was', async () => {
    const session = (await openRead()).open();
    await session.put((await itemsOf(session)).get(3) as WireContent);
    expect(session.toReadNextTime.size).toBe(0);
    for (const id of [1, 2, 3]) await session.put(await edited(session, id));
    expect([...session.toReadNextTime]).toEqual([3]);
    expect((await manifestOf(session)).readAgain).toEqual([3]);
  });

  test('is read once more if it has an empty reference to any model', async () => {
    const space = await openRead({ author, page }, [published('page', 2, { title: 'p' })]);
    const session = space.open();
    await session.put(await edited(session, 2));
    expect([...session.toReadNextTime]).toEqual([2]);
  });
});

test('of more than 1,000 items to read once more, the next sync reads everything', async () => {
  const session = openSpace(MODELS, []).open();
  for (let id = 1; id <= 1000; id++) await session.put(content(id));
  expect((await manifestOf(session)).readAgain).toHaveLength(1000);
  await session.put(content(1001));
  expect((await manifestOf(session)).readAgain).toBe('everything');
});

describe('the manifest after a sync', () => {
  test('has the next generation and is otherwise equal, if nothing was done', async () => {
    const space = await openRead();
    const before: Manifest = {
      ...space.stored(),
      heads: 'digest',
      removed: [9],
      unused: ['unused'],
    };
    expect(await manifestOf(space.open({ manifest: before }))).toEqual({
      ...before,
      generation: before.generation + 1,
    });
  });

  test('has the cursor and the heads up to which everything is known', async () => {
    const session = (await openRead()).open();
    const cursor = { updated: second(50), published: second(50) };
    session.reached = { cursor, heads: 'digest' };
    expect(await manifestOf(session)).toMatchObject({ cursor, heads: 'digest' });
  });

  test('has no cursor after a read without heads', async () => {
    const session = (await openRead()).open();
    await session.put(await edited(session, 3));
    session.reached = { cursor: null, heads: null };
    const manifest = await manifestOf(session);
    expect(manifest.cursor).toBeNull();
    // The next sync reads everything.
    expect(manifest).toMatchObject({ heads: null, readAgain: [] });
  });

  test('has no cursor if there was none', async () => {
    const manifest = await manifestOf(openSpace(MODELS, []).open());
    expect(manifest.cursor).toBeNull();
    expect(statesOf(manifest).article).toEqual({ segments: [], readAt: second(3600) });
  });

  test('has the time of the last full read of each model', async () => {
    const space = await openRead();
    space.service.clock.advance(1000);
    const session = space.open();
    await readModels(session.groupOf('article'), ['article'], { bypassCdn: true });
    const { author: ofAuthor, article: ofArticle } = statesOf(await manifestOf(session));
    expect([ofAuthor?.readAt, ofArticle?.readAt]).toEqual([second(3600), second(3601)]);
  });

  test('comes with the new segments', async () => {
    const space = await openRead();
    const session = space.open();
    await session.put(await edited(session, 2));
    const { manifest, written } = await packSession(session);
    const { author: ofAuthor, article: ofArticle } = statesOf(manifest);
    const segments = ofArticle?.segments.map(({ hash }) => hash) ?? [];
    expect([...written.keys()]).toEqual([...segments, manifest.facts?.hash]);
    expect(ofAuthor).toEqual(statesOf(space.stored()).author);
  });

  test('lists removed items, until everything is read and nothing refers to them', async () => {
    const space = await openRead();
    const manifest = { ...space.stored(), removed: [2, 9] };
    const session = space.open({ manifest });
    const { groups } = session;
    await groups[0]?.remove(content(1, { _model: 'author', _created_at: at(1) }));
    await session.put(content(8, { _created_at: at(8) }));
    const next = await manifestOf(session);
    expect(next.removed).toEqual([2, 9, 1]);

    await readModels(groups[0] as ModelGroup, ['article'], { bypassCdn: true });
    expect((await manifestOf(session)).removed).toEqual([2, 9, 1, 8]);
    await readModels(groups[0] as ModelGroup, ['author'], { bypassCdn: true });
    expect((await manifestOf(session)).removed).toEqual([]);
  });

  test.each(['empty', 'id'] as const)(
    'lists a removed item as long as a reference leads to it (the service shows it: %s)',
    async (unseenTarget) => {
      const models = { author, page };
      const contents = [published('author', 1, { name: 'A' }), published('page', 2, { title: 'a', to: 1 })];
      const space = openSpace(models, contents, { assumptions: { unseenTarget } });
      await space.sync();
      space.service.contents.unpublish(1);
      const removed = unseenTarget === 'id' ? [1] : [];
      for (let sync = 0; sync < 3; sync++) {
        await space.sync({ forceFullSync: true });
        expect(space.stored().removed).toEqual(removed);
      }
    },
  );

  test('does not list removed items that returned', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), removed: [8, 9] } });
    await session.put(content(8, { _created_at: at(8) }));
    expect((await manifestOf(session)).removed).toEqual([9]);
  });

  test('has the next sync read everything after a full read that cannot have seen everything', async () => {
    const session = (await openRead()).open();
    expect((await manifestOf(session)).readAgain).toEqual([]);
    session.isInconclusive = true;
    expect((await manifestOf(session)).readAgain).toBe('everything');
  });

  test('counts as read in full only if every group was', async () => {
    const html = { body: field.flexibleText() };
    const markdown = { body: field.flexibleText({ format: 'markdown' }) };
    const space = await openRead({ html, markdown }, [
      published('html', 1, { body: '<p>a</p>' }),
      published('markdown', 2, { body: '<p>b</p>' }),
    ]);
    const session = space.open({ manifest: { ...space.stored(), removed: [9] } });
    await readModels(session.groupOf('html'), ['html'], { bypassCdn: true });
    expect((await manifestOf(session)).removed).toEqual([9]);
  });
});
