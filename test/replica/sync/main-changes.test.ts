import { describe, expect, test } from 'vitest';
import { append, journalFingerprint, startJournal } from '../../../src/replica/store/journal.ts';
import type { Journal, JournalEntry } from '../../../src/replica/store/manifest.ts';
import { emptyManifest } from '../../../src/replica/store/snapshot.ts';
import { isEmpty, mainChanges } from '../../../src/replica/sync/main-changes.ts';

const NOTHING = { appeared: [], changed: [], undeclared: false, undeclaredAppeared: false };
const add = (to: Journal, changes: Partial<JournalEntry>) =>
  append(to, { ...NOTHING, ...changes }, 'content');
const start = startJournal();
const first = add(start, { appeared: [[1, 'author', 10]], changed: [[2, 'article', 20]] });
const journal = add(first, { appeared: [[3, 'article', 30]] });

/** What changed for a language that has followed a journal up to here. */
const since = (follows: string | null, main = journal, generation = 1) =>
  mainChanges({ ...emptyManifest(), generation, follows }, main);

test('a language has to apply what changed since its last sync', () => {
  expect(since(start.start)).toEqual({
    ...NOTHING,
    areKnown: true,
    appeared: [
      [1, 'author', 10],
      [3, 'article', 30],
    ],
    changed: [[2, 'article', 20]],
  });
  expect(since(journalFingerprint(first))).toMatchObject({ appeared: [[3, 'article', 30]], changed: [] });
});

test.each(['undeclared', 'undeclaredAppeared'] as const)('one entry is enough for %s', (what) => {
  const one = add(journal, { [what]: true });
  const more = add(one, { changed: [[2, 'article', 20]] });
  for (const main of [one, more]) {
    const changes = since(journalFingerprint(journal), main);
    expect(changes[what]).toBe(true);
    expect(isEmpty(changes)).toBe(false);
  }
  expect(since(journalFingerprint(journal), add(journal, { changed: [[2, 'article', 20]] }))[what]).toBe(
    false,
  );
});

describe('there are no changes', () => {
  test.each([
    ['in the main language itself', mainChanges({ ...emptyManifest(), generation: 1 }, undefined)],
    ['at the first sync', since(null, journal, 0)],
    ['if all were followed', since(journalFingerprint(journal))],
  ])('%s', (_when, changes) => {
    expect(changes).toEqual({ ...NOTHING, areKnown: true });
    expect(isEmpty(changes)).toBe(true);
  });

  test('unless any changed', () => {
    expect(isEmpty({ areKnown: true, ...NOTHING, appeared: [[1, 'author', 10]] })).toBe(false);
    expect(isEmpty({ areKnown: true, ...NOTHING, changed: [[1, 'author', 10]] })).toBe(false);
    const both = { appeared: [[1, 'author', 10]], changed: [[2, 'author', 20]] } as const;
    expect(isEmpty({ areKnown: true, ...NOTHING, ...both })).toBe(false);
  });
});

test.each([null, 'unknown'])('changes are unknown if the journal does not reach back to %s', (follows) => {
  expect(since(follows)).toEqual({ ...NOTHING, areKnown: false, undeclared: true });
});
