import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { Manifest } from '../../../src/replica/store/manifest/manifest.ts';
import { emptyManifest } from '../../../src/replica/store/snapshot.ts';
import { isNothingToRead, type MainChanges, mainChanges } from '../../../src/replica/sync/main-changes.ts';
import { NO_MAIN_CHANGES, openSpace, published } from '../session-space.ts';
import { content } from '../wire-items.ts';

const MODELS = {
  author: { name: field.text({ title: true }) },
  article: { title: field.text({ title: true }) },
};

/** A main language that changed after each of these. */
async function openChanged() {
  const space = openSpace(MODELS, [
    published('author', 1, { name: 'A' }),
    published('article', 2, { title: 'a' }),
    published('article', 3, { title: 'b' }),
  ]);
  await space.sync();
  const first = space.main().fingerprint;
  space.service.contents.edit(2, { title: 'edited' });
  space.service.contents.create({ id: 4, model: 'article', published: { ja: { title: 'new' } } });
  await space.sync();
  const second = space.main().fingerprint;
  space.service.contents.archive(3);
  await space.sync();
  return { space, first, second };
}

const following = (main: string | null, generation = 1): Manifest => ({
  ...emptyManifest(),
  generation,
  main,
});
const idsOf = ({ areKnown, added, changed, removed }: MainChanges) => ({
  areKnown,
  added: added.map(({ _id }) => _id),
  changed: changed.map(({ _id }) => _id),
  removed,
});

test('a language has to apply what changed since its last sync', async () => {
  const { space, first, second } = await openChanged();
  const all = await mainChanges(following(first), space.main());
  expect(idsOf(all)).toEqual({ areKnown: true, added: [4], changed: [2], removed: [3] });
  expect(all.changed).toMatchObject([{ _id: 2, title: 'edited' }]);
  const later = await mainChanges(following(second), space.main());
  expect(idsOf(later)).toEqual({ areKnown: true, added: [], changed: [], removed: [3] });
  expect(isNothingToRead(later)).toBe(true);
});

test('what returned was not removed', async () => {
  const { space, first } = await openChanged();
  space.service.contents.restore(3);
  await space.sync();
  const changes = await mainChanges(following(first), space.main());
  expect(idsOf(changes)).toMatchObject({ areKnown: true, added: [4, 3], removed: [] });
});

describe('there are no changes', () => {
  test('in the main language itself, at the first sync, or if all were followed', async () => {
    const { space } = await openChanged();
    expect(await mainChanges(following(null), undefined)).toEqual(NO_MAIN_CHANGES);
    expect(await mainChanges(following(null, 0), space.main())).toEqual(NO_MAIN_CHANGES);
    const main = space.main();
    expect(await mainChanges(following(main.fingerprint), main)).toEqual(NO_MAIN_CHANGES);
    expect(isNothingToRead(NO_MAIN_CHANGES)).toBe(true);
  });

  test('unless any item was added or changed', () => {
    expect(isNothingToRead({ ...NO_MAIN_CHANGES, added: [content(1)] })).toBe(false);
    expect(isNothingToRead({ ...NO_MAIN_CHANGES, changed: [content(1)] })).toBe(false);
  });
});

test.each([null, 'unknown'])('changes are unknown if the history does not reach back to %s', async (main) => {
  const { space } = await openChanged();
  expect((await mainChanges(following(main), space.main())).areKnown).toBe(false);
});

test('changes are unknown if the main language is damaged where they are', async () => {
  const { space, first } = await openChanged();
  const main = space.main();
  main.read = async () => {
    for (const segment of main.allSegments()) {
      const { DamagedSegment } = await import('../../../src/replica/content/segment-items.ts');
      throw new DamagedSegment(segment.model);
    }
  };
  expect((await mainChanges(following(first), main)).areKnown).toBe(false);
});
