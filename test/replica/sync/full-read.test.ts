import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { readHeads } from '../../../src/replica/read/heads.ts';
import { isAccountedFor, markNew, readInFull } from '../../../src/replica/sync/full-read.ts';
import type { SyncSession } from '../../../src/replica/sync/session.ts';
import { itemsOf, openSpace, published } from '../session-space.ts';

const title = field.text({ title: true });
const html = field.flexibleText();
const markdown = field.flexibleText({ format: 'markdown' });
const author = { title };
const article = { title, author: field.reference('author') };

const headsOf = (session: SyncSession) => readHeads(session.headsSource, { bypassCdn: true });

describe('a full read', () => {
  const markdownNote = { title, body: markdown };
  const contents = [published('author', 1, { title: 'a' }), published('article', 2, { title: 'b' })];

  /** What the next sync reads once more. */
  async function readAgainAfter(
    models: ModelMap,
    { lang, read = Object.keys(models), isCold = false } = {} as {
      lang?: string;
      read?: string[];
      isCold?: boolean;
    },
  ) {
    const both = contents.map((item) => ({ ...item, published: { ja: { title: 'x' }, en: { title: 'x' } } }));
    const session = openSpace(models, both).open({ lang });
    const heads = isCold ? undefined : await headsOf(session);
    await readInFull(session, { models: read, ...(heads && { heads }), bypassCdn: true });
    return [...session.toReadNextTime];
  }

  test('of everything in one list proves that references are empty', async () => {
    expect(await readAgainAfter({ author, article })).toEqual([]);
    expect(await readAgainAfter({ author, article: { title, to: field.reference() } })).toEqual([]);
  });

  test('proves nothing in another language, in several formats or of one model', async () => {
    expect(await readAgainAfter({ author, article }, { lang: 'en' })).toEqual([2]);
    expect(await readAgainAfter({ author: { title, body: html }, article, note: markdownNote })).toEqual([2]);
    expect(await readAgainAfter({ author, article }, { read: ['article'] })).toEqual([2]);
  });

  test('of a space that the next sync reads in full anyway leaves nothing to read again', async () => {
    expect(await readAgainAfter({ author, article }, { lang: 'en', isCold: true })).toEqual([]);
  });

  test('is the second reading of what is as it was', async () => {
    const models = { author, article };
    const both = contents.map((item) => ({ ...item, published: { ja: { title: 'x' }, en: { title: 'x' } } }));
    const space = openSpace(models, both);
    await space.sync();
    await space.sync({ lang: 'en' });
    expect(space.stored('en').readAgain).toEqual([2]);
    await space.sync({ lang: 'en', forceFullSync: true });
    expect(space.stored('en').readAgain).toEqual([]);
  });
});

describe('an item that is hidden while the first of two pages is read', () => {
  const readWhileHidden = async (models: ModelMap) => {
    const contents = Array.from({ length: 150 }, (_, n) => published('author', 1 + n, { title: `${n}` }));
    const { service, open } = openSpace(models, contents);
    const session = open();
    const heads = await headsOf(session);
    service.contents.archive(150);
    let pages = 0;
    service.beforeRequest = async () => {
      if (pages++ !== 1) return;
      await new Promise((resolve) => setImmediate(resolve));
      service.contents.restore(150);
    };
    const { isSteady } = await readInFull(session, { models: Object.keys(models), heads, bypassCdn: true });
    return { isSteady, pages };
  };

  test('is noticed by the total of the heads: both are read again', async () => {
    expect(await readWhileHidden({ author, article })).toEqual({ isSteady: true, pages: 4 });
  });
});

describe('what happened during a full read', () => {
  const ONE_GROUP = { author, article };

  const openWith = async (models: ModelMap) => {
    const contents = [published('author', 1, { title: 'a' }), published('author', 2, { title: 'b' })];
    const space = openSpace(models, contents);
    const session = await space.sync();
    const before = await headsOf(session);
    space.service.clock.advance(60_000);
    space.service.contents.edit(1, { title: 'edited' });
    await space.sync();
    const created = { model: 'author', published: { ja: { title: 'new' } } };
    const id = space.service.contents.create(created);
    await space.sync();
    const items = await itemsOf(space.open());
    const changes = [1, id].flatMap((one) => items.get(one) ?? []);
    return { session: space.open(), before, changes, id };
  };

  test('what is new appeared, what was edited did not', async () => {
    const { session, before, changes, id } = await openWith(ONE_GROUP);
    markNew(session, { before, heads: before, changes, isSteady: true });
    expect([...session.appeared.keys()]).toEqual([id]);
  });

  test('is unknown, if only the totals of pages differ', async () => {
    const { before } = await openWith(ONE_GROUP);
    const around = { before, heads: before, changes: [] };
    expect(isAccountedFor({ ...around, isSteady: true })).toBe(true);
    expect(isAccountedFor({ ...around, isSteady: false })).toBe(false);
  });

  test('is unknown, if the heads count one item less', async () => {
    const { before } = await openWith(ONE_GROUP);
    const heads = { ...before, total: before.total - 1 };
    expect(isAccountedFor({ before, heads, changes: [], isSteady: true })).toBe(false);
  });
});
