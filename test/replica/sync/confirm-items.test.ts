import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { field } from '../../../src/index.ts';
import { fingerprintOf, readHeads } from '../../../src/replica/read/heads.ts';
import { targetOf } from '../../../src/replica/store/journal.ts';
import { confirmItems, expandUnconfirmedModels } from '../../../src/replica/sync/confirm-items.ts';
import type { SyncSession } from '../../../src/replica/sync/session.ts';
import { itemsOf, openSpace, published } from '../session-space.ts';

const title = field.text({ title: true });
const author = field.reference('author');
/** Pages are read in another format than the rest. */
const models = {
  author: { name: title },
  article: { title, body: field.flexibleText(), author },
  page: { title, body: field.flexibleText({ format: 'markdown' }), author },
};
const CONTENTS = [
  published('author', 1, { name: 'A' }),
  published('article', 2, { title: 'a' }),
  published('article', 3, { title: 'b' }),
  published('page', 4, { title: 'c' }),
  published('note', 5, { title: 'of an undeclared model' }),
];

/** A session after one that left these items unconfirmed, and the heads that it sees. */
async function openUnconfirmed(
  ids: readonly number[],
  { areHeadsKnown, hidden }: { areHeadsKnown: boolean; hidden?: number },
) {
  const space = openSpace(models, CONTENTS, { serviceModels: { ...models, note: { title } } });
  await space.sync();
  const items = await itemsOf(space.open());
  const targets = ids.map((id) => targetOf(items.get(id) as never));
  if (hidden) space.service.contents.archive(hidden);
  const heads = await readHeads(space.open().headsSource);
  if (hidden) space.service.contents.restore(hidden);
  const session = space.open({
    manifest: {
      ...space.stored(),
      heads: areHeadsKnown ? fingerprintOf(heads) : 'other',
      unconfirmed: { items: targets, models: [] },
    },
  });
  const requests = () => space.requests(() => confirmItems(session, heads));
  return { space, session, items, requests };
}
/** They prove that nothing is hidden that is known. */
const PROOF = ['_updated_at', '_last_published_at'].map((time) => `newest by ${time} bypassing the CDN`);
const unconfirmed = (session: SyncSession) => [...session.visibility.unconfirmed.keys()];

describe('items that the last sync left unconfirmed', () => {
  test.each([true, false])(
    'are confirmed by heads that show all that is known, if these have their formats (same heads as before: %s)',
    async (areHeadsKnown) => {
      const { session, requests } = await openUnconfirmed([2, 3, 4], { areHeadsKnown });
      expect(await requests()).toEqual(['items 4', ...PROOF]);
      expect(unconfirmed(session)).toEqual([]);
    },
  );

  test('are read again if something that is known was hidden when the heads were read', async () => {
    const { session, requests } = await openUnconfirmed([2, 3, 4], { areHeadsKnown: false, hidden: 1 });
    expect(await requests()).toEqual(['items 2,3', 'items 4', ...PROOF]);
    expect(unconfirmed(session)).toEqual([2, 3, 4]);
  });

  test('are not confirmed by such heads if these show them as they are', async () => {
    const { session, items, requests } = await openUnconfirmed([2], { areHeadsKnown: false, hidden: 1 });
    await session.put({ item: items.get(2) as WireContent });
    expect(await requests()).toEqual(PROOF);
    expect(unconfirmed(session)).toEqual([2]);
  });

  test('are not confirmed by a second read in the sync that changed them', async () => {
    const { session, items, requests } = await openUnconfirmed([2], { areHeadsKnown: false });
    await session.put({ item: { ...(items.get(2) as WireContent), title: 'edited' } });
    await session.put({ item: items.get(2) as WireContent });
    expect(await requests()).toEqual([]);
    expect(unconfirmed(session)).toEqual([2]);
  });

  test('are not read again if they were read since', async () => {
    const { session, items, requests } = await openUnconfirmed([2, 3, 4], { areHeadsKnown: false });
    await session.put({ item: { ...(items.get(3) as WireContent), title: 'edited' } });
    expect(await requests()).toEqual(['items 2', 'items 4', ...PROOF]);
    // The edit is not in the heads, so the others prove nothing either.
    expect(unconfirmed(session)).toEqual([3, 2, 4]);
  });

  test('stay unconfirmed if they were read with other data', async () => {
    const { space, session, requests } = await openUnconfirmed([2, 4], { areHeadsKnown: false });
    space.service.contents.edit(4, { title: 'edited' });
    await requests();
    expect(unconfirmed(session)).toEqual([4]);
  });

  test('are forgotten if they do not exist any more', async () => {
    const { space, session, requests } = await openUnconfirmed([2, 4], { areHeadsKnown: false });
    space.service.contents.remove(2);
    await requests();
    expect(unconfirmed(session)).toEqual([4]);
  });

  test('need no further proof if unchanged heads show all of them', async () => {
    const { session, requests } = await openUnconfirmed([2, 3], { areHeadsKnown: true });
    expect(await requests()).toEqual([]);
    expect(unconfirmed(session)).toEqual([]);
  });

  test.each([true, false])(
    'stay unconfirmed if something is hidden that is known (heads known: %s)',
    async (areHeadsKnown) => {
      const { space, session, requests } = await openUnconfirmed([3, 4], { areHeadsKnown });
      space.service.contents.unpublish(1);
      await requests();
      // It was shown as it is together with what is hidden now.
      expect(unconfirmed(session)).toEqual([4]);
    },
  );
});

test('a model with too many unconfirmed items is replaced by those with an empty reference', async () => {
  const space = openSpace(models, [
    ...CONTENTS.slice(0, 4),
    published('article', 6, { title: 'd', author: 1 }),
  ]);
  await space.sync();
  const session = space.open({
    manifest: { ...space.stored(), unconfirmed: { items: [], models: ['article'] } },
  });
  await expandUnconfirmedModels(session);
  expect(unconfirmed(session)).toEqual([2, 3]);
});
