import { expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { Target } from '../../../src/replica/store/manifest.ts';
import type { MainChanges } from '../../../src/replica/sync/main-changes.ts';
import { VisibilityLog } from '../../../src/replica/sync/visibility-log.ts';
import { wire } from '../../models/content.ts';

const title = field.text({ title: true });
const MODELS = {
  author: { title },
  article: { title, author: field.reference('author') },
  page: { title, author: field.reference('author') },
};
const NO_CHANGES = { appeared: [], changed: [], undeclaredAppeared: false } as unknown as MainChanges;
const UNCONFIRMED: Target[] = [
  [1, 'article', 1000],
  [2, 'page', 2000],
];

const open = (items: Target[], models: string[] = []) =>
  new VisibilityLog(MODELS, { items, models }, NO_CHANGES);

test('a model that was read in full is settled, others are not', () => {
  const log = open(UNCONFIRMED, ['article', 'page']);
  log.forgetUnconfirmed('article');
  expect([...log.unconfirmed.keys()]).toEqual([2]);
  expect(log.stillUnconfirmed).toEqual([[2, 'page', 2000]]);
  expect([log.isUnconfirmed('article'), log.isUnconfirmed('page')]).toEqual([false, true]);
});

test('what this sync leaves unconfirmed is not what an earlier one left', () => {
  const log = open(UNCONFIRMED);
  log.markUnconfirmed(wire('article', { title: 'without an author', author: null }, 3));
  expect([...log.unconfirmed.keys()]).toEqual([1, 2, 3]);
  expect(log.stillUnconfirmed).toEqual(UNCONFIRMED);
});

test('what an earlier sync left unconfirmed is confirmed by being shown again, until that is revoked', () => {
  const log = open(UNCONFIRMED);
  expect([log.hadUnconfirmed, log.confirmed]).toEqual([true, []]);
  log.confirm(1);
  expect(log.confirmed).toEqual([[1, 'article', 1000]]);
  expect(log.stillUnconfirmed).toEqual([[2, 'page', 2000]]);
  log.revokeConfirmed(log.confirmed);
  expect(log.confirmed).toEqual([]);
  expect([...log.unconfirmed.keys()].toSorted()).toEqual([1, 2]);
});

test('nothing was left unconfirmed if all of it does not exist any more', () => {
  expect(open([]).hadUnconfirmed).toBe(false);
  const log = open([[1, 'article', 1000]]);
  log.forgetItem(1);
  expect([log.hadUnconfirmed, log.confirmed]).toEqual([false, []]);
});

test('what this sync itself leaves unconfirmed is not confirmed by being shown again in it', () => {
  const log = open([]);
  const item = wire('article', { title: 'without an author', author: null }, 3);
  log.markUnconfirmed(item);
  log.confirm(3);
  expect([...log.unconfirmed.keys()]).toEqual([3]);
  // It is another item from now on.
  log.forgetItem(3);
  log.expandUnconfirmed('article', [item]);
  log.confirm(3);
  expect([...log.unconfirmed.keys()]).toEqual([]);
});
