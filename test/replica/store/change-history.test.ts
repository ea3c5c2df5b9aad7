import { describe, expect, test } from 'vitest';
import {
  type ChangeHistory,
  historySince,
  NO_HISTORY,
  recordStep,
} from '../../../src/replica/store/manifest/change-history.ts';

const changed = (ids: readonly number[]) => ({ added: [], changed: ids, removed: [] });
const step = (to: string, ids: readonly number[]) => ({ to, ...changed(ids) });
const record = (history: ChangeHistory, from: string, to: string, ids: readonly number[] | undefined) =>
  recordStep(history, from, to, ids && changed(ids));
/** Only items that changed. */
const changesSince = (history: ChangeHistory, fingerprint: string) =>
  historySince(history, fingerprint)?.changed;

/** The history of a replica that went through these states, with one changed item per step. */
function historyOf(...states: string[]): ChangeHistory {
  let history = NO_HISTORY;
  for (const [index, to] of states.entries()) {
    const from = states[index - 1];
    if (from !== undefined) history = record(history, from, to, [index]);
  }
  return history;
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a step', () => {
  test('to the same state is not recorded', () => {
    const history = historyOf('a', 'b');
    expect(record(history, 'b', 'b', [7])).toBe(history);
  });

  test('is the first of an empty history', () => {
    expect(record(NO_HISTORY, 'a', 'b', [7])).toEqual({
      start: 'a',
      steps: [step('b', [7])],
    });
  });

  test('continues a history that ends where it begins', () => {
    expect(historyOf('a', 'b', 'c')).toEqual({
      start: 'a',
      steps: [step('b', [1]), step('c', [2])],
    });
  });

  test('continues a history without steps that starts where it begins', () => {
    expect(record({ start: 'a', steps: [] }, 'a', 'b', [7])).toEqual({
      start: 'a',
      steps: [step('b', [7])],
    });
  });

  test('starts over if the history ends elsewhere, even if it contains that state', () => {
    const steps = [step('d', [7])];
    expect(record(historyOf('a', 'b'), 'c', 'd', [7])).toEqual({ start: 'c', steps });
    expect(record(historyOf('a', 'b'), 'a', 'd', [7])).toEqual({ start: 'a', steps });
  });

  test('that alone is too large starts over after it', () => {
    const stepOf = (count: number) => record(historyOf('a', 'b'), 'b', 'c', ids(count));
    expect(stepOf(1999)).toEqual({ start: 'b', steps: [step('c', ids(1999))] });
    expect(stepOf(2000)).toEqual({ start: 'c', steps: [] });
    expect(stepOf(2001)).toEqual({ start: 'c', steps: [] });
  });

  test('of which nothing is known starts over after it', () => {
    expect(record(historyOf('a', 'b'), 'b', 'c', undefined)).toEqual({
      start: 'c',
      steps: [],
    });
    const history = historyOf('a', 'b');
    expect(record(history, 'b', 'b', undefined)).toBe(history);
  });

  test('that changes no item is a step too', () => {
    const history = record(historyOf('a', 'b'), 'b', 'c', []);
    expect(changesSince(history, 'b')).toEqual(new Set());
    expect(changesSince(history, 'a')).toEqual(new Set([1]));
  });
});

describe('a history', () => {
  /** Counts as one more than its ids. */
  const large = record(NO_HISTORY, 'a', 'b', ids(1000));

  test('keeps as many steps as fit', () => {
    const history = record(large, 'b', 'c', ids(998));
    expect(history.start).toBe('a');
    expect(history.steps.map(({ to }) => to)).toEqual(['b', 'c']);
  });

  test('drops the oldest steps that do not fit any more, and then starts after them', () => {
    const history = record(large, 'b', 'c', ids(999));
    expect(history.start).toBe('b');
    expect(history.steps.map(({ to }) => to)).toEqual(['c']);
  });

  test('drops no more steps than it has to', () => {
    const two = record(large, 'b', 'c', ids(900));
    const history = record(two, 'c', 'd', ids(900));
    expect(history.start).toBe('b');
    expect(history.steps.map(({ to }) => to)).toEqual(['c', 'd']);
  });
});

describe('the changes since a state', () => {
  const history = historyOf('a', 'b', 'c', 'd');

  test('are unknown if the history does not contain it', () => {
    expect(changesSince(history, 'x')).toBeUndefined();
    expect(changesSince(NO_HISTORY, 'a')).toBeUndefined();
    expect(NO_HISTORY.steps).toEqual([]);
  });

  test('are all of them since the start', () => {
    expect(changesSince(history, 'a')).toEqual(new Set([1, 2, 3]));
  });

  test('are those of the later steps', () => {
    expect(changesSince(history, 'b')).toEqual(new Set([2, 3]));
    expect(changesSince(history, 'c')).toEqual(new Set([3]));
  });

  test('are none since the last state', () => {
    expect(changesSince(history, 'd')).toEqual(new Set());
  });

  test('are none since the start of a history without steps', () => {
    expect(changesSince({ start: 'a', steps: [] }, 'a')).toEqual(new Set());
  });

  test('are those since its last occurrence, if it occurs twice', () => {
    expect(changesSince(historyOf('a', 'b', 'c', 'b', 'd'), 'b')).toEqual(new Set([4]));
    expect(changesSince(historyOf('a', 'b', 'a', 'c'), 'a')).toEqual(new Set([3]));
  });
});

test('what was added, changed and removed is told apart, over all steps', () => {
  const first = recordStep(NO_HISTORY, 'a', 'b', { added: [1], changed: [2], removed: [3] });
  const history = recordStep(first, 'b', 'c', { added: [4], changed: [2], removed: [1] });
  expect(historySince(history, 'a')).toEqual({
    added: new Set([1, 4]),
    changed: new Set([2]),
    removed: new Set([3, 1]),
  });
});
