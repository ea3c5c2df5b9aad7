import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { historySince } from '../../../src/replica/store/manifest/change-history.ts';
import type { Manifest } from '../../../src/replica/store/manifest/manifest.ts';
import { replicaFingerprint } from '../../../src/replica/store/manifest/stored-models.ts';
import { openFacts } from '../../../src/replica/store/segments/stored-facts.ts';
import { emptyManifest, type Snapshot } from '../../../src/replica/store/snapshot.ts';
import { readModels } from '../../../src/replica/sync/read-models.ts';
import type { SyncSession } from '../../../src/replica/sync/session.ts';
import { itemsOf, openSpace, published } from '../session-space.ts';
import { at, content } from '../wire-items.ts';
import { packSession } from '../written.ts';

const MODELS: ModelMap = {
  author: { name: field.text({ title: true }) },
  article: { title: field.text({ title: true }), author: field.reference(), cover: field.media() },
};

async function openRead() {
  const space = openSpace(MODELS, [
    published('author', 1, { name: 'A' }),
    published('article', 2, { title: 'a', author: 1 }),
    published('article', 3, { title: 'b' }),
  ]);
  await space.sync();
  return space;
}

/** Everything that changed. */
function changesSince(history: Manifest['history'], fingerprint: string): Set<number> | undefined {
  const changes = historySince(history, fingerprint);
  return changes && new Set([...changes.added, ...changes.changed, ...changes.removed]);
}

const fingerprintOf = (manifest: Manifest) => replicaFingerprint(MODELS, manifest);

/** An item as the service shows it, edited at second 100. */
async function edited(session: SyncSession, id: number, change: object = {}): Promise<WireContent> {
  const item = (await itemsOf(session)).get(id) as WireContent;
  return { ...item, _updated_at: at(100), ...change };
}

/** What the history says that a session changed. */
async function changesOf(session: SyncSession): Promise<number[] | undefined> {
  const { manifest } = await packSession(session);
  expect(manifest.history.steps.at(-1)?.to ?? manifest.history.start).toBe(fingerprintOf(manifest));
  const changes = changesSince(manifest.history, fingerprintOf(session.manifest));
  return changes && [...changes].sort((a, b) => a - b);
}

test('up to 1,000 items that are to be read again are listed; of more, everything is read', async () => {
  const session = (await openRead()).open();
  const readAgain = async () => (await packSession(session)).manifest.readAgain;
  for (let id = 1; id <= 1000; id++) session.toReadNextTime.add(id);
  expect(await readAgain()).toHaveLength(1000);
  session.toReadNextTime.add(1001);
  expect(await readAgain()).toBe('everything');
});

describe('the history after a sync', () => {
  test('is equal if nothing changed', async () => {
    const space = await openRead();
    const { history, heads } = space.stored();
    await space.sync();
    expect(space.stored().history).toBe(history);
    expect(heads).not.toBeNull();
    const { manifest } = await packSession(space.open());
    expect(manifest).toMatchObject({ heads });
  });

  test('starts with everything that the first sync added', async () => {
    const space = await openRead();
    expect(space.stored().history).toEqual({
      start: fingerprintOf(emptyManifest()),
      steps: [{ to: fingerprintOf(space.stored()), added: [1, 2, 3], changed: [], removed: [] }],
    });
  });

  test('lists what was added, changed and removed', async () => {
    const space = await openRead();
    const session = space.open();
    await session.put(content(8, { _created_at: at(8) }));
    await session.put(await edited(session, 2));
    await session.groupOf('author').remove((await itemsOf(session)).get(1) as WireContent);
    const { history } = (await packSession(session)).manifest;
    expect(history.steps.at(-1)).toMatchObject({ added: [8], changed: [2, 1], removed: [1] });
  });

  test('lists what a full read found to be added, changed and removed', async () => {
    const space = await openRead();
    const { contents } = space.service;
    const before = fingerprintOf(space.stored());
    contents.edit(2, { title: 'new' });
    contents.archive(3);
    const created = contents.create({ model: 'author', published: { ja: { name: 'B' } } });
    await space.sync({ forceFullSync: true });
    expect(changesSince(space.stored().history, before)).toEqual(new Set([2, 3, created]));
  });

  test('lists the steps of several syncs', async () => {
    const space = await openRead();
    const { contents } = space.service;
    const first = fingerprintOf(space.stored());
    contents.edit(2, { title: 'new' });
    await space.sync();
    const second = fingerprintOf(space.stored());
    contents.edit(3, { title: 'new' });
    await space.sync();
    expect(changesSince(space.stored().history, first)).toEqual(new Set([2, 3]));
    expect(changesSince(space.stored().history, second)).toEqual(new Set([3]));
  });

  test('lists removed items that are not noted any more', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), removed: [20] } });
    await readModels(session.groupOf('article'), ['author', 'article'], { bypassCdn: true });
    expect(await changesOf(session)).toEqual([20]);
  });

  test('starts over if a model is damaged: what was removed from it is unknown', async () => {
    const space = await openRead();
    const before = space.stored();
    space.service.contents.archive(3);
    await space.sync({ damagedModels: new Set(['article']) });
    expect(changesSince(space.stored().history, fingerprintOf(before))).toBeUndefined();
    expect(space.stored().history).toEqual({ start: fingerprintOf(space.stored()), steps: [] });
  });
});

describe('the facts after a sync', () => {
  const bodyOf = (written: ReadonlyMap<string, string>) => async (hash: string) => written.get(hash);

  test('are about all items, in the order of the model map', async () => {
    const session = openSpace(MODELS, []).open();
    await session.put(content(2, { _created_at: at(2), author: 1 }));
    await session.put(content(1, { _created_at: at(1), _model: 'author' }));
    const { manifest, written } = await packSession(session);
    const facts = await openFacts(MODELS, manifest, bodyOf(written))();
    expect([...facts.values()].map(({ ids, links }) => [[...ids], [...links]])).toEqual([
      [[1], []],
      [[2], [1]],
    ]);
  });

  test('are those of before if nothing changed', async () => {
    const space = await openRead();
    const { manifest, written } = await packSession(space.open());
    expect(manifest.facts).toBe(space.stored().facts);
    expect(written.size).toBe(0);
  });

  test('are stored even if nothing changed, if there were none', async () => {
    const space = await openRead();
    const session = space.open({ manifest: { ...space.stored(), facts: null } });
    const { manifest, written } = await packSession(session);
    expect(manifest.facts).toEqual(space.stored().facts);
    expect([...written.keys()]).toEqual([manifest.facts?.hash]);
  });

  test('are stored again if something changed', async () => {
    const space = await openRead();
    const session = space.open();
    await session.put(await edited(session, 2));
    const { manifest, written } = await packSession(session);
    expect(manifest.facts?.hash).not.toBe(space.stored().facts?.hash);
    expect(written.has(manifest.facts?.hash ?? '')).toBe(true);
  });

  test('are not stored without a cache', async () => {
    const snapshot: Snapshot | undefined = undefined;
    const session = openSpace(MODELS, []).open({ snapshot });
    await session.put(content(2, { _created_at: at(2) }));
    const { manifest, written } = await packSession(session);
    expect(manifest.facts).toBeNull();
    expect(written.size).toBe(1);
  });
});
