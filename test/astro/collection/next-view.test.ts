import { describe, expect, test } from 'vitest';
import type { Collection } from '../../../src/astro/collection/view/collection.ts';
import { findDifference } from '../../../src/astro/collection/view/difference.ts';
import { restoreMembers, storedMembers } from '../../../src/astro/collection/view/member-list.ts';
import { nextView, readEntries } from '../../../src/astro/collection/view/next-view.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import type { Entry } from '../../../src/entries/collection.ts';
import { field } from '../../../src/index.ts';
import { at, content } from '../../replica/wire-items.ts';
import { contentOf, entriesOf, openView, type TestOptions, testCollection } from './open-view.ts';

const models = {
  author: { name: field.text({ title: true }), mentor: field.reference('author') },
  article: {
    title: field.text({ title: true }),
    slug: field.text(),
    author: field.reference('author'),
    cover: field.media(),
  },
};

const author = (id: number, name: string, fields: object = {}) =>
  content(id, { _model: 'author', _title: name, name, ...fields });
const article = (id: number, title: string, fields: object = {}) =>
  content(id, { _created_at: at(id), _title: title, title, slug: `slug-${id}`, ...fields });

/** Two authors, the first with a mentor, and articles of them. */
const ITEMS = [
  author(1, 'Mori', { mentor: 2 }),
  author(2, 'Berg'),
  article(11, 'a', { author: 1 }),
  article(12, 'c', { author: 2, cover: { url: '/a.jpg', alt: 'A' } }),
  article(13, 'e'),
  article(14, 'g'),
];

/** The items with these instead of those with their ids, and without some. */
function change(put: readonly WireContent[], removed: readonly number[] = [], items = ITEMS) {
  const kept = items.filter(({ _id }) => !removed.includes(_id) && !put.some((item) => item._id === _id));
  return [...kept, ...put];
}

interface Content {
  readonly main: readonly WireContent[];
  /** In English. */
  readonly sub?: readonly WireContent[];
  readonly gone?: readonly number[];
}

type Options = TestOptions & { readonly people?: { readonly model: string } };
type ContentMembers = { readonly byLanguage: readonly (readonly { id: string; itemId: number }[])[] };

interface Planned {
  readonly made: readonly Entry[] | undefined;
  readonly removed: readonly string[];
  readonly affected: ReadonlySet<number> | undefined;
  readonly next: ContentMembers | undefined;
  /** Opened anew. */
  readonly full: readonly Entry[];
  readonly whole: ContentMembers;
}

/** Goes from the stored members of one content to the view of another, and opens that anew too. */
async function plan(
  { people, ...options }: Options,
  before: Content,
  after: Content,
  changed: readonly number[],
): Promise<Planned> {
  const collection: Collection = testCollection(models, 'article', options, people);
  const earlier = await openView(collection, await contentOf(models, before));
  const stored = restoreMembers(JSON.parse(JSON.stringify(storedMembers(earlier))));
  const now = await contentOf(models, after, { removed: [...(after.gone ?? [])] });
  const whole = await openView(collection, now);
  const next = await nextView(collection, { before: stored, content: now, changed: new Set(changed) });
  const result = { whole, full: entriesOf(whole) };
  if (!next) return { ...result, made: undefined, removed: [], affected: undefined, next: undefined };
  const { view, affected } = next;
  const difference = findDifference(stored, view, affected);
  const members = difference.changed.map(({ member }) => member);
  await readEntries(collection, now, next, members);
  return {
    ...result,
    made: members.map((member) => view.entryOf(member)),
    removed: difference.removed,
    affected,
    next: view,
  };
}

const idsOf = (entries: readonly Entry[] | undefined) => entries?.map(({ id }) => id);
const plain = ({ id, item, computed }: Entry) => ({ id, item, computed });
const membersIn = (view: ContentMembers | undefined) =>
  view?.byLanguage.map((list) => list.map(({ id, itemId }) => [id, itemId]));

/** What may be new or other, and what is gone, after the next view was found to be what opening it anew gives. */
function changesOf({ made, removed, full, next, whole }: Planned) {
  expect(made).toBeDefined();
  for (const entry of made ?? [])
    expect(plain(entry)).toEqual(full.filter(({ id }) => id === entry.id).map(plain)[0]);
  expect(membersIn(next)).toEqual(membersIn(whole));
  return { made: idsOf(made), removed };
}

describe('an update makes', () => {
  test('no entry if nothing changed', async () => {
    expect(changesOf(await plan({}, { main: ITEMS }, { main: ITEMS }, []))).toEqual({
      made: [],
      removed: [],
    });
  });

  test('the entry of an edited article', async () => {
    const after = change([article(13, 'new')]);
    const planned = await plan({}, { main: ITEMS }, { main: after }, [13]);
    expect(changesOf(planned)).toEqual({ made: ['13'], removed: [] });
    expect(planned.made?.[0]?.item.title).toBe('new');
  });

  test('the entries that show a renamed author', async () => {
    const after = change([author(1, 'Mori Aki', { mentor: 2 })]);
    const planned = await plan({ depth: 1 }, { main: ITEMS }, { main: after }, [1]);
    expect(changesOf(planned)).toEqual({ made: ['11'], removed: [] });
    expect(planned.made?.[0]?.languageItems.get(1)?.name).toBe('Mori Aki');
    expect(planned.affected).toEqual(new Set([1, 11]));
  });

  test('the entries that lead to it through one reference more than `depth`, and no others', async () => {
    const after = change([author(2, 'Berg Ida')]);
    const made = async (depth: 0 | 1) =>
      changesOf(await plan({ depth }, { main: ITEMS }, { main: after }, [2])).made;
    expect(await made(0)).toEqual(['12']);
    expect(await made(1)).toEqual(['11', '12']);
  });

  test('the entries that referred to a removed author', async () => {
    const after = { main: change([], [2]), removed: [2] };
    const planned = await plan({ depth: 0 }, { main: ITEMS }, after, [2]);
    expect(changesOf(planned)).toEqual({ made: ['12'], removed: [] });
  });

  test('the entry of a new article', async () => {
    const after = change([article(20, 'new', { author: 1 })]);
    expect(changesOf(await plan({}, { main: ITEMS }, { main: after }, [20]))).toEqual({
      made: ['20'],
      removed: [],
    });
  });
});

describe('new entries are made in the order in which all entries are', () => {
  test('by the time at which their content was created, not by its id', async () => {
    const after = change([
      article(21, 'x', { _created_at: at(20) }),
      article(20, 'y', { _created_at: at(21) }),
    ]);
    const planned = await plan({}, { main: ITEMS }, { main: after }, [20, 21]);
    expect(changesOf(planned).made).toEqual(['21', '20']);
    expect(idsOf(planned.full)?.slice(-2)).toEqual(['21', '20']);
  });

  test('those that fall back to the main language last', async () => {
    const options = { lang: 'en', fallback: true };
    const created = [article(20, 'x'), article(21, 'y')];
    const after = { main: change(created), sub: created.slice(1) };
    const planned = await plan(options, { main: ITEMS, sub: [] }, after, [20, 21]);
    expect(changesOf(planned).made).toEqual(['21', '20']);
    expect(idsOf(planned.full)).toEqual(['21', '11', '12', '13', '14', '20']);
  });
});

describe('an update removes', () => {
  test('the entry of removed content', async () => {
    const after = { main: change([], [13]), removed: [13] };
    expect(changesOf(await plan({}, { main: ITEMS }, after, [13]))).toEqual({ made: [], removed: ['13'] });
  });

  test('an entry that the collection does not contain any more', async () => {
    const options = { where: { title: { contains: 'e' } } };
    const after = change([article(13, 'x')]);
    expect(changesOf(await plan(options, { main: ITEMS }, { main: after }, [13]))).toEqual({
      made: [],
      removed: ['13'],
    });
  });

  test('an entry whose author is not what `where` requires any more', async () => {
    const options = { where: { 'author.name': { contains: 'Mori' } } };
    const after = change([author(1, 'Hill')]);
    expect(changesOf(await plan(options, { main: ITEMS }, { main: after }, [1]))).toEqual({
      made: [],
      removed: ['11'],
    });
  });

  test('the former id of an entry', async () => {
    const after = change([article(13, 'e', { slug: 'new' })]);
    expect(changesOf(await plan({ id: 'slug' }, { main: ITEMS }, { main: after }, [13]))).toEqual({
      made: ['new'],
      removed: ['slug-13'],
    });
  });
});

describe('with neighbours, an update makes', () => {
  const options = { neighbours: { order: 'title' } } as const;
  const changes = async (after: readonly WireContent[], ids: readonly number[]) => {
    const planned = await plan(options, { main: ITEMS }, { main: after }, ids);
    const result = changesOf(planned);
    return result;
  };

  test('a new entry and those next to it', async () => {
    const after = change([article(20, 'd')]);
    expect(await changes(after, [20])).toEqual({ made: ['12', '20', '13'], removed: [] });
    const planned = await plan(options, { main: ITEMS }, { main: after }, [20]);
    expect(planned.made?.[1]?.computed).toEqual({
      _prev: { _id: 12, _title: 'c', id: '12' },
      _next: { _id: 13, _title: 'e', id: '13' },
    });
  });

  test('a new entry at either end', async () => {
    expect((await changes(change([article(20, '_')]), [20])).made).toEqual(['20', '11']);
    expect((await changes(change([article(20, 'z')]), [20])).made).toEqual(['14', '20']);
  });

  test('several new entries in one gap', async () => {
    const after = change([article(20, 'dd'), article(21, 'd')]);
    expect((await changes(after, [20, 21])).made).toEqual(['12', '21', '20', '13']);
  });

  test('those next to a removed entry', async () => {
    expect(await changes(change([], [13]), [13])).toEqual({ made: ['12', '14'], removed: ['13'] });
    expect(await changes(change([], [11]), [11])).toEqual({ made: ['12'], removed: ['11'] });
  });

  test('those next to the former and the new place of an entry', async () => {
    const after = change([article(11, 'f', { author: 1 })]);
    expect((await changes(after, [11])).made).toEqual(['12', '13', '11', '14']);
  });

  test('entries of equal values in the order of their ids', async () => {
    const after = change([article(20, 'e'), article(10, 'e')]);
    expect((await changes(after, [20, 10])).made).toEqual(['12', '10', '13', '20', '14']);
  });
});

describe('in several languages, an update makes', () => {
  const options = { langs: ['ja', 'en'], fallback: true };
  const english = [article(11, 'a in English', { author: 1 }), article(12, 'c in English')];

  test('the entries of all languages that show an edited article', async () => {
    const before = { main: ITEMS, sub: english };
    const after = { main: change([article(13, 'new')]), sub: english };
    expect(changesOf(await plan(options, before, after, [13]))).toEqual({
      made: ['ja/13', 'en/13'],
      removed: [],
    });
  });

  test('the entries of an article that refers to a renamed author in one of them only', async () => {
    const sub = change([article(13, 'e in English', { author: 2 })], [], english);
    const after = { main: change([author(2, 'Berg Ida')]), sub };
    expect(changesOf(await plan(options, { main: ITEMS, sub }, after, [2])).made).toEqual(
      expect.arrayContaining(['en/13']),
    );
  });

  test('the entry that falls back to the main language', async () => {
    const before = { main: ITEMS, sub: english };
    const after = { main: ITEMS, sub: change([], [12], english) };
    const planned = await plan(options, before, after, [12]);
    expect(changesOf(planned)).toEqual({ made: ['ja/12', 'en/12'], removed: [] });
    expect(planned.made?.[1]).toMatchObject({ item: { title: 'c' }, computed: { _fallback: true } });
  });

  test('nothing for a language without the content', async () => {
    const before = { main: ITEMS, sub: english };
    const after = { main: change([], [11]), sub: change([], [11], english), removed: [11] };
    expect(changesOf(await plan(options, before, after, [11]))).toEqual({
      made: [],
      removed: ['ja/11', 'en/11'],
    });
  });
});

describe('references to another collection', () => {
  test('are made again if what decides whether it contains their target changed', async () => {
    // Whether the collection contains author 1 depends on the name of author 2.
    const people = { model: 'author', where: { 'mentor.name': { contains: 'Berg' } } };
    const options = { depth: 0, references: { author: 'authors' }, people };
    const after = change([author(2, 'Hill')]);
    const planned = await plan(options, { main: ITEMS }, { main: after }, [2]);
    expect(changesOf(planned)).toEqual({ made: ['11', '12'], removed: [] });
    expect(planned.made?.[0]?.computed).toEqual({ author: null });
  });
});

describe('ids', () => {
  test('may be exchanged by two changed entries', async () => {
    const swapped = change([article(13, 'e', { slug: 'slug-14' }), article(14, 'g', { slug: 'slug-13' })]);
    expect(changesOf(await plan({ id: 'slug' }, { main: ITEMS }, { main: swapped }, [13, 14]))).toEqual({
      made: ['slug-14', 'slug-13'],
      removed: [],
    });
  });

  test('that are not usable remove their entries', async () => {
    for (const slug of [null, '', '../up']) {
      const unusable = change([article(13, 'e', { slug })]);
      const planned = await plan({ id: 'slug' }, { main: ITEMS }, { main: unusable }, [13]);
      expect(changesOf(planned)).toEqual({ made: [], removed: ['slug-13'] });
    }
  });
});

describe('what is skipped', () => {
  const skipped = change([article(13, 'e', { slug: '' })]);

  test('is reported again with the next change, whatever that is', async () => {
    const collection = testCollection(models, 'article', { id: 'slug' });
    const earlier = await openView(collection, await contentOf(models, { main: skipped }));
    const now = await contentOf(models, { main: change([article(14, 'x')], [], skipped) });
    const next = await nextView(collection, { before: earlier, content: now, changed: new Set([14]) });
    expect(next?.view.withoutId.map(({ item }) => item._id)).toEqual([13]);
  });

  test('has an entry when it is corrected', async () => {
    const planned = await plan({ id: 'slug' }, { main: skipped }, { main: ITEMS }, [13]);
    expect(changesOf(planned)).toEqual({ made: ['slug-13'], removed: [] });
  });
});

test('if more than 1,000 items are affected, and half of the collection, the view is opened anew', async () => {
  const articles = (count: number, by: number, from: number) =>
    Array.from({ length: count }, (_, index) => article(from + index, 'x', { author: by }));
  const madeOf = async (main: readonly WireContent[]) =>
    (await plan({ depth: 0 }, { main }, { main }, [1])).made?.length;
  const authors = [author(1, 'Mori'), author(2, 'Berg')];
  const [many, few] = [articles(1000, 1, 100), articles(999, 1, 100)];
  expect(await madeOf([...authors, ...many])).toBeUndefined();
  expect(await madeOf([...authors, ...few])).toBe(999);
  expect(await madeOf([...authors, ...many, ...articles(1002, 2, 5000)])).toBe(1000);
  expect(await madeOf([...authors, ...many, ...articles(1001, 2, 5000)])).toBeUndefined();
});

test('what entries list as backlinks is known of all, also of those that are not made again', async () => {
  const options = { backlinks: { articles: { from: 'article', by: 'author' } } };
  const collection = testCollection(models, 'author', options);
  const before = await openView(collection, await contentOf(models, { main: ITEMS }));
  const now = await contentOf(models, { main: change([article(11, 'other', { author: 1 })]) });
  const next = await nextView(collection, { before, content: now, changed: new Set([11]) });
  if (!next) throw new Error('opened anew');
  const { changed } = findDifference(before, next.view, next.affected);
  const members = changed.map(({ member }) => member);
  await readEntries(collection, now, next, members);
  expect(members.map(({ itemId }) => itemId)).not.toContain(2);
  expect(next.view.listed).toEqual((await openView(collection, now)).listed);
});
