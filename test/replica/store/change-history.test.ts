import { describe, expect, test } from 'vitest';
import {
  type ChangeHistory,
  changesSince,
  NO_HISTORY,
  recordStep,
} from '../../../src/replica/store/change-history.ts';

/** The history of a replica that went through these states, with one changed item per step. */
function historyOf(...states: string[]): ChangeHistory {
  let history = NO_HISTORY;
  for (const [index, to] of states.entries()) {
    const from = states[index - 1];
    if (from !== undefined) history = recordStep(history, from, { to, ids: [index] });
  }
  return history;
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a step', () => {
  test('to the same state is not recorded', () => {
    const history = historyOf('a', 'b');
    expect(recordStep(history, 'b', { to: 'b', ids: [7] })).toBe(history);
  });

  test('is the first of an empty history', () => {
    expect(recordStep(NO_HISTORY, 'a', { to: 'b', ids: [7] })).toEqual({
      start: 'a',
      steps: [{ to: 'b', ids: [7] }],
    });
  });

  test('continues a history that ends where it begins', () => {
    expect(historyOf('a', 'b', 'c')).toEqual({
      start: 'a',
      steps: [
        { to: 'b', ids: [1] },
        { to: 'c', ids: [2] },
      ],
    });
  });

  test('continues a history without steps that starts where it begins', () => {
    expect(recordStep({ start: 'a', steps: [] }, 'a', { to: 'b', ids: [7] })).toEqual({
      start: 'a',
      steps: [{ to: 'b', ids: [7] }],
    });
  });

  test('starts over if the history ends elsewhere, even if it contains that state', () => {
    const steps = [{ to: 'd', ids: [7] }];
    expect(recordStep(historyOf('a', 'b'), 'c', { to: 'd', ids: [7] })).toEqual({ start: 'c', steps });
    expect(recordStep(historyOf('a', 'b'), 'a', { to: 'd', ids: [7] })).toEqual({ start: 'a', steps });
  });

  test('that alone is too large starts over after it', () => {
    const stepOf = (count: number) => recordStep(historyOf('a', 'b'), 'b', { to: 'c', ids: ids(count) });
    expect(stepOf(1999)).toEqual({ start: 'b', steps: [{ to: 'c', ids: ids(1999) }] });
    expect(stepOf(2000)).toEqual({ start: 'c', steps: [] });
    expect(stepOf(2001)).toEqual({ start: 'c', steps: [] });
  });

  test('of which nothing is known starts over after it', () => {
    expect(recordStep(historyOf('a', 'b'), 'b', { to: 'c', ids: undefined })).toEqual({
      start: 'c',
      steps: [],
    });
    const history = historyOf('a', 'b');
    expect(recordStep(history, 'b', { to: 'b', ids: undefined })).toBe(history);
  });

  test('that changes no item is a step too', () => {
    const history = recordStep(historyOf('a', 'b'), 'b', { to: 'c', ids: [] });
    expect(changesSince(history, 'b')).toEqual(new Set());
    expect(changesSince(history, 'a')).toEqual(new Set([1]));
  });
});

describe('a history', () => {
  /** Counts as one more than its ids. */
  const large = recordStep(NO_HISTORY, 'a', { to: 'b', ids: ids(1000) });

  test('keeps as many steps as fit', () => {
    const history = recordStep(large, 'b', { to: 'c', ids: ids(998) });
    expect(history.start).toBe('a');
    expect(history.steps.map(({ to }) => to)).toEqual(['b', 'c']);
  });

  test('drops the oldest steps that do not fit any more, and then starts after them', () => {
    const history = recordStep(large, 'b', { to: 'c', ids: ids(999) });
    expect(history.start).toBe('b');
    expect(history.steps.map(({ to }) => to)).toEqual(['c']);
  });

  test('drops no more steps than it has to', () => {
    const two = recordStep(large, 'b', { to: 'c', ids: ids(900) });
    const history = recordStep(two, 'c', { to: 'd', ids: ids(900) });
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
