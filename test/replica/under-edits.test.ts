import { describe, expect, test } from 'vitest';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';

/** More than is read whole each time. */
const SIZE = 2_000;
const HIDDEN = SIZE + 1;
const PUBLISHED = { ja: { title: 'x' } };

async function expectRight(emulated: EmulatedSpace): Promise<void> {
  const replica = await emulated.sync();
  expect(Object.fromEntries(await replica.items())).toEqual(
    Object.fromEntries(await readFromService(emulated, MODELS)),
  );
}

/** Does something before the request with this number, counted from 0, of the next sync. */
function onRequest(emulated: EmulatedSpace, number: number, act: () => void): void {
  let request = 0;
  const others = emulated.service.beforeRequest;
  emulated.service.beforeRequest = (what) => {
    if (request++ === number) act();
    return others?.(what);
  };
}

test('an item that is archived during the search for another one, and restored without a new time, is found', async () => {
  const emulated = openEmulatedSpace(seedOf(SIZE), {
    assumptions: { archiveTouchesUpdatedAt: false, restoreTouchesUpdatedAt: false },
  });
  await emulated.sync();
  emulated.service.contents.archive(700);
  onRequest(emulated, 2, () => emulated.service.contents.archive(900));
  await emulated.sync();
  emulated.service.beforeRequest = undefined;
  emulated.service.contents.restore(900);
  await expectRight(emulated);
});

/** A space in which all articles refer to one that is hidden. */
function openWithHidden(how: object): EmulatedSpace {
  const { contents, ...seed } = seedOf(SIZE);
  const referring = (id: number) => ({ related: [{ article: HIDDEN }], title: `refers to it, number ${id}` });
  const items = contents.map((item) =>
    item.model === 'article' ? { ...item, published: { ja: referring(item.id) } } : item,
  );
  // On a late page, so that most of what refers to it is read before it; and too old for the newest.
  const { created_at } = contents[SIZE - 150] as (typeof contents)[number];
  const hidden = { id: HIDDEN, model: 'article', created_at, ...how };
  const assumptions = { restoreTouchesUpdatedAt: false };
  return openEmulatedSpace({ ...seed, contents: [hidden, ...items] }, { assumptions });
}

describe.each([0, 3, 8, 10, 11, 12, 13, 14, 21])(
  'items that refer to an item that becomes visible before request %d of the first read',
  (number) => {
    test('contain it after the next sync, if it was published', async () => {
      const emulated = openWithHidden({ draft: PUBLISHED });
      onRequest(emulated, number, () => emulated.service.contents.publish(HIDDEN));
      await emulated.sync();
      emulated.service.beforeRequest = undefined;
      await expectRight(emulated);
    });

    test('contain it after the next sync, if it was restored without a new time', async () => {
      const emulated = openWithHidden({ published: PUBLISHED, archived: true });
      onRequest(emulated, number, () => emulated.service.contents.restore(HIDDEN));
      await emulated.sync();
      emulated.service.beforeRequest = undefined;
      await expectRight(emulated);
    });
  },
);

test('an item whose time is years in the future does not hide edits', async () => {
  const { contents, ...seed } = seedOf(SIZE);
  const ahead = { updated_at: '2099-01-01T00:00:00Z', last_published_at: '2099-01-01T00:00:00Z' };
  const emulated = openEmulatedSpace({
    ...seed,
    contents: contents.map((item) => (item.id === 7 ? { ...item, ...ahead } : item)),
  });
  await emulated.sync();
  for (let id = 2; id < 4 * 150; id += 4) {
    emulated.service.clock.advance(1000);
    emulated.service.contents.edit(id, { title: `edited ${id}` });
  }
  await expectRight(emulated);
});

test('an edit is found in a second with more edits than the heads contain', async () => {
  const emulated = openEmulatedSpace(seedOf(SIZE), {
    assumptions: { tieOrder: 'id', timeResolution: 'second' },
  });
  await emulated.sync();
  for (let id = 2; id < 4 * 150; id += 4) emulated.service.contents.edit(id, { title: `edited ${id}` });
  await emulated.sync();
  emulated.service.contents.edit(1_002, { title: 'edited once more' });
  await expectRight(emulated);
});

test('a reference to an item that was visible only during the full read is empty', async () => {
  const { contents, ...seed } = seedOf(SIZE);
  const items = contents.map((item) =>
    item.model === 'page' ? { ...item, published: { ja: { title: 'refers', article: HIDDEN } } } : item,
  );
  const hidden = { id: HIDDEN, model: 'event', created_at: '2026-01-01T00:00:00Z', draft: PUBLISHED };
  const emulated = openEmulatedSpace({ ...seed, contents: [...items, hidden] });
  // The models are asked for in their order: the pages show it, the events do not.
  onRequest(emulated, 4, () => emulated.service.contents.publish(HIDDEN));
  onRequest(emulated, 5, () => emulated.service.contents.archive(HIDDEN));
  await emulated.sync({ concurrency: 1 });
  emulated.service.beforeRequest = undefined;
  await expectRight(emulated);
});
