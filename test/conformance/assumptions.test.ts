import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Item, startServer } from './http.ts';

const server = startServer();
const { request, ids, list, readItem, status } = server;

const SECOND = 1000;

beforeAll(() => server.emulator.clock.set('2026-08-01T00:00:00Z'));

afterEach(() => {
  server.emulator.assumptions = {};
  server.emulator.clock.advance(61 * SECOND);
});

const create = () =>
  server.emulator.contents.create({ model: 'filler', published: { ja: { title: 'new' } } });

/** Whether `_updated_at` of an item moves when something is done a minute later. */
async function touches(id: number, act: () => void): Promise<boolean> {
  const before = (await readItem(id, '', 'all'))._updated_at;
  server.emulator.clock.advance(60 * SECOND);
  act();
  return (await readItem(id, '', 'all'))._updated_at !== before;
}

describe('lists', () => {
  it('§4.1 unknownModel: an unknown model matches nothing or is rejected', async () => {
    expect((await list('model=nope', 'all')).total).toBe(0);
    server.emulator.assumptions.unknownModel = 'error';
    expect(await status('/contents?model=nope', 'all')).toBe(400);
    expect(await status('/contents?model=nope,article', 'all')).toBe(400);
    expect(await status('/contents?model=article', 'all')).toBe(200);
  });

  it('§4.1 unknownField: an unknown field in a filter or order is rejected or ignored', async () => {
    expect(await status('/contents?nope[eq]=1', 'all')).toBe(400);
    expect(await status('/contents?order=nope', 'all')).toBe(400);
    server.emulator.assumptions.unknownField = 'ignore';
    const plain = await ids('model=article', 'all');
    expect(await ids('model=article&nope[eq]=1', 'all')).toEqual(plain);
    expect(await ids('model=article&order=nope,-_created_at', 'all')).toEqual(plain);
  });

  it('§4.1 tieOrder: equal items are ordered by id or in reverse', async () => {
    const query = 'model=filler&order=_created_at&limit=6';
    expect(await ids(query, 'all')).toEqual([1001, 1002, 1003, 1004, 1005, 1006]);
    server.emulator.assumptions.tieOrder = 'reverse';
    expect(await ids(query, 'all')).toEqual([1003, 1002, 1001, 1006, 1005, 1004]);
  });

  it('§4.1 tieOrder: equal items can have a different order in each request', async () => {
    server.emulator.assumptions.tieOrder = 'shuffled';
    const responses = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      const found = (await ids('model=filler&order=_created_at&limit=6', 'all')) as number[];
      responses.add(found.join());
      expect(found.slice(0, 3).sort()).toEqual([1001, 1002, 1003]);
      expect(found.slice(3).sort()).toEqual([1004, 1005, 1006]);
    }
    expect(responses.size).toBeGreaterThan(1);
  });

  it('§2.1 timeResolution: times are stored in seconds or milliseconds', async () => {
    server.emulator.clock.set('2027-01-01T00:00:00.250Z');
    expect((await readItem(create()))._created_at).toBe('2027-01-01T00:00:00Z');
    server.emulator.assumptions.timeResolution = 'ms';
    expect((await readItem(create()))._created_at).toBe('2027-01-01T00:00:00.250Z');
  });
});

describe('references', () => {
  it('§5 unseenTarget: a target that the key cannot read is empty or its id', async () => {
    expect((await readItem(107, 'seen=1')).author).toBeNull();
    server.emulator.assumptions.unseenTarget = 'id';
    expect((await readItem(107, 'seen=2')).author).toBe(204);
    expect((await readItem(107, 'seen=2&depth=0')).author).toBe(204);
  });

  it('§1 unseenTarget: archived content is always empty', async () => {
    server.emulator.assumptions.unseenTarget = 'id';
    expect((await readItem(103, 'seen=3')).author).toBeNull();
  });

  it('§4.1 a target without data in the language is empty, and at depth 0 its id', async () => {
    expect((await readItem(103, 'lang=en')).author).toBeNull();
    expect((await readItem(103, 'lang=en&depth=0')).author).toBe(202);
  });
});

describe('changes of _updated_at', () => {
  it('§3 publishTouchesUpdatedAt', async () => {
    const { contents, assumptions } = server.emulator;
    const id = create();
    contents.saveDraft(id, { title: 'draft' });
    expect(await touches(id, () => contents.publish(id))).toBe(true);
    contents.saveDraft(id, { title: 'draft' });
    assumptions.publishTouchesUpdatedAt = false;
    expect(await touches(id, () => contents.publish(id))).toBe(false);
  });

  it('§3 unpublishTouchesUpdatedAt', async () => {
    const { contents, assumptions } = server.emulator;
    const [first, second] = [create(), create()];
    expect(await touches(first, () => contents.unpublish(first))).toBe(true);
    assumptions.unpublishTouchesUpdatedAt = false;
    expect(await touches(second, () => contents.unpublish(second))).toBe(false);
  });

  it('§3 draftTouchesUpdatedAt', async () => {
    const { contents, assumptions } = server.emulator;
    const id = create();
    expect(await touches(id, () => contents.saveDraft(id, { title: 'a' }))).toBe(true);
    assumptions.draftTouchesUpdatedAt = false;
    expect(await touches(id, () => contents.saveDraft(id, { title: 'b' }))).toBe(false);
  });

  it('§3 discardUpdatedAt', async () => {
    const { contents, assumptions, clock } = server.emulator;
    const id = create();
    const before = (await readItem(id, '', 'all'))._updated_at;
    const discarded = async () => {
      clock.advance(60 * SECOND);
      contents.saveDraft(id, { title: 'draft' });
      const drafted = (await readItem(id, '', 'all'))._updated_at;
      clock.advance(60 * SECOND);
      contents.discardDraft(id);
      return { drafted, now: (await readItem(id, '', 'all'))._updated_at };
    };
    expect((await discarded()).now).toBe(before);
    assumptions.discardUpdatedAt = 'keep';
    const kept = await discarded();
    expect(kept.now).toBe(kept.drafted);
    assumptions.discardUpdatedAt = 'now';
    const moved = await discarded();
    expect(Date.parse(moved.now as string)).toBe(Date.parse(moved.drafted as string) + 60 * SECOND);
  });

  it('§3 archiveTouchesUpdatedAt and restoreTouchesUpdatedAt', async () => {
    const { contents, assumptions } = server.emulator;
    const id = create();
    const archiveAndRestore = () => {
      contents.archive(id);
      contents.restore(id);
    };
    expect(await touches(id, archiveAndRestore)).toBe(false);
    assumptions.restoreTouchesUpdatedAt = true;
    expect(await touches(id, archiveAndRestore)).toBe(true);
    assumptions.restoreTouchesUpdatedAt = false;
    assumptions.archiveTouchesUpdatedAt = true;
    expect(await touches(id, archiveAndRestore)).toBe(true);
  });

  it('§3 altTouchesUpdatedAt', async () => {
    const { media, assumptions } = server.emulator;
    expect(await touches(102, () => media.setAlt(902, 'one'))).toBe(false);
    assumptions.altTouchesUpdatedAt = true;
    expect(await touches(102, () => media.setAlt(902, 'two'))).toBe(true);
    expect(await touches(1001, () => media.setAlt(902, 'three'))).toBe(false);
  });
});

describe('the cache', () => {
  const seen = async (path: string, pop = 'a') => {
    const { body, headers } = await request(path, { headers: { 'x-luid-pop': pop } });
    return [headers.get('x-cache'), (body as Item).title];
  };

  it('§8 purgeDelay: the cache is stale until the delay has passed', async () => {
    const { contents, assumptions, clock } = server.emulator;
    assumptions.purgeDelay = 5 * SECOND;
    await request('/contents/1010?purge=1');
    contents.edit(1010, { title: 'fresh' });
    expect(await seen('/contents/1010?purge=1')).toEqual(['HIT', 'filler 9']);
    clock.advance(5 * SECOND);
    expect(await seen('/contents/1010?purge=1')).toEqual(['MISS', 'fresh']);
  });

  it('§8 purgeReach: only one point of presence may be purged immediately', async () => {
    const { contents, assumptions, clock } = server.emulator;
    assumptions.purgeReach = 'some';
    assumptions.purgeDelay = 5 * SECOND;
    for (const pop of ['a', 'b']) await seen('/contents/1011?purge=2', pop);
    contents.edit(1011, { title: 'fresh' });
    expect(await seen('/contents/1011?purge=2', 'a')).toEqual(['MISS', 'fresh']);
    expect(await seen('/contents/1011?purge=2', 'b')).toEqual(['HIT', 'filler 10']);
    clock.advance(5 * SECOND);
    expect(await seen('/contents/1011?purge=2', 'b')).toEqual(['MISS', 'fresh']);
  });

  it('§8 mediaArchivePurges: archiving media purges the cache, or does not', async () => {
    const { media, assumptions } = server.emulator;
    await request('/contents/101?purge=3');
    media.archive(900);
    expect((await request('/contents/101?purge=3')).body).toMatchObject({ cover: null });
    assumptions.mediaArchivePurges = false;
    await request('/contents/101?purge=3');
    media.restore(900);
    expect((await request('/contents/101?purge=3')).body).toMatchObject({ cover: null });
    expect((await readItem(101, '', 'all')).cover).not.toBeNull();
  });
});
