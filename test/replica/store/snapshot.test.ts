import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/replica/store/manifest/manifest.ts';
import { decode, encode, hashOf, type Segment } from '../../../src/replica/store/segments/segments.ts';
import { emptyManifest, openSnapshot, type Snapshot } from '../../../src/replica/store/snapshot.ts';
import type { SnapshotOf } from '../../../src/replica/store/snapshot-names.ts';
import { uniformStorage } from '../../../src/replica/store/uniform-storage.ts';
import { wire } from '../../models/content.ts';
import { manifestCodec } from '../../support/manifest-codec.ts';
import { commitAll } from '../written.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = 20_000 * DAY + 5;
const OF: SnapshotOf = {
  baseUrl: 'http://service.test/v1',
  apiKey: 'key',
  space: undefined,
  lang: undefined,
  modelKeys: ['a@1', 'b@1'],
};

let storage: Storage;
beforeEach(() => {
  storage = createStorage({ driver: memory() });
});

interface Store {
  /** Commits a manifest with segments. */
  commitAll(
    manifest: Manifest,
    written: ReadonlyMap<string, string>,
    now: number,
  ): Promise<readonly Manifest[]>;
}

/** A snapshot whose methods wait until it is open. */
function open(
  of: Partial<SnapshotOf> = {},
  inside = storage,
): Pick<Snapshot, 'load' | 'segment' | 'commit'> & Store {
  const opening = openSnapshot(inside, { ...OF, ...of });
  return {
    load: async () => (await opening).load(),
    segment: async (hash) => (await opening).segment(hash),
    commit: async (...what) => (await opening).commit(...what),
    commitAll: async (...what) => commitAll(await opening, ...what),
  };
}
const body = (name: string) => `["${name}"]`;
const segmentOf = (name: string): Segment => ({
  hash: hashOf(body(name)),
  count: 1,
  first: { time: 1, id: 1 },
  last: { time: 1, id: 1 },
});

/** A manifest of a generation, and which segments each state has. */
function manifestOf(
  generation: number,
  models: Record<string, string[]>,
  updated: number | null = 1,
): Manifest {
  const states = Object.entries(models).map(([state, names]) => [
    state,
    { segments: names.map(segmentOf), readAt: 1 },
  ]);
  const cursor = updated === null ? null : { updated, published: 1 };
  return { ...emptyManifest(), generation, models: Object.fromEntries(states), cursor };
}

/** Commits what follows from what is stored, as a sync does: with the segments of these names. */
async function store(
  models: Record<string, string[]>,
  { of = {}, now = NOW, updated }: { of?: Partial<SnapshotOf>; now?: number; updated?: number | null } = {},
): Promise<void> {
  const snapshot = open(of);
  const { manifest } = await snapshot.load();
  const names = Object.values(models).flat();
  const written = new Map(names.map((name) => [segmentOf(name).hash, body(name)]));
  const next = manifestOf(manifest.generation + 1, models, updated);
  await snapshot.commitAll({ ...next, unused: manifest.unused }, written, now);
}

const keys = async (part: string) =>
  (await storage.getKeys()).filter((key) => key.includes(`:${part}:`)).sort();
const nameOf = (key = '') => key.slice(key.lastIndexOf(':') + 1);
/** The names of the segments that are stored, of those that a test uses. */
async function storedSegments(...names: string[]): Promise<string[]> {
  const stored = new Set((await keys('segment')).map(nameOf));
  return names.filter((name) => stored.has(segmentOf(name).hash));
}

describe('a snapshot', () => {
  test('that was never stored is empty', async () => {
    const { manifest, damaged, modelMapChanged } = await open().load();
    expect(manifest).toEqual({
      generation: 0,
      models: {},
      cursor: null,
      heads: null,
      removed: [],
      readAgain: [],
      main: null,
      history: { start: null, steps: [] },
      facts: null,
      isEncrypted: false,
      pages: {},
      pageSizes: {},
      unused: [],
    });
    expect([damaged, modelMapChanged]).toEqual([false, false]);
    expect(await open().segment(segmentOf('x').hash)).toBeUndefined();
  });

  test('is loaded as it was stored', async () => {
    const manifest: Manifest = { ...manifestOf(1, { 'a@1': ['x'], 'b@1': [] }), removed: [7], heads: 'h' };
    await open().commitAll(manifest, new Map([[segmentOf('x').hash, body('x')]]), NOW);
    expect(await open().load()).toEqual({ manifest, damaged: false, modelMapChanged: false });
    expect(await open().segment(segmentOf('x').hash)).toBe(body('x'));
  });

  test('is named by its format, its generation, its models and its time', async () => {
    await store({ 'a@1': ['x'] });
    const [manifest] = await keys('manifest');
    expect(manifest).toMatch(
      /^v10:[0-9a-f]{40}:manifest:000000000001-[0-9a-f]{16}-1728000000005-[0-9a-f]{12}$/,
    );
    const [segment] = await keys('segment');
    expect(segment).toMatch(/^v10:[0-9a-f]{40}:segment:[0-9a-f]{64}$/);
  });

  test.each<[string, Partial<SnapshotOf>]>([
    ['key', { apiKey: 'other' }],
    ['service', { baseUrl: 'http://other.test/v1' }],
    ['space', { space: 'shop' }],
    ['language', { lang: 'en' }],
  ])('is not shared with another %s', async (_, of) => {
    await store({ 'a@1': ['x'] });
    expect((await open(of).load()).manifest.generation).toBe(0);
    expect(await open(of).segment(segmentOf('x').hash)).toBeUndefined();
    await store({ 'a@1': ['y'] }, { of });
    expect((await open().load()).manifest.models['a@1']?.segments).toEqual([segmentOf('x')]);
  });

  test('is read from the newest generation', async () => {
    for (const name of ['x', 'y', 'z']) await store({ 'a@1': [name] });
    const { manifest } = await open().load();
    expect(manifest.generation).toBe(3);
    expect(manifest.models['a@1']?.segments).toEqual([segmentOf('z')]);
    // Two are kept: a reader may have just found the name of the one before.
    expect((await keys('manifest')).map((key) => Number.parseInt(nameOf(key), 10))).toEqual([2, 3]);
  });

  test.each(['forwards', 'backwards'])(
    'is the newest even if the storage lists its keys %s',
    async (order) => {
      for (const name of ['x', 'y']) await store({ 'a@1': [name] });
      const getKeys = storage.getKeys.bind(storage);
      storage.getKeys = async (...args) => {
        const sorted = (await getKeys(...args)).sort();
        return order === 'forwards' ? sorted : sorted.reverse();
      };
      expect((await open().load()).manifest.generation).toBe(2);
    },
  );

  test('does not depend on the order of its models', async () => {
    await store({ 'a@1': ['x'] });
    const { manifest, modelMapChanged } = await open({ modelKeys: ['b@1', 'a@1'] }).load();
    expect([manifest.generation, modelMapChanged]).toEqual([1, false]);
  });

  test('is read in whatever form a driver returns it', async () => {
    await store({ 'a@1': ['x'] });
    const { hash } = segmentOf('x');
    const bytes = new TextEncoder().encode(body('x'));
    const forms: [unknown, string | Uint8Array | undefined, string?][] = [
      [bytes, bytes],
      [JSON.parse(body('x')), body('x')],
      [12, '12', hashOf('12')],
      [null, undefined],
      [undefined, undefined],
    ];
    const read = storage.getItemRaw;
    for (const [raw, expected, name = hash] of forms) {
      storage.getItemRaw = (async () => raw) as typeof read;
      expect(await open({}, uniformStorage(storage)).segment(name)).toEqual(expected);
    }
    storage.getItemRaw = async () => {
      throw new Error('EIO');
    };
    expect(await open().segment(hash)).toBeUndefined();
  });

  test.each<[string, (text: string) => string | Uint8Array]>([
    ['a string', (text) => text],
    ['bytes', (text) => new TextEncoder().encode(text)],
  ])('has no segment that is not what was stored: %s', async (_, as) => {
    await store({ 'a@1': ['x'] });
    const [key = ''] = await keys('segment');
    for (const text of ['["y"]', '', `${body('x')} `]) {
      await storage.setItemRaw(key, as(text));
      expect(await open().segment(segmentOf('x').hash)).toBeUndefined();
    }
    await storage.setItemRaw(key, as(body('x')));
    expect(await open().segment(segmentOf('x').hash)).toBeDefined();
  });

  test('has segments that only the key can decrypt', async () => {
    const encrypted = (await openSnapshot(storage, OF)).encrypt(body('x'));
    const hash = hashOf(encrypted);
    await open().commitAll(manifestOf(1, {}), new Map([[hash, encrypted]]), NOW);
    expect(String(await open().segment(hash))).toBe(body('x'));
    const [key = ''] = await keys('segment');
    // Of another key, with the right hash.
    const foreign = (await openSnapshot(storage, { ...OF, apiKey: 'other' })).encrypt(body('x'));
    await storage.setItemRaw(key.replace(hash, hashOf(foreign)), foreign);
    expect(await open().segment(hashOf(foreign))).toBeUndefined();
  });

  test('has a manifest that only the key can decrypt, if it is to be encrypted', async () => {
    const manifest = { ...manifestOf(1, { 'a@1': ['x'] }), main: 'secret' };
    for (const isEncrypted of [true, false]) {
      storage = createStorage({ driver: memory() });
      await open().commit({ ...manifest, isEncrypted }, NOW);
      const [key = ''] = await keys('manifest');
      expect(String(await storage.getItemRaw(key)).includes('secret')).toBe(!isEncrypted);
      expect((await open().load()).manifest).toEqual({ ...manifest, isEncrypted });
    }
  });
});

describe('a commit', () => {
  test('writes the segments first, up to 8 in parallel, and the manifest last', async () => {
    const written: string[] = [];
    let [now, most] = [0, 0];
    const write = storage.setItemRaw.bind(storage);
    storage.setItemRaw = async (key, value, options) => {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      await write(key, value, options);
      now -= 1;
      written.push(key.split(':')[2] ?? '');
    };
    await store({ 'a@1': [...'pqrstuvwxyz'] });
    expect(written).toEqual([...Array(11).fill('segment'), 'manifest']);
    expect(most).toBe(8);
  });

  test('that cannot write a segment writes no manifest, and waits for all pending writes', async () => {
    const write = storage.setItemRaw.bind(storage);
    let open = 0;
    storage.setItemRaw = async (key, value, options) => {
      open += 1;
      await new Promise(setImmediate);
      open -= 1;
      if (key.endsWith(segmentOf('x').hash)) throw new Error('ENOSPC');
      await new Promise(setImmediate);
      await write(key, value, options);
    };
    await expect(store({ 'a@1': ['x', 'y', 'z'] })).rejects.toThrow('ENOSPC');
    expect(open).toBe(0);
    expect(await keys('manifest')).toEqual([]);
    expect(await storedSegments('y', 'z')).toEqual(['y', 'z']);
  });

  test.each([1, 2])(
    'that was overtaken by generation %d stores nothing, and returns it',
    async (generation) => {
      const theirs = manifestOf(generation, { 'a@1': ['theirs'] });
      expect(await open().commit(theirs, NOW)).toEqual([]);
      expect(await open().commit(manifestOf(1, { 'a@1': ['ours'] }), NOW)).toEqual([theirs]);
      expect(await keys('manifest')).toHaveLength(1);
      expect((await open().load()).manifest).toEqual(theirs);
    },
  );

  test.each([1, 2])(
    'returns one of generation %d that another process has written at the same time',
    async (generation) => {
      const [ours, theirs] = [manifestOf(1, { 'a@1': ['ours'] }), manifestOf(generation, { 'a@1': ['x'] })];
      const write = storage.setItemRaw.bind(storage);
      storage.setItemRaw = async (...item) => {
        storage.setItemRaw = write;
        await open().commit(theirs, NOW);
        await write(...item);
      };
      expect(await open().commit(ours, NOW)).toEqual([theirs]);
      expect(await keys('manifest')).toHaveLength(2);
    },
  );

  test.each([
    ['the other', NOW + 1],
    ['this one', NOW - 1],
  ])('of the same generation as another is read if it is later: %s', async (which, theirTime) => {
    const [ours, theirs] = [manifestOf(1, { 'a@1': ['ours'] }), manifestOf(1, { 'a@1': ['x'] })];
    const write = storage.setItemRaw.bind(storage);
    storage.setItemRaw = async (...item) => {
      storage.setItemRaw = write;
      await open().commit(theirs, theirTime);
      await write(...item);
    };
    await open().commit(ours, NOW);
    expect((await open().load()).manifest.models).toEqual((which === 'this one' ? ours : theirs).models);
  });

  test('is not overtaken by a commit of another map', async () => {
    await open({ modelKeys: ['c@1'] }).commit(manifestOf(9, { 'c@1': ['theirs'] }), NOW);
    await open().commit(manifestOf(1, { 'a@1': ['ours'] }), NOW);
    expect((await open().load()).manifest.generation).toBe(1);
  });

  test('of generation 10 is newer than a commit of generation 9', async () => {
    await open().commit(manifestOf(9, { 'a@1': ['x'] }), NOW);
    await open().commit(manifestOf(10, { 'a@1': ['y'] }), NOW);
    expect((await open().load()).manifest.generation).toBe(10);
  });
});

describe('a manifest that is damaged or forged', () => {
  const forge = async (name: (own: string) => string, change = (text: string) => text) => {
    const [key = ''] = (await keys('manifest')).slice(-1);
    const text = String(await storage.getItemRaw(key));
    await storage.setItemRaw(key.replace(nameOf(key), name(nameOf(key))), change(text));
    return text;
  };

  test('is skipped, and reported', async () => {
    await store({ 'a@1': ['x'] });
    await store({ 'a@1': ['y'] });
    await forge(
      (own) => own,
      (text) => text.slice(0, -1),
    );
    const { manifest, damaged } = await open().load();
    expect(manifest.generation).toBe(1);
    expect(damaged).toBe(true);
  });

  test('results in an empty snapshot if there is no other', async () => {
    await store({ 'a@1': ['x'] });
    await forge(
      (own) => own,
      () => 'x',
    );
    const { manifest, damaged, modelMapChanged } = await open().load();
    expect([manifest.generation, damaged, modelMapChanged]).toEqual([0, true, false]);
  });

  test('may be an old one under a newer name', async () => {
    await store({ 'a@1': ['x'] });
    const old = await forge((own) => own);
    await store({ 'a@1': ['y'] });
    await forge(
      (own) => own.replace(/^0+2/, '000000000009'),
      () => old,
    );
    const { manifest, damaged } = await open().load();
    expect([manifest.generation, damaged]).toEqual([2, true]);
  });

  test('may be one of another map under the name of this one', async () => {
    await store({ 'c@1': ['x'] }, { of: { modelKeys: ['c@1'] } });
    const theirs = await forge((own) => own);
    await store({ 'a@1': ['y'] });
    await storage.removeItem((await keys('manifest')).find((key) => key.includes(siteOf(['c@1']))) ?? '');
    await forge(
      (own) => own,
      () => theirs,
    );
    const { manifest, damaged } = await open().load();
    expect([manifest.generation, damaged]).toEqual([0, true]);
  });

  test('does not hide the next commit, which removes it', async () => {
    await store({ 'a@1': ['x'] });
    await forge(
      (own) => own.replace(/^0+1/, '000000000007'),
      () => 'forged',
    );
    await store({ 'a@1': ['y'] });
    const { manifest, damaged } = await open().load();
    expect([manifest.generation, damaged]).toEqual([2, false]);
    expect((await keys('manifest')).map((key) => Number.parseInt(nameOf(key), 10))).toEqual([1, 2]);
  });

  test('may have any name', async () => {
    await store({ 'a@1': ['x'] });
    for (const name of ['x', '-', `x-${siteOf(OF.modelKeys)}-1-1`]) await forge(() => name);
    const { manifest, damaged } = await open().load();
    expect([manifest.generation, damaged]).toEqual([1, true]);
    await store({ 'a@1': ['y'] });
    expect((await open().load()).manifest.generation).toBe(2);
  });

  test('is not reported if another process just removed it', async () => {
    await store({ 'a@1': ['x'] });
    const getKeys = storage.getKeys.bind(storage);
    const [key = ''] = await keys('manifest');
    const gone = key.replace('000000000001', '000000000005');
    storage.getKeys = async (...args) => [...(await getKeys(...args)), gone];
    expect(await open().load()).toMatchObject({ manifest: { generation: 1 }, damaged: false });
  });
});

const siteOf = (modelKeys: readonly string[]) => hashOf(JSON.stringify([...modelKeys].sort())).slice(0, 16);

describe('two maps on one storage', () => {
  const first = { modelKeys: ['a@1', 'b@1'] };
  const second = { modelKeys: ['b@1', 'c@1'] };

  test('do not evict each other', async () => {
    await store({ 'a@1': ['a'], 'b@1': ['b'] }, { of: first });
    for (let n = 0; n < 5; n++) await store({ 'b@1': ['b'], 'c@1': [`c${n}`] }, { of: second });
    const { manifest, modelMapChanged } = await open(first).load();
    expect(Object.keys(manifest.models)).toEqual(['a@1', 'b@1']);
    expect([manifest.generation, modelMapChanged]).toEqual([1, false]);
    expect((await open(second).load()).manifest.models['c@1']?.segments).toEqual([segmentOf('c4')]);
    expect(await storedSegments('a', 'b', 'c2', 'c3', 'c4')).toEqual(['a', 'b', 'c3', 'c4']);
  });

  test('share equal segments, and the second starts from the first', async () => {
    const theirs = { ...manifestOf(4, { 'a@1': ['a'], 'b@1': ['b'] }), removed: [7], heads: 'h' };
    const unused = [segmentOf('old').hash];
    await open(first).commit({ ...theirs, unused }, NOW);
    const { manifest, modelMapChanged, damaged } = await open(second).load();
    expect([modelMapChanged, damaged]).toEqual([true, false]);
    // What covers all models is not known of these.
    expect(manifest).toEqual({
      ...manifestOf(4, { 'b@1': ['b'] }),
      removed: [7],
      heads: null,
      unused: [],
    });
  });

  test('start empty without a common model', async () => {
    await store({ 'a@1': ['a'] }, { of: first });
    const { manifest, modelMapChanged } = await open({ modelKeys: ['c@1'] }).load();
    expect([manifest.generation, modelMapChanged]).toEqual([0, false]);
    expect(manifest.models).toEqual({});
  });

  test('start from the manifest with the most known models, then the newest', async () => {
    await store({ 'a@1': ['a'] }, { of: { modelKeys: ['a@1'] }, updated: 9 });
    await store({ 'a@1': ['a2'], 'b@1': ['b2'] }, { of: { modelKeys: ['a@1', 'b@1', 'x@1'] }, updated: 5 });
    await store({ 'a@1': ['a3'], 'b@1': ['b3'] }, { of: { modelKeys: ['a@1', 'b@1', 'y@1'] }, updated: 7 });
    await store({ 'a@1': ['a4'], 'b@1': ['b4'] }, { of: { modelKeys: ['a@1', 'b@1', 'z@1'] }, updated: 6 });
    await store(
      { 'a@1': ['a5'], 'b@1': ['b5'] },
      { of: { modelKeys: ['a@1', 'b@1', 'w@1'] }, updated: null },
    );
    const { manifest } = await open({ modelKeys: ['a@1', 'b@1', 'c@1'] }).load();
    expect(manifest.models['b@1']?.segments).toEqual([segmentOf('b3')]);
    expect((await open({ modelKeys: ['a@1', 'q@1'] }).load()).manifest.models['a@1']?.segments).toEqual([
      segmentOf('a'),
    ]);
  });

  test('start from the one that was read in full last, if the newest times are equal', async () => {
    for (const [model, readAt] of [
      ['x@1', 5],
      ['y@1', 7],
      ['z@1', 6],
    ] as const) {
      const theirs = manifestOf(1, { 'a@1': [model] });
      const [[key, state] = ['', undefined]] = Object.entries(theirs.models);
      const models = { [key]: { ...state, readAt } } as Manifest['models'];
      await open({ modelKeys: ['a@1', model] }).commit({ ...theirs, models }, NOW);
    }
    const { manifest } = await open({ modelKeys: ['a@1', 'b@1'] }).load();
    expect(manifest.models['a@1']?.segments).toEqual([segmentOf('y@1')]);
  });

  test('start from the one whose oldest full read is the latest', async () => {
    for (const [model, ...times] of [
      ['x@1', 5, 9],
      ['y@1', 6, 7],
    ] as const) {
      const theirs = manifestOf(1, { 'a@1': [model], 'b@1': [model] });
      const models = Object.fromEntries(
        Object.entries(theirs.models).map(([key, state], index) => [key, { ...state, readAt: times[index] }]),
      ) as Manifest['models'];
      await open({ modelKeys: ['a@1', 'b@1', model] }).commit({ ...theirs, models }, NOW);
    }
    const { manifest } = await open({ modelKeys: ['a@1', 'b@1'] }).load();
    expect(manifest.models['a@1']?.segments).toEqual([segmentOf('y@1')]);
  });

  test('start from the newest manifest of each', async () => {
    for (const name of ['x', 'y']) await store({ 'b@1': [name] }, { of: second });
    const { manifest } = await open(first).load();
    expect([manifest.generation, manifest.models['b@1']?.segments]).toEqual([2, [segmentOf('y')]]);
  });

  test('do not start from a damaged manifest', async () => {
    await store({ 'b@1': ['x'] }, { of: second });
    const [key = ''] = await keys('manifest');
    await storage.setItemRaw(key, 'forged');
    const { manifest, modelMapChanged, damaged } = await open(first).load();
    expect([manifest.generation, modelMapChanged, damaged]).toEqual([0, false, false]);
  });
});

describe('segments that no manifest lists', () => {
  test('are removed two commits later: a reader may still use the previous manifest', async () => {
    await store({ 'a@1': ['x', 'kept'] });
    await store({ 'a@1': ['y', 'kept'] });
    expect(await storedSegments('x', 'y', 'kept')).toEqual(['x', 'y', 'kept']);
    await store({ 'a@1': ['z', 'kept'] });
    expect(await storedSegments('x', 'y', 'z', 'kept')).toEqual(['y', 'z', 'kept']);
    await store({ 'a@1': ['z', 'kept'] });
    expect(await storedSegments('x', 'y', 'z', 'kept')).toEqual(['z', 'kept']);
  });

  test('do not include the facts of a manifest', async () => {
    await store({ 'a@1': ['x'] });
    for (const generation of [2, 3, 4]) {
      const { manifest } = await open().load();
      const facts = { hash: segmentOf('facts').hash, models: 'fingerprint' };
      const next = { ...manifestOf(generation, { 'a@1': ['y'] }), facts, unused: manifest.unused };
      const written = new Map(['y', 'facts'].map((name) => [segmentOf(name).hash, body(name)]));
      await open().commitAll(next, written, NOW);
    }
    expect(await storedSegments('x', 'y', 'facts')).toEqual(['y', 'facts']);
  });

  test('are kept as long as another map lists them', async () => {
    const other = { modelKeys: ['a@1'] };
    await store({ 'a@1': ['x'] }, { of: other });
    for (const name of ['x', 'y', 'z', 'w']) await store({ 'a@1': [name] });
    expect(await storedSegments('x', 'y', 'z', 'w')).toEqual(['x', 'z', 'w']);
    await store({ 'a@1': ['w'] }, { of: other });
    await store({ 'a@1': ['w'] }, { of: other });
    await store({ 'a@1': ['w'] }, { of: other });
    // The state before the last one of the first map still names z.
    expect(await storedSegments('x', 'y', 'z', 'w')).toEqual(['z', 'w']);
  });

  test('of a writer that was overtaken are removed too', async () => {
    await store({ 'a@1': ['x'] });
    await open().commitAll(
      manifestOf(1, { 'a@1': ['late'] }),
      new Map([[segmentOf('late').hash, 'late']]),
      NOW,
    );
    await store({ 'a@1': ['x'] });
    expect(await storedSegments('late')).toEqual(['late']);
    await store({ 'a@1': ['x'] });
    expect(await storedSegments('x', 'late')).toEqual(['x']);
  });

  test('are named by hashes: other keys are kept', async () => {
    await store({ 'a@1': ['x'] });
    const [key = ''] = await keys('segment');
    const notes = key.replace(nameOf(key), 'notes');
    await storage.setItemRaw(notes, 'mine');
    for (let n = 0; n < 3; n++) await store({ 'a@1': ['x'] });
    expect(await storage.getItemRaw(notes)).toBe('mine');
    expect((await open().load()).manifest.unused).toEqual([]);
  });

  test('are not searched for if there are none: no manifest is read', async () => {
    await store({ 'a@1': ['x'] });
    await store({ 'a@1': ['x'] });
    const reads: string[] = [];
    const read = storage.getItemRaw.bind(storage);
    const snapshot = open();
    const { manifest } = await snapshot.load();
    storage.getItemRaw = async (key, options) => {
      reads.push(key);
      return read(key, options);
    };
    await snapshot.commit({ ...manifest, generation: 3 }, NOW);
    expect(reads).toEqual([]);
  });
});

describe('unused snapshots', () => {
  const old = `v4:${'0'.repeat(40)}:manifest:1-1-1-1`;

  test('are removed by the first commit of a day', async () => {
    await storage.setItemRaw(old, 'x');
    await store({ 'a@1': ['x'] });
    expect(await storage.hasItem(old)).toBe(false);
  });

  test('are not searched for again on the same day', async () => {
    await store({ 'a@1': ['x'] });
    await storage.setItemRaw(old, 'x');
    await store({ 'a@1': ['y'] }, { now: NOW + DAY - 10 });
    expect(await storage.hasItem(old)).toBe(true);
    await store({ 'a@1': ['z'] }, { now: NOW + DAY });
    expect(await storage.hasItem(old)).toBe(false);
  });

  test('are searched for by each map', async () => {
    await store({ 'a@1': ['x'] });
    await storage.setItemRaw(old, 'x');
    await store({ 'c@1': ['x'] }, { of: { modelKeys: ['c@1'] } });
    expect(await storage.hasItem(old)).toBe(false);
  });

  test('do not include the current one', async () => {
    await store({ 'a@1': ['x'] });
    await store({ 'a@1': ['y'] }, { now: NOW + 400 * DAY });
    expect((await open().load()).manifest.generation).toBe(2);
    expect(await storedSegments('x', 'y')).toEqual(['x', 'y']);
  });
});

describe('an unused map', () => {
  const other = { modelKeys: ['a@1'] };
  const isOfOther = (key: string) => nameOf(key).includes(siteOf(other.modelKeys));
  const manifestsOfOther = async () => (await keys('manifest')).filter(isOfOther);

  test.each([
    ['is kept for 30 days', 30, 2],
    ['is removed after that', 31, 0],
  ])('%s', async (_, days, left) => {
    for (const name of ['x', 'y']) await store({ 'a@1': [name] }, { of: other });
    await store({ 'a@1': ['z'] }, { now: NOW + days * DAY });
    expect(await manifestsOfOther()).toHaveLength(left);
    // Another commit of the same day has nothing more to remove.
    await store({ 'a@1': ['z'] }, { now: NOW + days * DAY });
    expect(await manifestsOfOther()).toHaveLength(left);
    expect((await open().load()).manifest.models['a@1']?.segments).toEqual([segmentOf('z')]);
  });

  test('is not one with a newer manifest', async () => {
    await store({ 'a@1': ['x'] }, { of: other });
    await store({ 'a@1': ['y'] }, { of: other, now: NOW + DAY });
    await store({ 'a@1': ['z'] }, { now: NOW + 31 * DAY });
    expect(await manifestsOfOther()).toHaveLength(1);
    const { manifest, modelMapChanged } = await open(other).load();
    expect([manifest.generation, modelMapChanged]).toEqual([2, false]);
    expect(manifest.models['a@1']?.segments).toEqual([segmentOf('y')]);
  });

  test('is removed with the segments that only it listed', async () => {
    await store({ 'a@1': ['theirs', 'shared'] }, { of: other });
    const now = NOW + 31 * DAY;
    await store({ 'a@1': ['shared'] }, { now: now - 2 * DAY });
    await store({ 'a@1': ['shared'] }, { now: now - 2 * DAY });
    expect(await storedSegments('theirs', 'shared')).toEqual(['theirs', 'shared']);
    await store({ 'a@1': ['shared'] }, { now });
    expect(await storedSegments('theirs', 'shared')).toEqual(['shared']);
  });

  test('is never the current one, however old its previous manifest is', async () => {
    await store({ 'a@1': ['x'] });
    await store({ 'a@1': ['y'] }, { now: NOW + 400 * DAY });
    expect(await keys('manifest')).toHaveLength(2);
  });
});

test('a snapshot with an item without a creation time can be read', async () => {
  const items = [wire('article', { _created_at: undefined }, 7)];
  const { segment, body: text } = encode(items);
  const states = { 'a@1': { segments: [segment], readAt: 1 } };
  await open().commitAll({ ...manifestOf(1, {}), models: states }, new Map([[segment.hash, text]]), NOW);
  const { manifest, damaged } = await open().load();
  expect([manifest.models, damaged]).toEqual([states, false]);
  expect(decode(segment, await open().segment(segment.hash))).toEqual(JSON.parse(JSON.stringify(items)));
});

test('a manifest is signed with the key, for this snapshot and these models only', async () => {
  await store({ 'a@1': ['x'] });
  const [key = ''] = await keys('manifest');
  const identity = JSON.stringify([10, OF.baseUrl, hashOf(OF.apiKey), null, null]);
  expect(key.split(':')[1]).toBe(hashOf(identity).slice(0, 40));
  const codec = manifestCodec(OF.apiKey, identity, siteOf(OF.modelKeys));
  expect((await codec.decode(String(await storage.getItemRaw(key))))?.generation).toBe(1);
});
