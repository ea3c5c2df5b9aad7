import { describe, expect, test } from 'vitest';
import type { WireContent, WireList } from '../../../src/contract/content.ts';
import type { Emulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import type { SyncSession } from '../../../src/replica/sync/session.ts';
import { syncLanguage } from '../../../src/replica/sync/sync.ts';
import { LuidError } from '../../../src/shared/errors.ts';
import {
  itemsOf,
  NO_MAIN_CHANGES,
  nameOf,
  openSpace,
  published,
  type SeedItem,
  type Space,
} from '../session-space.ts';
import { at, second } from '../wire-items.ts';

const author = { name: field.text({ title: true }) };
const article = { title: field.text({ title: true }), author: field.reference('author') };
const note = { title: field.text({ title: true }) };
const page = { title: field.text({ title: true }), to: field.reference() };
const MODELS: ModelMap = { author, article };
const NOTES: ModelMap = { note };
const TYPES: ModelMap = { author, article, note };
/** A response has one format per field, so they are not requested together. */
const FLEXIBLE = {
  html: { body: field.flexibleText() },
  markdown: { body: field.flexibleText({ format: 'markdown' }) },
};

const CONTENTS = [
  published('author', 1, { name: 'A' }),
  published('article', 2, { title: 'a', author: 1 }),
  published('article', 3, { title: 'b' }),
];

/** So many notes, one created each second. */
function notes(count: number, from = 1001): SeedItem[] {
  return Array.from({ length: count }, (_, n) => published('note', from + n, { title: `note ${n}` }));
}

const NEWEST = ['newest by _updated_at', 'newest by _last_published_at'];
const FRESH = NEWEST.map((request) => `${request} bypassing the CDN`);

/** A space that was synced once, a minute ago. */
async function openRead(
  models: ModelMap,
  contents: readonly SeedItem[],
  options: Parameters<typeof openSpace>[2] & Parameters<Space['sync']>[0] = {},
): Promise<Space> {
  const { apiKey, concurrency = 0, ...rest } = options;
  const space = openSpace(models, contents, rest);
  await space.sync({ concurrency, ...(apiKey && { apiKey }) });
  space.service.clock.advance(60_000);
  return space;
}

/** Runs something before each request that reaches the service, which gets its name and how many came before. */
function onRequest(service: Emulator, act: (name: string, count: number) => void | Promise<void>): void {
  let count = 0;
  service.beforeRequest = ({ url }) => act(nameOf(new URL(url).searchParams), count++);
}

/** Filters of the requests for pages by a time of change, each once. */
function filtersOf(service: Emulator): Record<string, string>[] {
  const filters = service.log
    .map(({ query }) => new URLSearchParams(query))
    .filter((query) => nameOf(query).startsWith('page') && !query.get('order')?.startsWith('_created_at'))
    .map((query) =>
      JSON.stringify(Object.fromEntries([...query].filter(([name]) => /^_(updated|last)/.test(name)))),
    );
  return [...new Set(filters)].map((filter) => JSON.parse(filter));
}

/** A service behind a CDN that keeps responding to these requests as it does now. */
async function freeze(space: Space, isFrozen: (name: string) => boolean): Promise<typeof fetch> {
  const kept = new Map<string, Promise<string>>();
  const { service } = space;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    if (!isFrozen(nameOf(new URL(url).searchParams))) return service.fetch(url, init);
    const text = kept.get(url) ?? service.fetch(url, init).then((response) => response.text());
    kept.set(url, text);
    return new Response(await text, { headers: { 'content-type': 'application/json' } });
  };
  // Fills it, and stores nothing.
  await syncLanguage(space.open({ fetch }));
  return fetch;
}

/** A service whose responses are changed on their way. */
function altering({ service }: Space, alter: (name: string, list: WireList) => void): typeof fetch {
  return async (input, init) => {
    const response = await service.fetch(input as string, init);
    const list = (await response.json()) as WireList;
    alter(nameOf(new URL(String(input)).searchParams), list);
    return Response.json(list);
  };
}

const titlesOf = async (session: SyncSession) =>
  Object.fromEntries([...(await itemsOf(session))].map(([id, { _title }]) => [id, _title]));
const itemOf = async (session: SyncSession, id: number) => (await itemsOf(session)).get(id) as WireContent;

describe('a space of which nothing is stored', () => {
  const count = 'count note';
  const page = 'page of note by _created_at';

  test('is counted, and read past the CDN in one round if it is small', async () => {
    const space = openSpace(NOTES, notes(150));
    const requests = await space.requests(() => space.sync({ concurrency: 2 }));
    expect(requests).toEqual([count, ...Array(2).fill(`${page} bypassing the CDN`)]);
    expect(space.stored()).toMatchObject({ cursor: null, heads: null, readAgain: [] });
  });

  test('is read with heads if it is not small', async () => {
    const space = openSpace(NOTES, notes(250));
    const requests = await space.requests(() => space.sync({ concurrency: 2 }));
    expect(requests).toEqual([count, ...NEWEST, ...Array(3).fill(page), ...FRESH]);
  });

  test.each([
    [0, 250],
    [3, 250],
    [199, 250],
    [100_000, 250],
    [250, 3],
    [250, 0],
  ])('is read whole where the CDN counts %i, and there are %i', async (counted, existing) => {
    for (const concurrency of [0, 1, 2, 16]) {
      const space = openSpace(NOTES, notes(existing));
      const fetch = altering(space, (name, list) => {
        const data = counted > 0 ? [{ _id: 1001 }] : [];
        if (name === count) Object.assign(list, { total: counted, data });
      });
      const session = await space.sync({ concurrency, fetch });
      expect([...(await itemsOf(session)).keys()]).toEqual(notes(existing).map(({ id }) => id));
    }
  });
});

describe('a small space', () => {
  const round = 'page of author,article by _created_at';

  test('is read in one round, without heads', async () => {
    const space = await openRead(MODELS, CONTENTS);
    space.service.contents.edit(3, { title: 'edited' });
    expect(await space.requests(() => space.sync({ concurrency: 1 }))).toEqual([round]);
    const session = space.open();
    expect(await titlesOf(session)).toEqual({ 1: 'A', 2: 'a', 3: 'edited' });
    expect(session.manifest.cursor).toBeNull();
    expect(space.stored()).toMatchObject({ heads: null, readAgain: [] });
  });

  test('is read bypassing the CDN on request', async () => {
    const space = await openRead(MODELS, CONTENTS);
    const requests = await space.requests(() => space.sync({ concurrency: 1, forceFullSync: true }));
    expect(requests).toEqual([`${round} bypassing the CDN`]);
  });

  test('is counted at first, and read in one round past the CDN', async () => {
    const space = openSpace(MODELS, CONTENTS);
    const requests = await space.requests(() => space.sync({ concurrency: 1 }));
    expect(requests).toEqual(['count author,article', `${round} bypassing the CDN`]);
    expect(space.stored()).toMatchObject({ cursor: null, heads: null, readAgain: [] });
  });

  test('is counted in all its formats', async () => {
    const space = openSpace(FLEXIBLE, []);
    expect(await space.requests(() => space.sync({ concurrency: 2 }))).toEqual([
      'count html',
      'count markdown',
      'page of html by _created_at bypassing the CDN',
      'page of markdown by _created_at bypassing the CDN',
    ]);
  });

  test.each([
    { count: 100, concurrency: 0, isSmall: false },
    { count: 100, concurrency: 1, isSmall: true },
    { count: 101, concurrency: 1, isSmall: false },
    { count: 101, concurrency: 2, isSmall: true },
    { count: 199, concurrency: 2, isSmall: true },
    { count: 200, concurrency: 2, isSmall: false },
    { count: 200, concurrency: 3, isSmall: true },
  ])(
    'of $count items with $concurrency requests in parallel: $isSmall',
    async ({ count, concurrency, isSmall }) => {
      const space = await openRead(NOTES, notes(count));
      const requests = await space.requests(() => space.sync({ concurrency }));
      expect(requests.includes('newest by _updated_at')).toBe(!isSmall);
    },
  );

  test('takes one request per set of formats', async () => {
    const contents = [published('html', 1, { body: 'a' }), published('markdown', 2, { body: 'b' })];
    const space = await openRead(FLEXIBLE, contents);
    expect(await space.requests(() => space.sync({ concurrency: 1 }))).toEqual(NEWEST);
    expect(await space.requests(() => space.sync({ concurrency: 2 }))).toEqual([
      'page of html by _created_at',
      'page of markdown by _created_at',
    ]);
  });
});

describe('with nothing known of a large space', () => {
  test('everything is read, and the heads again at the end', async () => {
    const space = openSpace(MODELS, CONTENTS);
    expect(await space.requests(() => space.sync())).toEqual([
      'count author,article',
      ...NEWEST,
      'page of author,article by _created_at',
      ...FRESH,
    ]);
    expect(await titlesOf(space.open())).toEqual({ 1: 'A', 2: 'a', 3: 'b' });
    expect(space.stored().cursor).toEqual({ updated: second(3), published: second(3) });
    expect(space.stored()).toMatchObject({ readAgain: [] });
  });

  test('everything is read bypassing the CDN on request', async () => {
    const space = openSpace(MODELS, CONTENTS);
    expect(await space.requests(() => space.sync({ forceFullSync: true }))).toEqual([
      'count author,article',
      ...FRESH,
      'page of author,article by _created_at bypassing the CDN',
      ...FRESH,
    ]);
  });

  test('pages that the heads count are requested all at once', async () => {
    const space = openSpace(NOTES, notes(250));
    expect(await firstPages(space)).toBe(3);
  });
});

/** Lets everything go on that waits for nothing else. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** How many pages are requested before the first has arrived. */
async function firstPages(space: Space, options: Parameters<Space['sync']>[0] = {}): Promise<number> {
  let pages = 0;
  let first: number | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (nameOf(new URL(String(input)).searchParams).startsWith('page')) {
      pages += 1;
      await idle();
      first ??= pages;
    }
    return space.service.fetch(input as string, init);
  };
  await space.sync({ fetch, ...options });
  return first ?? 0;
}

describe('a model that was declared later', () => {
  const contents = [...CONTENTS, ...notes(2)];

  test('is the only one that is read', async () => {
    const space = openSpace(MODELS, contents, { serviceModels: TYPES });
    await space.sync();
    const requests = await space.requests(() => space.sync({ models: TYPES, modelMapChanged: true }));
    expect(requests).toEqual([...NEWEST, 'page of note by _created_at', ...FRESH]);
    expect(space.open({ models: TYPES }).count).toBe(5);
  });

  test('is requested in half as many parallel pages as its share of the heads suggests', async () => {
    const models = { other: note, ...NOTES };
    const others = Array.from({ length: 300 }, (_, n) =>
      published('other', 2001 + 2 * n, { title: 'other' }),
    );
    const ours = Array.from({ length: 300 }, (_, n) => published('note', 2002 + 2 * n, { title: 'note' }));
    const open = async () => {
      const space = openSpace({ other: note }, [...others, ...ours], { serviceModels: models });
      await space.sync();
      return space;
    };
    expect(await firstPages(await open(), { models, concurrency: 5 })).toBe(2);
    expect(await firstPages(await open(), { models, concurrency: 1 })).toBe(1);
  });
});

describe('the number of pages that are requested at once', () => {
  test('covers all unknown items that the heads count, if all items of the heads are of that model', async () => {
    const others = Array.from({ length: 60 }, (_, n) => published('author', n + 1, { name: 'A' }));
    const models = { author, ...NOTES };
    const space = openSpace({ author }, [...others, ...notes(250)], { serviceModels: models });
    await space.sync();
    expect(await firstPages(space, { models, concurrency: 9 })).toBe(3);
  });

  test('is one if there may be no items', async () => {
    expect(await firstPages(openSpace({ page }, []), { concurrency: 9 })).toBe(1);
  });
});

describe('with nothing changed', () => {
  test('only the heads are read', async () => {
    const space = await openRead(MODELS, CONTENTS);
    const before = space.stored();
    const session = space.open();
    expect(await space.requests(() => syncLanguage(session))).toEqual(NEWEST);
    expect(session.reached).toBeUndefined();
    expect(await space.store(session)).toEqual({ ...before, generation: before.generation + 1 });
  });

  test('everything is read on request, or if there is no cursor', async () => {
    const space = await openRead(MODELS, CONTENTS);
    const pages = (options: Parameters<Space['sync']>[0]) => space.requests(() => space.sync(options));
    expect(await pages({ forceFullSync: true })).toContain(
      'page of author,article by _created_at bypassing the CDN',
    );
    await space.sync({ concurrency: 1 });
    expect(await pages({})).toContain('page of author,article by _created_at');
    expect(await pages({})).toEqual(NEWEST);
  });
});

describe('a change', () => {
  test('is taken from the heads', async () => {
    const space = await openRead(MODELS, CONTENTS);
    space.service.contents.edit(2, { title: 'edited' });
    expect(await space.requests(() => space.sync())).toEqual(NEWEST);
    const session = space.open();
    expect(await titlesOf(session)).toMatchObject({ 2: 'edited' });
    expect(session.manifest.cursor).toEqual({ updated: second(3660), published: second(3660) });
    expect(await space.requests(() => space.sync())).toEqual(NEWEST);
  });

  test('is read since the last sync if the heads do not contain it', async () => {
    const space = await openRead(NOTES, notes(150));
    for (let id = 1001; id < 1121; id++) space.service.contents.edit(id, { title: 'edited' });
    const session = await space.sync();
    expect(Object.values(await titlesOf(session)).filter((title) => title === 'edited')).toHaveLength(120);
    expect(filtersOf(space.service)).toContainEqual({ '_updated_at[gte]': at(1150) });
    expect(session.appeared.size).toBe(0);
  });

  test('is taken from the heads even if it is a new item', async () => {
    const space = await openRead(MODELS, CONTENTS);
    space.service.contents.create({
      id: 9,
      model: 'article',
      published: { ja: { title: 'new', author: 1 } },
    });
    expect(await space.requests(() => space.sync())).toEqual(NEWEST);
    expect(await titlesOf(space.open())).toMatchObject({ 9: 'new' });
  });

  test('is the only thing that is written', async () => {
    const space = await openRead(MODELS, CONTENTS);
    space.service.contents.edit(3, { title: 'edited' });
    const session = await space.sync();
    const [group] = session.groups;
    expect([...(group?.changed.keys() ?? [])]).toEqual([3]);
    expect(group?.added.size).toBe(0);
    expect(group?.fullyRead.size).toBe(0);
  });
});

describe('a full read through the CDN', () => {
  const EDITED = notes(150).map((item) => ({ ...item, updated_at: at(3500), last_published_at: at(3500) }));

  test('is followed by what changed in the minute before it', async () => {
    const space = openSpace(NOTES, EDITED);
    await space.sync();
    expect(filtersOf(space.service)).toEqual([
      { '_updated_at[gte]': at(3440) },
      { '_last_published_at[gte]': at(3440), '_updated_at[lt]': at(3440) },
    ]);
  });

  test('does not look back before the earliest time', async () => {
    const old = notes(150).map((item) => ({ ...item, created_at: new Date(1000).toISOString() }));
    const space = openSpace(NOTES, old);
    await space.sync();
    expect(filtersOf(space.service)[0]).toEqual({ '_updated_at[gte]': new Date(0).toISOString() });
    expect(filtersOf(space.service)[1]).toMatchObject({
      '_last_published_at[gte]': new Date(0).toISOString(),
    });
  });

  test('bypassing the CDN is not, if the heads are the same before and after', async () => {
    const space = openSpace(NOTES, EDITED);
    await space.sync({ forceFullSync: true });
    expect(filtersOf(space.service)).toEqual([]);
  });

  test('bypassing the CDN is followed by what changed since the heads before it, if they are not the same', async () => {
    const space = openSpace(NOTES, EDITED);
    onRequest(space.service, (name) => {
      if (name.startsWith('page of note by _created_at'))
        space.service.contents.edit(1001, { title: 'edited' });
    });
    await space.sync({ forceFullSync: true });
    expect(filtersOf(space.service)[0]).toEqual({ '_updated_at[gte]': at(3500) });
  });

  test('contains what a stale copy of the CDN lacked', async () => {
    const space = openSpace(NOTES, notes(150));
    const fetch = await freeze(space, (name) => name === 'page of note by _created_at');
    space.service.clock.advance(1000);
    for (let id = 1001; id < 1151; id++) space.service.contents.edit(id, { title: 'edited' });
    const session = await space.sync({ fetch });
    expect(new Set(Object.values(await titlesOf(session)))).toEqual(new Set(['edited']));
  });
});

describe('after one model was read, changes are read', () => {
  const models = { ...NOTES, author };
  const EDITED = notes(150).map((item) => ({ ...item, updated_at: at(3500), last_published_at: at(3500) }));
  const open = async () => {
    const space = openSpace(NOTES, [...EDITED, published('author', 1, { name: 'A' })], {
      serviceModels: models,
    });
    await space.sync();
    space.service.clock.advance(60_000);
    return space;
  };
  const sync = async (space: Space) => {
    space.service.clearLog();
    await space.sync({ models });
    return filtersOf(space.service);
  };

  test('since the minute before, if nothing changed since the last sync', async () => {
    expect(await sync(await open())).toEqual([
      { '_updated_at[gte]': at(3440) },
      { '_last_published_at[gte]': at(3440), '_updated_at[lt]': at(3440) },
    ]);
  });

  test('since the last sync, if something changed later', async () => {
    const space = await open();
    for (const { id } of EDITED) space.service.contents.edit(id, { title: 'edited' });
    expect(await sync(space)).toEqual([
      { '_updated_at[gte]': at(3500) },
      { '_last_published_at[gte]': at(3500), '_updated_at[lt]': at(3500) },
    ]);
  });
});

describe('an item of heads from the CDN', () => {
  /** Heads that show an item with another title. */
  const retitled =
    (id: number, title: string, change: object = {}) =>
    (name: string, list: WireList) => {
      if (!NEWEST.includes(name)) return;
      for (const item of list.data)
        if (item._id === id) Object.assign(item, { _title: title, title }, change);
    };

  test('is ignored if the heads are older than what is known', async () => {
    const space = await openRead(MODELS, CONTENTS);
    const fetch = await freeze(space, (name) => NEWEST.includes(name));
    space.service.contents.edit(2, { title: 'edited' });
    await space.sync();
    const requests: string[] = [];
    const counting: typeof globalThis.fetch = (input, init) => {
      requests.push(nameOf(new URL(String(input)).searchParams));
      return fetch(input, init);
    };
    await space.sync({ fetch: counting });
    expect(requests).toEqual([...NEWEST, ...FRESH]);
  });

  test('is read bypassing the CDN if it changed without a later time', async () => {
    const space = await openRead(MODELS, CONTENTS);
    const fetch = altering(space, retitled(3, 'stale'));
    expect(await space.requests(() => space.sync({ fetch }))).toEqual([...NEWEST, 'items 3']);
    expect(await titlesOf(space.open())).toMatchObject({ 3: 'b' });
  });

  test('is accepted as it is if it has a later time', async () => {
    const space = await openRead(MODELS, CONTENTS);
    const fetch = altering(space, retitled(3, 'new', { _updated_at: at(3601) }));
    expect(await space.requests(() => space.sync({ fetch }))).toEqual(NEWEST);
    expect(await titlesOf(space.open())).toMatchObject({ 3: 'new' });
  });

  test('is read bypassing the CDN if it is unknown and older than what is known', async () => {
    const space = await openRead(MODELS, CONTENTS);
    space.service.contents.archive(2);
    await space.sync();
    expect(space.open().count).toBe(2);
    space.service.contents.restore(2);
    expect(await space.requests(() => space.sync())).toEqual([...NEWEST, 'items 2']);
    expect(await titlesOf(space.open())).toEqual({ 1: 'A', 2: 'a', 3: 'b' });
  });

  test('is read bypassing the CDN if it is unknown and as old as what is known', async () => {
    const space = await openRead(MODELS, CONTENTS);
    space.service.contents.create({
      id: 9,
      model: 'article',
      created_at: at(3),
      published: { ja: { title: 'c' } },
    });
    expect(await space.requests(() => space.sync())).toContain('items 9');
  });

  test('does not return if it no longer exists', async () => {
    const space = await openRead(MODELS, CONTENTS);
    const fetch = await freeze(space, (name) => NEWEST.includes(name));
    space.service.contents.archive(3);
    space.service.contents.edit(1, { name: 'edited' });
    await space.sync();
    const session = space.open({ fetch });
    await syncLanguage(session);
    expect(await titlesOf(session)).toEqual({ 1: 'edited', 2: 'a' });
  });
});

describe('models in other formats than the first', () => {
  const models = {
    html: { title: field.text({ title: true }), body: field.flexibleText() },
    markdown: { title: field.text({ title: true }), body: field.flexibleText({ format: 'markdown' }) },
  };
  const contents = [
    published('html', 1, { title: 'h', body: '<p><b>a</b></p>' }),
    published('markdown', 2, { title: 'm', body: '<p><b>b</b></p>' }),
    published('markdown', 3, { title: 'n', body: '<p><b>c</b></p>' }),
  ];

  test('are read in their own formats', async () => {
    const space = openSpace(models, contents);
    const session = await space.sync();
    expect((await itemOf(session, 1)).body).toContain('<');
    expect((await itemOf(session, 2)).body).toContain('**b**');
  });

  test('are not read again if the heads show the same versions', async () => {
    const space = await openRead(models, contents);
    expect(await space.requests(() => space.sync())).toEqual(NEWEST);
    space.service.contents.edit(1, { title: 'edited' });
    expect(await space.requests(() => space.sync())).toEqual([...NEWEST, 'items 3']);
  });

  test('are read again after a full read only if they are as new as the heads', async () => {
    const space = await openRead(models, contents);
    const requests = await space.requests(() => space.sync({ forceFullSync: true }));
    expect(requests.filter((request) => request.startsWith('items'))).toEqual(['items 3']);
  });

  test('are read by id if they changed', async () => {
    const space = await openRead(models, contents);
    space.service.contents.edit(2, { body: '<p><b>d</b></p>' });
    expect(await space.requests(() => space.sync())).toEqual([...NEWEST, 'items 2,3']);
    expect((await itemOf(space.open(), 2)).body).toContain('**d**');
    space.service.clock.advance(1000);
    space.service.contents.create({ id: 9, model: 'markdown', published: { ja: { title: 'new' } } });
    expect(await space.requests(() => space.sync())).toEqual([...NEWEST, 'items 9,2']);
  });

  test('are read by id if they returned without a later time', async () => {
    const space = await openRead(models, contents);
    space.service.contents.archive(2);
    await space.sync();
    space.service.contents.restore(2);
    expect((await space.requests(() => space.sync())).slice(0, 3)).toEqual([...NEWEST, 'items 3,2']);
    expect((await itemOf(space.open(), 2)).body).toContain('**b**');
  });

  test('are read by id if their time moved backwards', async () => {
    const space = await openRead(models, contents, { apiKey: 'drafts' });
    space.service.contents.saveDraft(2, { title: 'draft' });
    await space.sync({ apiKey: 'drafts' });
    space.service.clock.advance(1000);
    space.service.contents.edit(1, { title: 'later' });
    await space.sync({ apiKey: 'drafts' });
    space.service.contents.discardDraft(2);
    await space.sync({ apiKey: 'drafts' });
    expect(await itemOf(space.open(), 2)).toMatchObject({ title: 'm', _status: 'published' });
  });

  test('are read by id if they were updated twice in a second', async () => {
    const space = await openRead(models, contents, { apiKey: 'drafts' });
    for (const title of ['once', 'twice']) {
      space.service.contents.saveDraft(2, { title });
      await space.sync({ apiKey: 'drafts' });
    }
    expect(await itemOf(space.open(), 2)).toMatchObject({ title: 'twice' });
  });

  test('are read by id if they were published twice in a second', async () => {
    const assumptions = { draftTouchesUpdatedAt: false, publishTouchesUpdatedAt: false };
    const space = await openRead(models, contents, { assumptions });
    for (const title of ['once', 'twice']) {
      space.service.contents.saveDraft(2, { title });
      space.service.contents.publish(2);
      await space.sync();
    }
    expect(await itemOf(space.open(), 2)).toMatchObject({ title: 'twice' });
  });

  test('are read in their own formats when bypassing the CDN too', async () => {
    const space = openSpace(models, contents);
    await space.sync({ forceFullSync: true });
    expect((await itemOf(space.open(), 2)).body).toContain('**b**');
  });

  test('are read together with models of the same formats', async () => {
    const text = { title: field.text({ title: true }), body: field.flexibleText({ format: 'text' }) };
    const three = { ...models, text };
    const space = await openRead(three, [
      ...contents,
      published('text', 4, { title: 't', body: '<p>d</p>' }),
    ]);
    for (const id of [2, 4]) space.service.contents.edit(id, { title: 'edited' });
    expect(await space.requests(() => space.sync())).toEqual([...NEWEST, 'items 2', 'items 4']);
    expect(await titlesOf(space.open())).toMatchObject({ 2: 'edited', 4: 'edited' });
  });
});

describe('a change that no time shows', () => {
  const quiet = { assumptions: { draftTouchesUpdatedAt: false } };

  test('has its model read in full', async () => {
    const space = await openRead(TYPES, [...CONTENTS, ...notes(3)], { ...quiet, apiKey: 'drafts' });
    space.service.contents.saveDraft(3, { title: 'draft' });
    const requests = await space.requests(() => space.sync({ apiKey: 'drafts' }));
    expect(requests.filter((request) => request.startsWith('page'))).toEqual([
      'page of article by _created_at bypassing the CDN',
    ]);
    expect(await titlesOf(space.open())).toMatchObject({ 3: 'draft' });
    expect(space.stored().readAgain).not.toBe('everything');
  });

  test('again and again makes the sync inconclusive after four rounds', async () => {
    const space = await openRead(MODELS, CONTENTS, { ...quiet, apiKey: 'drafts' });
    let drafts = 0;
    onRequest(space.service, (name) => {
      if (name.startsWith('newest by _updated_at'))
        space.service.contents.saveDraft(3, { title: `draft ${++drafts}` });
    });
    const requests = await space.requests(() => space.sync({ apiKey: 'drafts' }));
    expect(requests.filter((request) => request.startsWith('page'))).toHaveLength(3);
    expect(space.stored().readAgain).toBe('everything');
  });
});

describe('the same heads mean that nothing changed', () => {
  const edit = (space: Space) => {
    for (let id = 1001; id < 1121; id++) space.service.contents.edit(id, { title: 'edited' });
  };

  test('not if they cannot contain all changes of the newest time', async () => {
    const space = await openRead(NOTES, notes(150));
    edit(space);
    await space.sync();
    expect(space.stored().heads).toBeNull();
    space.service.clock.advance(2 * 24 * 3_600_000);
    await space.sync();
    expect(space.stored().heads).not.toBeNull();
  });

  test('not if they differ from what was read', async () => {
    const space = await openRead(MODELS, CONTENTS);
    const isHead = (name: string) => name.startsWith('newest');
    const fetch = altering(space, (name, list) => {
      for (const item of list.data) if (isHead(name) && item._id === 3) item._title = 'stale';
    });
    await space.sync({ fetch });
    expect(space.stored().heads).toBeNull();
  });
});

describe('content that disappeared', () => {
  test('is found by reading the page that must contain it', async () => {
    const space = await openRead(TYPES, [...CONTENTS, ...notes(3)]);
    space.service.contents.archive(1002);
    expect(await space.requests(() => space.sync())).toEqual([
      ...NEWEST,
      'count author,article,note',
      'page of author,article,note by _created_at bypassing the CDN',
      'models of 1002',
    ]);
    expect(space.open().count).toBe(5);
    expect(space.stored()).toMatchObject({ removed: [1002], readAgain: [] });
    expect(await space.requests(() => space.sync())).toEqual(NEWEST);
  });

  test('is found by counts, if its model is large', async () => {
    const space = await openRead(NOTES, notes(310));
    space.service.contents.archive(1100);
    const session = space.open();
    const requests = await space.requests(() => syncLanguage(session));
    expect(requests.filter((request) => request === 'count note')).toHaveLength(1);
    await space.store(session);
    expect([...(session.groups[0]?.removed.keys() ?? [])]).toEqual([1100]);
    expect(session.groups[0]?.fullyRead.size).toBe(0);
    expect(session.count).toBe(309);
    expect(space.stored().removed).toEqual([1100]);
  });

  test('is searched for four times if it cannot be found, and again next time', async () => {
    const space = await openRead(NOTES, notes(310));
    const isTotal = (name: string) => name.startsWith('newest') || name === 'count note';
    const fetch = altering(space, (name, list) => {
      if (isTotal(name)) list.total -= 1;
    });
    const requests = await space.requests(() => space.sync({ fetch }));
    // Each time with heads of its own.
    expect(requests.filter((request) => request.startsWith('newest by _updated_at'))).toHaveLength(4);
    expect(requests.filter((request) => request.startsWith('page of note'))).toHaveLength(4);
    expect(space.open().count).toBe(310);
    expect(space.stored()).toMatchObject({ heads: null, readAgain: 'everything' });
  });

  test('is found by counts if it returned, and what refers to it is read again', async () => {
    const space = await openRead(
      { ...NOTES, article: { title: note.title, note: field.reference('note') } },
      [...notes(310), published('article', 2000, { title: 'a', note: 1100 })],
    );
    space.service.contents.archive(1100);
    await space.sync();
    space.service.contents.edit(2000, { title: 'edited' });
    await space.sync();
    expect((await itemOf(space.open(), 2000)).note).toBeNull();
    space.service.clock.advance(60_000);
    space.service.contents.restore(1100);
    const session = await space.sync();
    expect([...(session.groups[0]?.added.keys() ?? [])]).toEqual([1100]);
    expect([...session.appeared.keys()]).toEqual([1100]);
    expect((await itemOf(session, 2000)).note).toBe(1100);
  });
});

describe('while everything is read', () => {
  /** Acts before the first page, or before each. */
  function onPage(space: Space, act: (count: number) => void): void {
    let pages = 0;
    onRequest(space.service, (name) => {
      if (name.startsWith('page of') && name.includes('_created_at')) act(pages++);
    });
  }
  const pagesOf = (requests: string[]) => requests.filter((request) => request.startsWith('page'));

  test('an edit is applied, and everything is known', async () => {
    const space = openSpace(MODELS, CONTENTS);
    onRequest(space.service, (name) => {
      if (name === FRESH[0]) space.service.contents.edit(1, { name: 'edited' });
    });
    expect(await space.requests(() => space.sync())).toEqual([
      'count author,article',
      ...NEWEST,
      'page of author,article by _created_at',
      ...FRESH,
    ]);
    expect(await titlesOf(space.open())).toMatchObject({ 1: 'edited' });
    expect(space.stored().readAgain).not.toBe('everything');
  });

  test('an author that was briefly hidden is in its articles', async () => {
    const space = openSpace(MODELS, CONTENTS);
    onRequest(space.service, (name) => {
      if (name.startsWith('page')) space.service.contents.unpublish(1);
      if (name === FRESH[0]) space.service.contents.publish(1);
    });
    await space.sync();
    expect(await itemOf(space.open(), 2)).toMatchObject({ author: 1 });
  });

  test('an item that disappears causes another full read', async () => {
    const space = openSpace(MODELS, CONTENTS);
    onRequest(space.service, (name) => {
      if (name === FRESH[0]) space.service.contents.archive(3);
    });
    expect(pagesOf(await space.requests(() => space.sync()))).toEqual([
      'page of author,article by _created_at',
      'page of author,article by _created_at bypassing the CDN',
    ]);
    expect(space.stored().readAgain).not.toBe('everything');
    expect(space.open().count).toBe(2);
  });

  test('an item that disappears a second time makes the sync inconclusive', async () => {
    const space = openSpace(MODELS, [...CONTENTS, published('article', 4, { title: 'c' })]);
    let heads = 0;
    onRequest(space.service, (name) => {
      if (name === FRESH[0] && heads++ < 2) space.service.contents.archive(2 + heads);
    });
    expect(pagesOf(await space.requests(() => space.sync()))).toEqual([
      'page of author,article by _created_at',
      'page of author,article by _created_at bypassing the CDN',
      'page of author,article by _created_at bypassing the CDN',
    ]);
    expect(space.open().count).toBe(2);
    expect(space.stored().readAgain).toBe('everything');
  });

  test('items of heads that bypass the CDN are accepted as they are', async () => {
    const space = openSpace(MODELS, [...CONTENTS, published('article', 1000, { title: 'later' })]);
    space.service.contents.archive(2);
    onRequest(space.service, (name) => {
      if (name === FRESH[0]) space.service.contents.restore(2);
    });
    expect(await space.requests(() => space.sync())).not.toContain('items 2');
    expect(space.open().count).toBe(4);
  });

  test('a created item does not cause another read', async () => {
    const space = openSpace(MODELS, CONTENTS);
    onPage(space, () =>
      space.service.contents.create({ id: 9, model: 'article', published: { ja: { title: 'new' } } }),
    );
    expect(pagesOf(await space.requests(() => space.sync()))).toHaveLength(1);
    expect(space.open().count).toBe(4);
  });

  test('a created author is known to have been invisible to its articles', async () => {
    const space = openSpace(MODELS, CONTENTS);
    onRequest(space.service, (name) => {
      if (name !== FRESH[0]) return;
      const id = space.service.contents.create({ model: 'author', published: { ja: { name: 'new' } } });
      space.service.contents.edit(3, { author: id });
      space.service.contents.edit(3, { author: null });
    });
    const requests = await space.requests(() => space.sync());
    expect(requests.slice(6)).toEqual(['items 3']);
    expect(space.open().count).toBe(4);
  });
});

describe('while pages are read bypassing the CDN', () => {
  /** Acts before the first page and, when that has arrived, before the second. */
  function onPages(space: Space, first: () => void, later: () => void): void {
    let pages = 0;
    onRequest(space.service, async (name) => {
      if (!name.startsWith('page')) return;
      const act = pages++ % 2 === 0 ? first : later;
      if (act === later) await idle();
      act();
    });
  }
  const ignore = () => {};
  const pagesOf = async (space: Space) =>
    (await space.requests(() => space.sync({ forceFullSync: true }))).filter((request) =>
      request.startsWith('page'),
    );
  const create = (space: Space, model: string, id: number) =>
    space.service.contents.create({ id, model, published: { ja: { title: 'new' } } });

  test('an item that was hidden during the first page causes both pages to be read again', async () => {
    const space = openSpace(NOTES, notes(150));
    let isHidden = false;
    const hide = (value: boolean) => {
      if (isHidden === value || space.service.log.length > 3) return;
      isHidden = value;
      if (value) space.service.contents.archive(1150);
      else space.service.contents.restore(1150);
    };
    onPages(
      space,
      () => hide(true),
      () => hide(false),
    );
    expect(await pagesOf(space)).toHaveLength(4);
  });

  test('a created item causes no page to be read again', async () => {
    const space = openSpace(NOTES, notes(150));
    onPages(space, ignore, () => create(space, 'note', 1));
    expect(await pagesOf(space)).toHaveLength(2);
  });

  test('a created item causes no page to be read again, even if the heads also count models in other formats', async () => {
    const models = {
      html: { title: field.text({ title: true }), body: field.flexibleText() },
      markdown: { title: field.text({ title: true }), body: field.flexibleText({ format: 'markdown' }) },
    };
    const contents = notes(150).map((item) => ({ ...item, model: 'html' }));
    const space = openSpace(models, [...contents, published('markdown', 1, { title: 'm' })]);
    let pages = 0;
    onRequest(space.service, async (name) => {
      if (!name.startsWith('page of html') || pages++ === 0) return;
      await idle();
      create(space, 'html', 2);
    });
    expect((await pagesOf(space)).filter((request) => request.includes('html'))).toHaveLength(2);
  });

  test('a created item causes no page to be read again, even if the heads also count undeclared content', async () => {
    const contents = notes(150).map((item) => ({ ...item, model: 'page' }));
    const space = openSpace({ page }, [...contents, published('note', 1, { title: 'n' })], {
      serviceModels: { page, note },
    });
    onPages(space, ignore, () => create(space, 'page', 2));
    expect(await pagesOf(space)).toHaveLength(2);
  });
});

describe('an author that changes while everything is read', () => {
  const contents = [...CONTENTS, ...notes(150)];
  const appearedIn = async (space: Space, options: Parameters<Space['sync']>[0] = {}) => [
    ...(await space.sync(options)).appeared.keys(),
  ];

  test('was not hidden if all totals are equal', async () => {
    const space = openSpace(TYPES, contents);
    onRequest(space.service, (name) => {
      if (name === FRESH[0]) space.service.contents.edit(1, { name: 'edited' });
    });
    expect(await appearedIn(space)).toEqual([]);
  });

  test('was hidden before it was published for the first time, whatever the totals are', async () => {
    const draft = { id: 4, model: 'author', created_at: at(1), draft: { ja: { name: 'draft' } } };
    const space = openSpace(TYPES, [...contents, draft]);
    space.service.contents.edit(1001, { title: 'newest' });
    let pages = 0;
    onRequest(space.service, (name) => {
      if (!name.startsWith('page') || pages++ > 0) return;
      space.service.contents.publish(4);
      space.service.contents.archive(1150);
    });
    expect(await appearedIn(space)).toEqual([4]);
  });

  test('was hidden before it was created, whatever the totals are', async () => {
    const space = openSpace(TYPES, contents);
    space.service.contents.edit(1001, { title: 'newest' });
    let pages = 0;
    onRequest(space.service, (name) => {
      if (!name.startsWith('page') || pages++ > 0) return;
      space.service.contents.create({ id: 4, model: 'author', draft: { ja: { name: 'draft' } } });
      space.service.contents.archive(1150);
    });
    expect(await appearedIn(space, { apiKey: 'drafts' })).toEqual([4]);
  });
});

describe('while one model is read', () => {
  test('its items count as appeared: others may have been read while they were hidden', async () => {
    const space = openSpace(MODELS, [...CONTENTS, ...notes(2)], { serviceModels: TYPES });
    await space.sync();
    const session = space.open({ models: TYPES, modelMapChanged: true });
    await syncLanguage(session);
    expect([...session.appeared.keys()]).toEqual([1001, 1002]);
  });

  test('an item that is found in a known model counts as appeared', async () => {
    const space = await openRead(TYPES, [...CONTENTS, ...notes(120)]);
    const old = { created_at: at(1), published: { ja: { name: 'old' } } };
    space.service.contents.create({ id: 9, model: 'author', ...old });
    const session = await space.sync();
    expect([...session.appeared.keys()]).toEqual([9]);
  });

  test('its items with empty references are read once more by the next sync', async () => {
    const space = openSpace({ author, note }, [...CONTENTS, ...notes(2)], { serviceModels: TYPES });
    await space.sync();
    const session = space.open({ models: TYPES });
    const requests = await space.requests(() => syncLanguage(session));
    expect(requests).toEqual([...NEWEST, 'page of article by _created_at', ...FRESH]);
    await space.store(session);
    expect(space.stored().readAgain).toEqual([3]);
    expect(await space.requests(() => space.sync({ models: TYPES }))).toEqual([...FRESH, 'items 3']);
    expect(space.stored().readAgain).toEqual([]);
  });
});

describe('what the previous sync has read one by one', () => {
  /** Articles without an author, which are older than what the heads show. */
  async function openListed(count: number, models: ModelMap = TYPES) {
    const articles = Array.from({ length: count }, (_, n) => published('article', 10 + n, { title: 'a' }));
    const authors = [published('author', 1, { name: 'A' })];
    const space = await openRead(models, [...authors, ...articles, ...notes(100)]);
    return { space, manifest: { ...space.stored(), readAgain: articles.map(({ id }) => id) } };
  }

  test('is read once more, even if nothing changed: what was hidden and returned leaves no trace', async () => {
    const { space, manifest } = await openListed(101);
    const session = space.open({ manifest });
    const requests = await space.requests(() => syncLanguage(session));
    expect(requests.slice(0, 2)).toEqual(FRESH);
    expect(requests.slice(2).map((request) => request.split(',').length)).toEqual([100, 1]);
    expect((await space.store(session)).readAgain).toEqual([]);
    expect(await space.requests(() => space.sync())).toEqual(NEWEST);
  });

  test('is read once more in a sync that finds changes too', async () => {
    const { space, manifest } = await openListed(3);
    space.service.contents.edit(1001, { title: 'edited' });
    const session = space.open({ manifest });
    const requests = await space.requests(() => syncLanguage(session));
    expect(requests).toEqual([...FRESH, 'items 10,11,12']);
    expect((await space.store(session)).readAgain).toEqual([]);
  });

  test('is read again and again as long as it is not as it was', async () => {
    const models = { ...TYPES, article: { ...article, editor: field.reference('author') } };
    const { space, manifest } = await openListed(2, models);
    const fetch = altering(space, (name, { data }) => {
      if (name.startsWith('items')) for (const item of data) if (item._id === 10) item.author = 1;
    });
    const session = space.open({ manifest, fetch });
    await syncLanguage(session);
    expect(await itemOf(session, 10)).toMatchObject({ author: 1, editor: null });
    expect([...session.toReadNextTime]).toEqual([10]);
  });

  test('is not read twice in the same sync', async () => {
    const { space, manifest } = await openListed(2);
    space.service.contents.edit(10, { title: 'edited' });
    const session = space.open({ manifest });
    expect(await space.requests(() => syncLanguage(session))).toEqual([...FRESH, 'items 11']);
    expect([...session.toReadNextTime]).toEqual([10]);
  });

  test('is not read if it does not exist any more, and stays listed if it is hidden at that moment', async () => {
    const { space, manifest } = await openListed(2);
    onRequest(space.service, (name) => {
      if (name.startsWith('items')) space.service.contents.archive(10);
    });
    const session = space.open({ manifest: { ...manifest, readAgain: [10, 11, 9999] } });
    expect(await space.requests(() => syncLanguage(session))).toEqual([...FRESH, 'items 10,11']);
    expect([...session.toReadNextTime]).toEqual([10]);
  });

  test('is everything if there is too much of it', async () => {
    const { space, manifest } = await openListed(2);
    const session = space.open({ manifest: { ...manifest, readAgain: 'everything' } });
    const [, , page, ...rest] = await space.requests(() => syncLanguage(session));
    expect(page).toBe('page of author,article,note by _created_at bypassing the CDN');
    expect(rest.slice(-2)).toEqual(FRESH);
    expect((await space.store(session)).readAgain).toEqual([]);
  });
});

describe('content of an undeclared model', () => {
  const models: ModelMap = { author, page };
  const contents = [
    published('author', 1, { name: 'A' }),
    published('secret', 2, { title: 'secret' }),
    published('page', 3, { title: 'with', to: 2 }),
    published('author', 1000, { name: 'B' }),
  ];

  test('costs no request when it appears, changes or disappears', async () => {
    const space = await openRead(models, contents, { serviceModels: { ...models, secret: note } });
    const { contents: all } = space.service;
    all.create({ id: 9, model: 'secret', published: { ja: { title: 's' } } });
    all.edit(2, { title: 'edited' });
    expect(await space.requests(() => space.sync())).toEqual(NEWEST);
    all.archive(9);
    expect(await space.requests(() => space.sync())).toEqual(NEWEST);
  });

  test('is noticed if one of the newest items refers to it', async () => {
    const space = await openRead(models, contents, { serviceModels: { ...models, secret: note } });
    space.service.contents.archive(2);
    expect((await itemsOf(await space.sync())).get(3)?.to).toBeNull();
  });
});

describe('another language', () => {
  const contents = [
    published('author', 1, {}, { published: { ja: { name: 'A' }, en: { name: 'A' } } }),
    published('article', 2, {}, { published: { ja: { title: 'a' }, en: { title: 'a', author: 1 } } }),
    published('article', 3, {}, { published: { ja: { title: 'b' }, en: { title: 'b' } } }),
  ];

  /** Both languages were read; then the main one changed these, of which the heads of English show nothing. */
  async function openOwing(ids: readonly number[]) {
    const space = await openRead(MODELS, contents);
    for (let n = 0; n < 2; n++) await space.sync({ lang: 'en' });
    const fetch = await freeze(space, (name) => name.startsWith('newest'));
    await syncLanguage(space.open({ lang: 'en', fetch, main: space.main() }));
    const items = await itemsOf(space.open());
    const changed = ids.map((id) => items.get(id) as WireContent);
    return { space, options: { lang: 'en', fetch, mainChanges: { ...NO_MAIN_CHANGES, changed } } };
  }

  test('reads the items that changed in the main language', async () => {
    const { space, options } = await openOwing([1, 3]);
    space.service.contents.edit(3, { title: 'edited' }, { lang: 'en' });
    const requests = await space.requests(() => space.sync(options));
    expect(requests).toContain('items 1,3 in en');
    expect(await titlesOf(space.open({ lang: 'en' }))).toMatchObject({ 3: 'edited' });
    expect(space.stored('en').main).toBe(space.main().fingerprint);
  });

  test('removes items that no longer exist in it', async () => {
    const { space, options } = await openOwing([3]);
    space.service.contents.archive(3);
    await space.sync(options);
    expect(Object.keys(await titlesOf(space.open({ lang: 'en' })))).toEqual(['1', '2']);
    expect(space.stored('en').removed).toEqual([3]);
  });

  test('reads them for each set of formats', async () => {
    const html = { title: field.text({ title: true }), body: field.flexibleText() };
    const markdown = { title: field.text({ title: true }), body: field.flexibleText({ format: 'markdown' }) };
    const both = { ja: { title: 'a' }, en: { title: 'a' } };
    const space = await openRead({ html, markdown }, [
      published('html', 1, {}, { published: both }),
      published('markdown', 2, {}, { published: both }),
    ]);
    await space.sync({ lang: 'en' });
    const mainChanges = { ...NO_MAIN_CHANGES, changed: [...(await itemsOf(space.open())).values()] };
    const requests = await space.requests(() => space.sync({ lang: 'en', mainChanges }));
    expect(requests.slice(-2)).toEqual(['items 1 in en', 'items 2 in en']);
  });

  test('does not read again what was just read in full', async () => {
    const { space, options } = await openOwing([2]);
    const requests = await space.requests(() => space.sync({ ...options, forceFullSync: true }));
    expect(requests.filter((request) => request.startsWith('items'))).toEqual([]);
  });

  test('reads only the heads if there are no changes to apply', async () => {
    const space = await openRead(MODELS, contents);
    await space.sync({ lang: 'en' });
    const inEnglish = (requests: readonly string[]) =>
      requests.map((request) => request.replace(/(?= bypassing|$)/, ' in en'));
    // Article 3 has no author: it is read twice.
    expect(await space.requests(() => space.sync({ lang: 'en' }))).toEqual([
      ...inEnglish(FRESH),
      'items 3 in en',
    ]);
    expect(await space.requests(() => space.sync({ lang: 'en' }))).toEqual(inEnglish(NEWEST));
  });
});

describe('a model without content', () => {
  const WARNING =
    'author has no content that this key can see: is its LUID right? Run `npx luid check` to compare the models with the content';

  test('is reported', async () => {
    const space = await openRead(MODELS, CONTENTS.slice(2));
    expect(space.warnings).toEqual([WARNING]);
  });

  test('is reported even if content of another model disappeared', async () => {
    const space = await openRead(MODELS, CONTENTS.slice(1));
    space.service.contents.archive(3);
    await space.sync();
    expect(space.warnings).toEqual([WARNING, WARNING]);
  });

  test('is not reported in another language, where that is usual', async () => {
    const space = await openRead(MODELS, CONTENTS);
    await space.sync({ lang: 'en' });
    expect(space.warnings).toEqual([]);
  });

  test('is accepted if it was emptied', async () => {
    const space = await openRead(MODELS, CONTENTS);
    space.service.contents.archive(1);
    const requests = await space.requests(() => space.sync());
    expect(requests).toContain('models of 1');
    expect(space.warnings).toEqual([]);
  });

  test('is kept if its content returned meanwhile', async () => {
    const space = await openRead(MODELS, CONTENTS);
    space.service.contents.archive(1);
    const fetch = altering(space, (name, list) => {
      if (name === 'models of 1') Object.assign(list, { total: 1, data: [{ _id: 1, _model: 'author' }] });
    });
    expect((await space.sync({ fetch })).count).toBe(3);
  });

  test('is rejected if its content is now of another model', async () => {
    const space = await openRead(MODELS, CONTENTS);
    space.service.contents.archive(1);
    const fetch = altering(space, (name, list) => {
      if (name === 'models of 1') Object.assign(list, { total: 1, data: [{ _id: 1, _model: 'writer' }] });
    });
    const error = await space.sync({ fetch }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LuidError);
    expect(error).toMatchObject({
      message: expect.stringContaining('There is no model author any more: its content is of writer now'),
      model: 'author',
      hint: 'Write writer in place of author in the model map.',
    });
  });
});
