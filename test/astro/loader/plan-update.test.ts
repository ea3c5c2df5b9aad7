import { describe, expect, test } from 'vitest';
import { type LoaderOptions, planLoader } from '../../../src/astro/loader/loader-options.ts';
import { planEntries } from '../../../src/astro/loader/plan-entries.ts';
import { planUpdate, type Update } from '../../../src/astro/loader/plan-update.ts';
import { membersByLanguage, type StoredMembers } from '../../../src/astro/loader/stored-members.ts';
import type { LanguageReplicas } from '../../../src/astro/loader/sync-languages.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import type { Entry } from '../../../src/entries/collection.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { mediaKey } from '../../../src/replica/store/item-facts.ts';
import { DamagedSegment } from '../../../src/replica/store/model-table.ts';
import { SpaceRuntime } from '../../../src/space/runtime.ts';
import type { RunningSpace } from '../../../src/space/space.ts';
import { replicaOf } from '../../replica/replica-of.ts';
import { at, content } from '../../replica/wire-items.ts';

const models = {
  author: { name: field.text({ title: true }), mentor: field.reference('author') },
  article: {
    title: field.text({ title: true }),
    slug: field.text(),
    author: field.reference('author'),
    cover: field.media(),
  },
};
const space: RunningSpace = {
  ...defineSpace({ models, languages: { main: 'ja', sub: ['en'] } }),
  runtime: new SpaceRuntime(),
} as unknown as RunningSpace;

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

interface Planned {
  readonly update: Update | undefined;
  /** Of the content as it is now. */
  readonly full: readonly Entry[];
  readonly members: StoredMembers['languages'];
}

/** Plans how to get from the entries of one content to those of another, and makes all of them too. */
async function plan(
  options: LoaderOptions<typeof models, 'article'>,
  before: Content,
  after: Content,
  changed: readonly number[],
  known: Partial<StoredMembers> = {},
): Promise<Planned> {
  const loaderPlan = planLoader(models, space.settings, 'article', options as LoaderOptions);
  const history = { start: 'before', steps: [{ to: 'after', ids: changed }] };
  const replicasOf = async ({ main, sub, gone = [] }: Content): Promise<LanguageReplicas> => ({
    main: await replicaOf(models, main, { history, gone }),
    sub: new Map(sub && [['en', await replicaOf(models, sub, { history, gone })]]),
  });
  const entriesOf = async (of: LanguageReplicas) =>
    (await planEntries(space, loaderPlan, of, 'articles')).entries;
  const entries = await entriesOf(await replicasOf(before));
  const ids = new Set(entries.map(({ id }) => id));
  const stored: StoredMembers = {
    configuration: '',
    replicas: before.sub ? ['before', 'before'] : ['before'],
    languages: membersByLanguage(loaderPlan, entries),
    ...known,
  };
  const replicas = await replicasOf(after);
  const update = await planUpdate({
    space,
    plan: loaderPlan,
    replicas,
    collection: 'articles',
    stored,
    hasEntry: (id) => ids.has(id),
  });
  const full = await entriesOf(replicas);
  return { update, full, members: membersByLanguage(loaderPlan, full) };
}

const idsOf = (entries: readonly Entry[] | undefined) => entries?.map(({ id }) => id);
const plain = ({ id, item, computed }: Entry) => ({ id, item, computed });

/** What is made again and removed, after it was found to be what all entries would be. */
function changesOf({ update, full, members }: Planned) {
  expect(update).toBeDefined();
  for (const entry of update?.entries ?? [])
    expect(plain(entry)).toEqual(full.filter(({ id }) => id === entry.id).map(plain)[0]);
  const sorted = (languages: StoredMembers['languages'] = []) =>
    languages.map((list) => [...list].sort((a, b) => a[0] - b[0]));
  expect(sorted(update?.languages)).toEqual(sorted(members));
  return { made: idsOf(update?.entries), removed: update?.removed };
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
    expect(planned.update?.entries[0]?.item.title).toBe('new');
  });

  test('the entries that show a renamed author', async () => {
    const after = change([author(1, 'Mori Aki', { mentor: 2 })]);
    const planned = await plan({ depth: 1 }, { main: ITEMS }, { main: after }, [1]);
    expect(changesOf(planned)).toEqual({ made: ['11'], removed: [] });
    expect(planned.update?.entries[0]?.languageItems.get(1)?.name).toBe('Mori Aki');
    expect(planned.update?.affected).toEqual(new Set([1, 11]));
  });

  test('the entries that lead to it through one reference more than `depth`, and no others', async () => {
    const after = change([author(2, 'Berg Ida')]);
    const made = async (depth: 0 | 1) =>
      changesOf(await plan({ depth }, { main: ITEMS }, { main: after }, [2])).made;
    expect(await made(0)).toEqual(['12']);
    expect(await made(1)).toEqual(['11', '12']);
  });

  test('the entries that referred to a removed author', async () => {
    const after = { main: change([], [2]), gone: [2] };
    const planned = await plan({ depth: 0 }, { main: ITEMS }, after, [2]);
    expect(changesOf(planned)).toEqual({ made: ['12'], removed: [] });
  });

  test('the entries that show media with another alternative text', async () => {
    const planned = await plan({}, { main: ITEMS }, { main: ITEMS }, [mediaKey('/a.jpg')]);
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
    const options = { lang: 'en', fallback: true } as LoaderOptions<typeof models, 'article'>;
    const created = [article(20, 'x'), article(21, 'y')];
    const after = { main: change(created), sub: created.slice(1) };
    const planned = await plan(options, { main: ITEMS, sub: [] }, after, [20, 21]);
    expect(changesOf(planned).made).toEqual(['21', '20']);
    expect(idsOf(planned.full)).toEqual(['21', '11', '12', '13', '14', '20']);
  });
});

describe('an update removes', () => {
  test('the entry of removed content', async () => {
    const after = { main: change([], [13]), gone: [13] };
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
    const options = { where: { 'author.name': { contains: 'Mori' } } } as LoaderOptions<
      typeof models,
      'article'
    >;
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
    // The order of members decides the neighbours of the next update.
    expect(planned.update?.languages).toEqual(planned.members);
    return result;
  };

  test('a new entry and those next to it', async () => {
    const after = change([article(20, 'd')]);
    expect(await changes(after, [20])).toEqual({ made: ['12', '20', '13'], removed: [] });
    const planned = await plan(options, { main: ITEMS }, { main: after }, [20]);
    expect(planned.update?.entries[1]?.computed).toEqual({
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
  const options = { langs: ['ja', 'en'], fallback: true } as LoaderOptions<typeof models, 'article'>;
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
    expect(planned.update?.entries[1]).toMatchObject({ item: { title: 'c' }, computed: { _fallback: true } });
  });

  test('nothing for a language without the content', async () => {
    const before = { main: ITEMS, sub: english };
    const after = { main: change([], [11]), sub: change([], [11], english), gone: [11] };
    expect(changesOf(await plan(options, before, after, [11]))).toEqual({
      made: [],
      removed: ['ja/11', 'en/11'],
    });
  });
});

describe('references to another collection', () => {
  const options = { depth: 0, references: { author: 'authors' } } as LoaderOptions<typeof models, 'article'>;
  const authorPlan = (where: object) =>
    planLoader(models, space.settings, 'author', { where } as LoaderOptions);

  test('are made again if what decides whether it contains their target changed', async () => {
    // Whether the collection contains author 1 depends on the name of author 2.
    space.runtime.collections.set('authors', authorPlan({ 'mentor.name': { contains: 'Berg' } }));
    const after = change([author(2, 'Hill')]);
    const planned = await plan(options, { main: ITEMS }, { main: after }, [2]);
    expect(changesOf(planned)).toEqual({ made: ['11', '12'], removed: [] });
    expect(planned.update?.entries[0]?.computed).toEqual({ author: null });
  });
});

describe('all entries have to be made', () => {
  const after = change([article(13, 'new')]);

  test('if nothing is known of the content that is stored', async () => {
    const { update } = await plan({}, { main: ITEMS }, { main: after }, [13], { replicas: ['unknown'] });
    expect(update).toBeUndefined();
  });

  test('if that is unknown of one language only', async () => {
    const content = { main: ITEMS, sub: [] };
    const replicas = ['before', 'unknown'];
    expect((await plan({ lang: 'ja' }, content, content, [13], { replicas })).update).toBeUndefined();
    expect((await plan({ lang: 'ja' }, content, content, [13])).update).toBeDefined();
  });

  test('if they were made of more or fewer languages', async () => {
    const known = { replicas: ['before', 'before'] };
    expect((await plan({}, { main: ITEMS }, { main: after }, [13], known)).update).toBeUndefined();
    expect((await plan({}, { main: ITEMS }, { main: after }, [13], { replicas: [] })).update).toBeUndefined();
  });

  test('if the id of an entry is taken by another', async () => {
    const taken = change([article(13, 'e', { slug: 'slug-14' })]);
    expect((await plan({ id: 'slug' }, { main: ITEMS }, { main: taken }, [13])).update).toBeUndefined();
  });

  test('if two changed entries have the same id', async () => {
    const same = change([article(13, 'e', { slug: 'new' }), article(14, 'g', { slug: 'new' })]);
    expect((await plan({ id: 'slug' }, { main: ITEMS }, { main: same }, [13, 14])).update).toBeUndefined();
  });

  test('but not if two changed entries exchange their ids', async () => {
    const swapped = change([article(13, 'e', { slug: 'slug-14' }), article(14, 'g', { slug: 'slug-13' })]);
    expect(changesOf(await plan({ id: 'slug' }, { main: ITEMS }, { main: swapped }, [13, 14]))).toEqual({
      made: ['slug-14', 'slug-13'],
      removed: [],
    });
  });

  test('if an item has no usable id', async () => {
    for (const slug of [null, '', '../up']) {
      const unusable = change([article(13, 'e', { slug })]);
      expect((await plan({ id: 'slug' }, { main: ITEMS }, { main: unusable }, [13])).update).toBeUndefined();
    }
  });

  test('if more than 1,000 items are affected, and half of the collection', async () => {
    const articles = (count: number, by: number, from: number) =>
      Array.from({ length: count }, (_, index) => article(from + index, 'x', { author: by }));
    const updateOf = async (main: readonly WireContent[]) =>
      (await plan({ depth: 0 }, { main }, { main }, [1])).update;
    const authors = [author(1, 'Mori'), author(2, 'Berg')];
    const [many, few] = [articles(1000, 1, 100), articles(999, 1, 100)];
    expect(await updateOf([...authors, ...many])).toBeUndefined();
    expect((await updateOf([...authors, ...few]))?.entries).toHaveLength(999);
    expect((await updateOf([...authors, ...many, ...articles(1002, 2, 5000)]))?.entries).toHaveLength(1000);
    expect(await updateOf([...authors, ...many, ...articles(1001, 2, 5000)])).toBeUndefined();
  });

  test('if a segment is damaged: making them repairs it; another error is one', async () => {
    const loaderPlan = planLoader(models, space.settings, 'article', {});
    const replica = await replicaOf(models, ITEMS, { history: { start: 'before', steps: [] } });
    const planned = (error: Error) =>
      planUpdate({
        space,
        plan: loaderPlan,
        replicas: { main: { ...replica, index: () => Promise.reject(error) }, sub: new Map() },
        collection: 'articles',
        stored: { configuration: '', replicas: ['before'], languages: [[]] },
        hasEntry: () => false,
      });
    expect(await planned(new DamagedSegment('article'))).toBeUndefined();
    await expect(planned(new Error('disk'))).rejects.toThrow('disk');
  });
});
