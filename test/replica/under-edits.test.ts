import { expect, test } from 'vitest';
import { type House, MODELS, openHouse, seedOf, truth } from './house.ts';

/** More than is read whole each time. */
const SIZE = 2_000;
const PUBLISHED = { ja: { title: 'x' } };

async function expectRight(house: House): Promise<void> {
  const replica = await house.sync();
  expect(Object.fromEntries(await replica.items())).toEqual(Object.fromEntries(await truth(house, MODELS)));
}

/** Does something before the request with this number, counted from 0, of the next sync. */
function before(house: House, number: number, act: () => void): void {
  let request = 0;
  house.service.beforeRequest = () => {
    if (request++ === number) act();
  };
}

test('an item that goes while another is looked for, and comes back without a time that tells, is there', async () => {
  const house = openHouse(seedOf(SIZE), {
    assumptions: { archiveTouchesUpdatedAt: false, restoreTouchesUpdatedAt: false },
  });
  await house.sync();
  house.service.contents.archive(700);
  before(house, 2, () => house.service.contents.archive(900));
  await house.sync();
  house.service.beforeRequest = undefined;
  house.service.contents.restore(900);
  await expectRight(house);
});

test.each([0, 3, 8, 15, 21])(
  'what refers to an item that is published before request %d of the first read shows it after the next sync',
  async (number) => {
    const { contents, ...seed } = seedOf(SIZE);
    const hidden = { id: SIZE + 1, model: 'article', created_at: '2025-01-01T00:00:00Z' };
    const referring = (id: number) => ({
      related: [{ article: hidden.id }],
      title: `refers to it, number ${id}`,
    });
    const house = openHouse({
      ...seed,
      contents: [
        { ...hidden, draft: PUBLISHED },
        ...contents.map((item) =>
          item.model === 'article' ? { ...item, published: { ja: referring(item.id) } } : item,
        ),
      ],
    });
    before(house, number, () => house.service.contents.publish(hidden.id));
    await house.sync();
    house.service.beforeRequest = undefined;
    await expectRight(house);
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
