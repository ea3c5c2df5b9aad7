import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { readHeads } from '../../../src/replica/read/heads.ts';
import { isAccountedFor, markHiddenMeanwhile, readInFull } from '../../../src/replica/sync/full-read.ts';
import type { SyncSession } from '../../../src/replica/sync/session.ts';
import { itemsOf, openSpace, published } from '../session-space.ts';

const title = field.text({ title: true });
const html = field.flexibleText();
const markdown = field.flexibleText({ format: 'markdown' });
const author = { title };
const article = { title, author: field.reference('author') };
const page = { title, to: field.reference() };

const headsOf = (session: SyncSession) => readHeads(session.headsSource, { bypassCdn: true });

/** Reads all models of a map in full, after the heads. */
async function readAll(models: ModelMap) {
  const session = openSpace(models, []).open();
  const heads = await headsOf(session);
  await readInFull(session, { models: Object.keys(models), heads, bypassCdn: true });
  const { unprovenModels, unprovenForUndeclared } = session.visibility;
  return { unproven: [...unprovenModels], forUndeclared: [...unprovenForUndeclared] };
}

describe('a full read of everything', () => {
  test('proves that typed references are empty', async () => {
    expect(await readAll({ author, article })).toEqual({ unproven: [], forUndeclared: [] });
  });

  test('proves of untyped references that they do not lead to declared content', async () => {
    expect(await readAll({ author, page })).toEqual({ unproven: [], forUndeclared: ['page'] });
  });

  test('in several formats proves this of references to models in the same formats only', async () => {
    const models = {
      tag: { title, body: html },
      post: { title, body: html, tag: field.reference('tag') },
      chapter: { title, body: markdown },
      section: { title, body: markdown, chapter: field.reference('chapter') },
      figure: { title, body: markdown, tag: field.reference('tag') },
      aside: { title, body: markdown, of: field.reference(['chapter', 'tag']) },
      summary: {
        title,
        body: markdown,
        chapter: field.reference('chapter'),
        tag: field.reference('tag'),
      },
      link: { title, body: markdown, to: field.reference() },
    };
    const { unproven, forUndeclared } = await readAll(models);
    expect(unproven.sort()).toEqual(['aside', 'figure', 'link', 'summary']);
    expect(forUndeclared).toEqual([]);
  });

  test('in one format is steady, whatever the others are', async () => {
    const models = { tag: { title, body: html }, chapter: { title, body: markdown } };
    const session = openSpace(models, []).open();
    expect(await readInFull(session, { models: ['chapter'], bypassCdn: true })).toEqual({ isSteady: true });
  });

  test('without heads leaves nothing to prove', async () => {
    const session = openSpace({ page }, []).open();
    await readInFull(session, { models: ['page'], bypassCdn: true });
    expect(session.visibility.unprovenForUndeclared.size).toBe(0);
  });

  test('settles what was unconfirmed before', async () => {
    const models = { author, article };
    const space = openSpace(models, [published('article', 3, { title: 'b' })]);
    await space.sync();
    const unconfirmed = { items: [[3, 'article', 3000] as const], models: ['article'] };
    const session = space.open({ manifest: { ...space.stored(), unconfirmed } });
    expect(session.visibility.unconfirmed.size).toBe(1);
    await readInFull(session, { models: ['article'], bypassCdn: true });
    expect(session.visibility.unconfirmed.size).toBe(0);
    expect(session.visibility.isUnconfirmed('article')).toBe(false);
  });
});

describe('an item that is hidden while the first of two pages is read', () => {
  const readWhileHidden = async (models: ModelMap) => {
    const contents = Array.from({ length: 150 }, (_, n) => published('author', 1 + n, { title: `${n}` }));
    const { service, open } = openSpace(models, contents, { serviceModels: { author, article, page } });
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

  test('looks as if it were new, if the heads also count undeclared content', async () => {
    expect(await readWhileHidden({ author, page })).toEqual({ isSteady: false, pages: 2 });
  });
});

describe('what happened during a full read', () => {
  const ONE_GROUP = { author, article };
  const TWO_GROUPS = { author: { title, body: html }, article: { title, body: markdown } };
  const TRACKED = { author, page };
  const TRACKED_IN_TWO_GROUPS = { author: { title, body: html }, page: { ...page, body: markdown } };

  const openWith = async (models: ModelMap) => {
    const contents = [published('author', 1, { title: 'a' }), published('author', 2, { title: 'b' })];
    const space = openSpace(models, contents);
    const session = await space.sync();
    const before = await headsOf(session);
    space.service.clock.advance(60_000);
    space.service.contents.edit(1, { title: 'edited' });
    await space.sync();
    const item = (await itemsOf(space.open())).get(1);
    return { session: space.open(), before, changes: item ? [{ item }] : [] };
  };

  test.each([
    ['nothing was hidden, if all totals are equal', ONE_GROUP, []],
    ['an edited item may have been, if there are several chains of pages', TWO_GROUPS, [1]],
  ])('%s', async (_, models, appeared) => {
    const { session, before, changes } = await openWith(models);
    markHiddenMeanwhile(session, { before, heads: before, changes, isSteady: true, isComplete: true });
    expect(session.visibility.appeared.map(([id]) => id)).toEqual(appeared);
  });

  test('is unknown, if only the totals of pages differ', async () => {
    const { session, before } = await openWith(ONE_GROUP);
    const around = { before, heads: before, changes: [] };
    expect(isAccountedFor(session, { ...around, isSteady: true })).toBe(true);
    expect(isAccountedFor(session, { ...around, isSteady: false })).toBe(false);
  });

  test.each([
    ['is unknown, if the heads count one item less', ONE_GROUP, true, false],
    ['is known, if the heads also count undeclared content', TRACKED, true, true],
    ['is unknown, if the totals of pages differ', TRACKED, false, false],
    ['is unknown, if the pages are in several chains', TRACKED_IN_TWO_GROUPS, true, false],
  ])('%s', async (_, models, isSteady, isKnown) => {
    const { session, before } = await openWith(models);
    const heads = { ...before, total: before.total - 1 };
    expect(isAccountedFor(session, { before, heads, changes: [], isSteady })).toBe(isKnown);
  });
});
