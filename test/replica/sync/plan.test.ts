import { describe, expect, test } from 'vitest';
import { type PlanInput, planSync } from '../../../src/replica/sync/plan.ts';

const CURSOR = { updated: 5, published: 6 };

/** A large space that was synced before. */
const STORED: PlanInput = {
  models: { author: {}, article: {} },
  unread: [],
  groups: [{ count: 5000 }],
  concurrency: 16,
  cursor: CURSOR,
  manifest: { settled: true },
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
    kind: 'incremental',
    reason: 'up to date until the cursor',
    models: [],
    since: CURSOR,
    bypassCdn: false,
  });
});

test('models that are new in the map are read in full, and the others from the cursor', () => {
  expect(plan({ unread: ['author'] })).toEqual({
    kind: 'partial',
    reason: 'new models',
    models: ['author'],
    since: CURSOR,
    bypassCdn: false,
  });
});

describe('everything is read through the CDN', () => {
  test.each<[string, Partial<PlanInput>]>([
    ['nothing stored', { unread: ALL, cursor: undefined, groups: [{ count: 0 }], age: undefined }],
    ['no cursor', { cursor: undefined }],
    ['no cursor', { cursor: undefined, unread: ['author'] }],
  ])('with %s', (reason, input) => {
    expect(plan(input)).toEqual({ kind: 'full', reason, models: ALL, since: undefined, bypassCdn: false });
  });
});

describe('everything is read bypassing the CDN', () => {
  const REASONS: [string, Partial<PlanInput>][] = [
    ['requested', { forceFullSync: true }],
    ['damaged cache', { isDamaged: true }],
    ['inconclusive full read', { manifest: { settled: false } }],
    ['older than maxAge', { age: 1001 }],
    ['unknown changes of the main language', { mainChanges: { areKnown: false } }],
  ];

  test.each(REASONS)('with the reason: %s', (reason, input) => {
    expect(plan(input)).toEqual({ kind: 'full', reason, models: ALL, since: undefined, bypassCdn: true });
  });

  test.each(REASONS)('in one round if the space is small, with the reason: %s', (reason, input) => {
    const small = plan({ ...input, groups: [{ count: 100 }] });
    expect(small).toEqual({ kind: 'single round', reason, models: ALL, bypassCdn: true });
  });
});

describe('where requests cost more than time', () => {
  const server = (input: Partial<PlanInput>) => plan({ fewRequests: true, ...input });

  test('a space that takes no more requests than the heads is read whole', () => {
    expect(server({ groups: [{ count: 150 }] })).toMatchObject({ reason: 'small space' });
    expect(server({ groups: [{ count: 90 }, { count: 90 }] })).toMatchObject({ reason: 'small space' });
  });

  test('others are brought up to date from their cursor, however small', () => {
    expect(server({ groups: [{ count: 250 }] })).toMatchObject({ kind: 'incremental' });
    expect(server({ groups: [{ count: 90 }, { count: 90 }, { count: 1 }] })).toMatchObject({
      kind: 'incremental',
    });
    expect(server({ groups: [{ count: 150 }], concurrency: 1 })).toMatchObject({ kind: 'incremental' });
  });
});

describe('a small space is read in one round', () => {
  const kind = (counts: readonly number[], concurrency: number, unread: string[] = []) =>
    plan({ groups: counts.map((count) => ({ count })), concurrency, unread }).kind;

  test('if all pages are requested at once', () => {
    expect(plan({ groups: [{ count: 100 }] })).toMatchObject({ reason: 'small space', bypassCdn: false });
    expect([kind([100], 1), kind([101], 1)]).toEqual(['single round', 'incremental']);
    // Pages overlap by one item.
    expect([kind([199], 2), kind([200], 2)]).toEqual(['single round', 'incremental']);
    expect([kind([100, 100], 2), kind([100, 101], 2)]).toEqual(['single round', 'incremental']);
  });

  test('unless the number of items is unknown', () => {
    expect(kind([100], 16, ['author'])).toBe('partial');
  });
});
