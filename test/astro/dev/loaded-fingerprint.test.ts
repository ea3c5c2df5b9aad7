import { describe, expect, test } from 'vitest';
import { clearCollectionStatuses, setCollectionStatus } from '../../../src/astro/collection-status.ts';
import { loadedFingerprint } from '../../../src/astro/dev/loaded-fingerprint.ts';
import { liveSpace } from '../live/live-space.ts';

describe('the fingerprint of the loaded content', () => {
  test('costs two requests, which later come from the CDN', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace();
    const first = await loadedFingerprint(space, {});
    expect(emulator.log).toHaveLength(2);
    expect(await loadedFingerprint(space, {})).toBe(first);
    expect(emulator.log.slice(2).map(({ cdn }) => cdn)).toEqual(['hit', 'hit']);
  });

  test('changes after an edit', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace();
    const before = await loadedFingerprint(space, {});
    emulator.contents.edit(101, { title: 'Another' });
    expect(await loadedFingerprint(space, {})).not.toBe(before);
  });

  test('§5 changes with a draft if drafts are loaded', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace();
    setCollectionStatus({
      collection: 'articles',
      model: 'article',
      drafts: true,
      entries: 3,
      loadedAt: 0,
      attemptedAt: 0,
    });
    const before = await loadedFingerprint(space, {});
    emulator.contents.saveDraft(103, { title: 'Night train' });
    expect(await loadedFingerprint(space, {})).not.toBe(before);
    clearCollectionStatuses();
  });

  test('uses the key for drafts if it is the only one, before anything is loaded', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace({ apiKey: '' });
    await loadedFingerprint(space, {});
    expect(emulator.log.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('covers the languages that are loaded', async () => {
    clearCollectionStatuses();
    const { emulator, space } = liveSpace();
    const langs = [undefined, 'en'];
    setCollectionStatus({
      collection: 'articles',
      model: 'article',
      drafts: false,
      langs,
      entries: 3,
      loadedAt: 0,
      attemptedAt: 0,
    });
    await loadedFingerprint(space, {});
    expect(emulator.log.map(({ query }) => query.includes('lang=en'))).toEqual(
      expect.arrayContaining([true, false]),
    );
    expect(emulator.log).toHaveLength(4);
    clearCollectionStatuses();
  });
});
