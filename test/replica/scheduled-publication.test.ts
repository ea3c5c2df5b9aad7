import { expect, test } from 'vitest';
import { openEmulatedSpace, seedOf } from '../support/emulated-space.ts';

/** More than is read whole each time. */
const SIZE = 2_000;
const SCHEDULED = 5_000;
const HOUR = 60 * 60 * 1000;

/** A space with an item that nobody edits after the first sync, an hour after which something happens to it. */
async function openWith(item: object, happens: 'publish' | 'restore') {
  const { contents, ...seed } = seedOf(SIZE);
  const old = { id: SCHEDULED, model: 'article', created_at: contents[0]?.created_at, ...item };
  const assumptions = { publishTouchesUpdatedAt: false, restoreTouchesUpdatedAt: false };
  const emulated = openEmulatedSpace({ ...seed, contents: [...contents, old] }, { assumptions });
  await emulated.sync();
  await emulated.sync();
  emulated.service.clock.advance(HOUR);
  emulated.service.contents[happens](SCHEDULED);
  emulated.service.clock.advance(HOUR);
  const { result, requests } = await emulated.counted(() => emulated.sync());
  return { shown: (await result.items()).get(SCHEDULED), requests };
}

test('new content that is published as scheduled is found by the time of its publication, in a few requests', async () => {
  const { shown, requests } = await openWith({ draft: { ja: { title: 'scheduled' } } }, 'publish');
  expect(shown).toMatchObject({ title: 'scheduled' });
  expect(requests).toBeLessThan(10);
});

test('a new version that is published as scheduled is found by the time of its publication', async () => {
  const versions = { published: { ja: { title: 'before' } }, draft: { ja: { title: 'after' } } };
  expect((await openWith(versions, 'publish')).shown).toMatchObject({ title: 'after' });
});

test('new content that appears with its old times is found by the number of items', async () => {
  const hidden = { published: { ja: { title: 'with old times' } }, archived: true };
  expect((await openWith(hidden, 'restore')).shown).toMatchObject({ title: 'with old times' });
});
