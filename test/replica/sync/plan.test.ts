import { describe, expect, test } from 'vitest';
import { type PlanInput, planSync } from '../../../src/replica/sync/plan.ts';

const CURSOR = { updated: 5, published: 6 };
const NO_CURSOR = { cursor: null, readAgain: [] };

/** A large space that was synced before. */
const STORED: PlanInput = {
  models: { author: {}, article: {} },
  unread: [],
  outdated: [],
  groups: [{ count: 5000 }],
  concurrency: 16,
  manifest: { cursor: CURSOR, readAgain: [] },
  isDamaged: false,
  mainChanges: { areKnown: true },
  forceFullSync: false,
  age: 1000,
  maxAge: 1000,
};
const plan = (input: Partial<PlanInput> = {}) => planSync({ ...STORED, ...input });
const ALL = ['author', 'article'];

test('stored models are brought up to date from their cursor', () => {
  expect(plan()).toEqual({
    reason: 'incremental',
    isSmall: false,
    models: [],
    since: CURSOR,
    bypassCdn: false,
  });
});

test('models that are new in the map are read in full, and the others from the cursor', () => {
  expect(plan({ unread: ['author'] })).toEqual({
    reason: 'another model map',
    isSmall: false,
    models: ['author'],
    since: CURSOR,
    bypassCdn: false,
  });
  expect(plan({ outdated: ['author'] }).models).toEqual(['author']);
  expect(plan({ unread: ['author'], outdated: ['author', 'article'] }).models).toEqual(['author', 'article']);
});

describe('everything is read through the CDN', () => {
  test.each<[string, Partial<PlanInput>]>([
    [
      'nothing stored',
      { unread: ALL, manifest: NO_CURSOR, groups: [{ count: 0, expected: 5000 }], age: undefined },
    ],
    ['no cursor', { manifest: NO_CURSOR }],
    ['no cursor', { manifest: NO_CURSOR, unread: ['author'] }],
  ])('with %s', (reason, input) => {
    expect(plan(input)).toEqual({
      reason,
      isSmall: false,
      models: ALL,
      since: undefined,
      bypassCdn: false,
    });
  });
});

describe('everything is read bypassing the CDN', () => {
  const REASONS: [string, Partial<PlanInput>][] = [
    ['requested', { forceFullSync: true }],
    ['damaged cache', { isDamaged: true }],
    ['too much is uncertain', { manifest: { cursor: CURSOR, readAgain: 'everything' } }],
    ['older than maxAge', { age: 1001 }],
    ['unknown changes of the main language', { mainChanges: { areKnown: false } }],
  ];

  test.each(REASONS)('with the reason: %s', (reason, input) => {
    expect(plan(input)).toEqual({
      reason,
      isSmall: false,
      models: ALL,
      since: undefined,
      bypassCdn: true,
    });
  });

  test.each(REASONS)('in one round if the space is small, with the reason: %s', (reason, input) => {
    const small = plan({ ...input, groups: [{ count: 100 }] });
    expect(small).toEqual({ reason, isSmall: true, models: ALL, bypassCdn: true });
  });
});

describe('where requests cost more than time', () => {
  const server = (input: Partial<PlanInput>) => plan({ fewRequests: true, ...input });

  test('a space that takes no more requests than the heads is read whole', () => {
    expect(server({ groups: [{ count: 150 }] })).toMatchObject({ reason: 'small space' });
    expect(server({ groups: [{ count: 90 }, { count: 90 }] })).toMatchObject({ reason: 'small space' });
  });

  test('others are brought up to date from their cursor, however small', () => {
    expect(server({ groups: [{ count: 250 }] })).toMatchObject({ reason: 'incremental' });
    expect(server({ groups: [{ count: 90 }, { count: 90 }, { count: 1 }] })).toMatchObject({
      reason: 'incremental',
    });
    expect(server({ groups: [{ count: 150 }], concurrency: 1 })).toMatchObject({ reason: 'incremental' });
  });
});

describe('a small space is read in one round', () => {
  const isSmall = (counts: readonly number[], concurrency: number, unread: string[] = []) =>
    plan({ groups: counts.map((count) => ({ count })), concurrency, unread }).isSmall;

  test('if all pages are requested at once', () => {
    expect(plan({ groups: [{ count: 100 }] })).toMatchObject({ reason: 'small space', bypassCdn: false });
    expect([isSmall([100], 1), isSmall([101], 1)]).toEqual([true, false]);
    // Pages overlap by one item.
    expect([isSmall([199], 2), isSmall([200], 2)]).toEqual([true, false]);
    expect([isSmall([100, 100], 2), isSmall([100, 101], 2)]).toEqual([true, false]);
  });

  test('of up to 16 pages, also if more are requested in parallel', () => {
    expect([isSmall([1585], 64), isSmall([1586], 64)]).toEqual([true, false]);
  });

  test('unless the number of items is unknown', () => {
    expect(isSmall([100], 16, ['author'])).toBe(false);
  });

  test('is read past the CDN if nothing of it is stored, as many items as the service has', () => {
    const cold = { unread: ALL, manifest: NO_CURSOR, age: undefined, concurrency: 2 };
    const plans = [199, 200].map((expected) => plan({ ...cold, groups: [{ count: 0, expected }] }));
    expect(plans).toMatchObject([
      { reason: 'small space', isSmall: true, models: ALL, bypassCdn: true },
      { reason: 'nothing stored', isSmall: false, bypassCdn: false },
    ]);
  });
});

test('after an event, changes are read bypassing the CDN, and the whole of a small space', () => {
  const after = (input: Partial<PlanInput>) => plan({ bypassCdn: true, ...input });
  expect(after({})).toMatchObject({ reason: 'incremental', models: [], bypassCdn: true });
  expect(after({ groups: [{ count: 100 }] })).toMatchObject({ isSmall: true, bypassCdn: true });
  expect(plan({})).toMatchObject({ reason: 'incremental', bypassCdn: false });
});
