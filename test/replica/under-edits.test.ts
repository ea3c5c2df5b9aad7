import { describe, expect, test } from 'vitest';
import { type House, MODELS, openHouse, seedOf, truth } from './house.ts';

/** More than is read whole each time. */
const SIZE = 2_000;
const HIDDEN = SIZE + 1;
const PUBLISHED = { ja: { title: 'x' } };

async function expectRight(house: House): Promise<void> {
  const replica = await house.sync();
  expect(Object.fromEntries(await replica.items())).toEqual(Object.fromEntries(await truth(house, MODELS)));
}

/** Does something before the request with this number, counted from 0, of the next sync. */
function onRequest(house: House, number: number, act: () => void): void {
  let request = 0;
  const others = house.service.beforeRequest;
  house.service.beforeRequest = (what) => {
    if (request++ === number) act();
    return others?.(what);
  };
}

test('an item that goes while another is looked for, and comes back without a time that tells, is there', async () => {
  const house = openHouse(seedOf(SIZE), {
    assumptions: { archiveTouchesUpdatedAt: false, restoreTouchesUpdatedAt: false },
  });
  await house.sync();
  house.service.contents.archive(700);
  onRequest(house, 2, () => house.service.contents.archive(900));
  await house.sync();
  house.service.beforeRequest = undefined;
  house.service.contents.restore(900);
  await expectRight(house);
});

/** A space in which all articles refer to one that is hidden. */
function houseWithHidden(how: object): House {
  const { contents, ...seed } = seedOf(SIZE);
  const referring = (id: number) => ({ related: [{ article: HIDDEN }], title: `refers to it, number ${id}` });
  const items = contents.map((item) =>
    item.model === 'article' ? { ...item, published: { ja: referring(item.id) } } : item,
  );
  // On a late page, so that most of what refers to it is read before it; and too old for the newest.
  const { created_at } = contents[SIZE - 150] as (typeof contents)[number];
  const hidden = { id: HIDDEN, model: 'article', created_at, ...how };
  const assumptions = { restoreTouchesUpdatedAt: false };
  return openHouse({ ...seed, contents: [hidden, ...items] }, { assumptions });
}

describe.each([0, 3, 8, 10, 11, 12, 13, 14, 21])(
  'what refers to an item that comes into sight before request %d of the first read',
  (number) => {
    test('shows it after the next sync, if it was published', async () => {
      const house = houseWithHidden({ draft: PUBLISHED });
      onRequest(house, number, () => house.service.contents.publish(HIDDEN));
      await house.sync();
      house.service.beforeRequest = undefined;
      await expectRight(house);
    });

    test('shows it after the next sync, if it was restored without a time that tells', async () => {
      const house = houseWithHidden({ published: PUBLISHED, archived: true });
      onRequest(house, number, () => house.service.contents.restore(HIDDEN));
      await house.sync();
      house.service.beforeRequest = undefined;
      await expectRight(house);
    });
  },
);

test('an item whose time lies years ahead hides no edit', async () => {
  const { contents, ...seed } = seedOf(SIZE);
  const ahead = { updated_at: '2099-01-01T00:00:00Z', last_published_at: '2099-01-01T00:00:00Z' };
  const house = openHouse({
    ...seed,
    contents: contents.map((item) => (item.id === 7 ? { ...item, ...ahead } : item)),
  });
  await house.sync();
  for (let id = 2; id < 4 * 150; id += 4) {
    house.service.clock.advance(1000);
    house.service.contents.edit(id, { title: `edited ${id}` });
  }
  await expectRight(house);
});

test('an edit in the same second as more edits than the newest show is seen', async () => {
  const house = openHouse(seedOf(SIZE), { assumptions: { tieOrder: 'id', timeResolution: 'second' } });
  await house.sync();
  for (let id = 2; id < 4 * 150; id += 4) house.service.contents.edit(id, { title: `edited ${id}` });
  await house.sync();
  house.service.contents.edit(1_002, { title: 'edited once more' });
  await expectRight(house);
});

test('a reference to what came into sight and went again while all was read is empty', async () => {
  const { contents, ...seed } = seedOf(SIZE);
  const items = contents.map((item) =>
    item.model === 'page' ? { ...item, published: { ja: { title: 'refers', article: HIDDEN } } } : item,
  );
  const hidden = { id: HIDDEN, model: 'event', created_at: '2026-01-01T00:00:00Z', draft: PUBLISHED };
  const house = openHouse({ ...seed, contents: [...items, hidden] });
  // The models are asked for in their order: the pages show it, the events do not.
  onRequest(house, 4, () => house.service.contents.publish(HIDDEN));
  onRequest(house, 5, () => house.service.contents.archive(HIDDEN));
  await house.sync({ concurrency: 1 });
  house.service.beforeRequest = undefined;
  await expectRight(house);
});
