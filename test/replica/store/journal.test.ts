import { describe, expect, test } from 'vitest';
import {
  append,
  entriesSince,
  journalFingerprint,
  startJournal,
  targetOf,
} from '../../../src/replica/store/journal.ts';
import type { Journal, JournalEntry, Target } from '../../../src/replica/store/manifest.ts';
import { at, content, second } from '../wire-items.ts';

const nothing = { appeared: [], changed: [], undeclared: false, undeclaredAppeared: false };

function targets(count: number): Target[] {
  return Array.from({ length: count }, (_, n) => [n + 1, 'article', 0]);
}

/** A journal with one entry for each number, in which so many items changed. */
function journalOf(...counts: number[]): Journal {
  return counts.reduce(
    (journal, count) => append(journal, { ...nothing, changed: targets(count) }, 'content'),
    startJournal(),
  );
}

const sizes = ({ entries }: Journal) => entries.map(({ changed }) => changed.length);
const stateAt = ({ entries }: Journal, index: number) => (entries.at(index) as JournalEntry).state;

describe('a target', () => {
  test('is the id, the model and the creation time', () => {
    expect(targetOf(content(7, { _created_at: at(5) }))).toEqual([7, 'article', second(5)]);
  });

  test('without a creation time is as old as possible', () => {
    expect(targetOf({ _id: 7, _model: 'article', _created_at: 'never' })).toEqual([7, 'article', 0]);
  });
});

describe('a new journal', () => {
  test('is empty and in its first state', () => {
    const journal = startJournal();
    expect(journal.entries).toEqual([]);
    expect(journalFingerprint(journal)).toBe(journal.start);
  });

  test('has a unique state', () => {
    const states = Array.from({ length: 50 }, () => startJournal().start);
    expect(new Set(states).size).toBe(50);
    for (const state of states) expect(state).toMatch(/^[\w-]{12}$/);
  });
});

describe('appending', () => {
  test('nothing does not change the journal', () => {
    const journal = journalOf(1);
    expect(append(journal, nothing, 'other content')).toBe(journal);
  });

  test.each<[string, Omit<JournalEntry, 'state'>]>([
    ['items that appeared', { ...nothing, appeared: targets(2) }],
    ['items that changed', { ...nothing, changed: targets(1) }],
    ['as many of both', { ...nothing, appeared: targets(1), changed: targets(1) }],
    ['a change of undeclared content', { ...nothing, undeclared: true, undeclaredAppeared: false }],
  ])('%s leads to a new state', (_what, changes) => {
    const journal = journalOf(1);
    const next = append(journal, changes, 'content');
    expect(next.start).toBe(journal.start);
    expect(next.entries).toEqual([...journal.entries, { state: journalFingerprint(next), ...changes }]);
    expect(journalFingerprint(next)).not.toBe(journalFingerprint(journal));
    expect(journal.entries).toHaveLength(1);
  });

  test('keeps all entries of up to 1,000 items, where each entry counts as one more', () => {
    const journal = journalOf(499, 499);
    expect(sizes(journal)).toEqual([499, 499]);
    expect(sizes(journalOf(499, 500))).toEqual([500]);
    expect(sizes(journalOf(999))).toEqual([999]);
  });

  test('counts items that appeared too', () => {
    const next = append(journalOf(500), { ...nothing, appeared: targets(499) }, 'content');
    expect(next.entries).toHaveLength(1);
    expect(next.entries[0]?.appeared).toHaveLength(499);
    expect(append(next, { ...nothing, changed: targets(500) }, 'content').entries).toHaveLength(1);
  });

  test('removes the oldest entries until the rest fits, and starts after them', () => {
    const journal = journalOf(300, 300, 300);
    const next = append(journal, { ...nothing, changed: targets(500) }, 'content');
    expect(sizes(next)).toEqual([300, 500]);
    expect(next.start).toBe(stateAt(journal, 1));
  });

  test('removes everything if one entry is too large, and starts after it', () => {
    const next = journalOf(1, 1000);
    expect(next.entries).toEqual([]);
    expect(entriesSince(next, journalFingerprint(next))).toEqual([]);
  });
});

describe('the name of a state', () => {
  const journal = journalOf(1);
  const changes = { ...nothing, changed: targets(1) };
  const name = journalFingerprint(append(journal, changes, 'content'));

  test('is equal for equal changes that lead to equal content', () => {
    const other = append({ ...journal, entries: [...journal.entries] }, { ...changes }, 'content');
    expect(journalFingerprint(other)).toBe(name);
    expect(name).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each<[string, Journal, Omit<JournalEntry, 'state'>, string]>([
    ['other content', journal, changes, 'other content'],
    ['other changes', journal, { ...changes, undeclared: true, undeclaredAppeared: false }, 'content'],
    ['another state before', append(journal, changes, 'content'), changes, 'content'],
    ['another journal', journalOf(1), changes, 'content'],
  ])('differs with %s', (_what, before, what, content) => {
    expect(journalFingerprint(append(before, what, content))).not.toBe(name);
  });
});

describe('the changes since a state', () => {
  const journal = journalOf(1, 2, 3);

  test('are all changes, for the first state', () => {
    expect(entriesSince(journal, journal.start)).toEqual(journal.entries);
  });

  test('are those after the state', () => {
    expect(entriesSince(journal, stateAt(journal, 0))).toEqual(journal.entries.slice(1));
    expect(entriesSince(journal, stateAt(journal, 1))).toEqual(journal.entries.slice(2));
  });

  test('are none, for the last state', () => {
    expect(entriesSince(journal, journalFingerprint(journal))).toEqual([]);
  });

  test('are unknown, for a state of another journal or one that was removed', () => {
    expect(entriesSince(journal, startJournal().start)).toBeUndefined();
    const trimmed = append(journal, { ...nothing, changed: targets(995) }, 'content');
    expect(sizes(trimmed)).toEqual([3, 995]);
    expect(entriesSince(trimmed, stateAt(journal, 0))).toBeUndefined();
    expect(entriesSince(trimmed, stateAt(journal, 1))).toEqual(trimmed.entries);
  });
});
