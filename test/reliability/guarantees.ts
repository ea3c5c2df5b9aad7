import { inspect, isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { LuidError } from '../../src/index.ts';
import type { Trial } from './fault-runner.ts';
import type { Guarantee } from './matrix.ts';
import { type Content, contentsIn, type Load, stateOf } from './test-setup.ts';
import { NeverEndsError } from './waiting-clock.ts';

const succeeded = ({ error }: Load) => error === undefined;

/** Every item without embedded ones, references as ids. */
const states = (content: Content) =>
  Object.values(content).flatMap((entries) =>
    [...entries].map(([id, data]) => `${id} ${stateOf(data)}`).sort(),
  );

/** The embedded items of entries, by id. */
const embedded = (content: Content) => {
  const all = Object.values(content).flatMap((entries) => [...entries]);
  return new Map(all.map(([id, { author, related, mentor }]) => [id, { author, related, mentor }]));
};

/** Compares only what differs, which is easier to read. */
function expectSame(actual: Content, service: Content): void {
  const [found, expected] = [states(actual), states(service)];
  const only = (list: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    return list.filter((state) => !known.has(state));
  };
  expect({ wrong: only(found, expected), missing: only(expected, found) }).toEqual({
    wrong: [],
    missing: [],
  });
}

/** The same items with the same embedded ones. */
export function expectSameContent(actual: Content, service: Content): void {
  expectSame(actual, service);
  expect(isDeepStrictEqual(embedded(actual), embedded(service))).toBe(true);
}

function expectServiceContent({ error, after, serviceContent }: Load): void {
  expect(error).toBeUndefined();
  expectSame(after.entries, serviceContent);
}

/** Each item is as the service has it, or as it was before the load. */
function expectNoOlder({ error, before, after, serviceContent }: Load): void {
  expect(error).toBeUndefined();
  const known = new Set([...states(before.entries), ...states(serviceContent)]);
  expect(states(after.entries).filter((state) => !known.has(state))).toEqual([]);
}

function hasExpectedContent({ expects, load }: Trial): boolean {
  if (expects === 'fails') expect(load.error).toBeDefined();
  else if (expects === 'right or older') expectNoOlder(load);
  else if (expects === 'last good') expectSame(load.after.entries, load.before.entries);
  else if (expects === 'right' || succeeded(load)) expectServiceContent(load);
  return true;
}

function hasOnlyExistingStates({ load, cache }: Trial): boolean {
  for (const content of [load.after.entries, cache?.now]) {
    if (content) expect(contentsIn(content).filter((item) => !load.history.has(stateOf(item)))).toEqual([]);
  }
  return true;
}

/** Whether the load must have current content. A stale response of the CDN looks like one of the service. */
const isCurrent = ({ expects, load }: Trial) =>
  succeeded(load) && (expects === 'right' || expects === 'right or fails');

function hasNoRemovedItems(trial: Trial): boolean {
  const { after, removedIds } = trial.load;
  if (isCurrent(trial)) {
    expect(contentsIn(after.entries).filter(({ _id }) => removedIds.has(_id as number))).toEqual([]);
  }
  return isCurrent(trial);
}

function referencesAreRight(trial: Trial): boolean {
  const { after, serviceContent } = trial.load;
  if (isCurrent(trial))
    expect(isDeepStrictEqual(embedded(after.entries), embedded(serviceContent))).toBe(true);
  return isCurrent(trial);
}

/** A failed load changes nothing; if only storing fails, the cache is complete, either before or after. */
function changesNothing({ load, cache, expects }: Trial): boolean {
  if (cache) {
    const possible = [cache.known, load.serviceContent].map((content) => content && states(content));
    expect(possible).toContainEqual(cache.now && states(cache.now));
    return true;
  }
  if (expects === 'last good') expect(load.after.cache).toEqual(load.before.cache);
  if (succeeded(load)) return expects === 'last good';
  expect(load.after.store).toBe(load.before.store);
  expect(load.after.cache).toEqual(load.before.cache);
  return true;
}

function keepsBudget({ load, budget }: Trial): boolean {
  expect(load.requests.length).toBeLessThanOrEqual(budget);
  return budget < Number.POSITIVE_INFINITY;
}

const MINUTE = 60_000;
const REQUESTS_PER_MINUTE = 600;

/** §8: 600 requests per minute, the configured concurrency, and no request during a pause. */
function keepsLimits({ load: { requests, concurrent }, pause }: Trial): boolean {
  expect(concurrent.most).toBeLessThanOrEqual(concurrent.allowed);
  for (const [index, { at }] of requests.entries()) {
    const later = requests[index + REQUESTS_PER_MINUTE];
    if (later) expect(later.at - at).toBeGreaterThan(MINUTE);
  }
  if (pause === undefined) return true;
  for (const refusal of requests.filter(({ fault }) => fault)) {
    const early = requests.filter(({ at }) => at > refusal.at && at < refusal.at + pause);
    expect(early).toEqual([]);
  }
  return true;
}

function showsNoKey({ load: { error, lines, after, key } }: Trial): boolean {
  const printed = [
    inspect(error, { depth: 20, showHidden: true }),
    ...lines.map(({ text }) => text),
    after.store,
    ...[...after.cache].flat(),
  ];
  expect(printed.filter((text) => text.includes(key))).toEqual([]);
  return true;
}

const LONGEST = 20 * MINUTE;

function ends({ load }: Trial): boolean {
  expect(load.error).not.toBeInstanceOf(NeverEndsError);
  expect(load.duration).toBeLessThan(LONGEST);
  return true;
}

function reportsProblem({ expects, load, expectedLog }: Trial): boolean {
  if (expectedLog) {
    const logged = [
      String((load.error as Error | undefined)?.message),
      ...load.lines.map(({ text }) => text),
    ];
    expect(logged.join('\n')).toMatch(expectedLog);
  }
  if (expects === 'last good') {
    expect(load.lines.filter(({ level }) => level === 'warn').map(({ text }) => text)).toContainEqual(
      expect.stringContaining('Service unavailable; using cached content'),
    );
  }
  if (succeeded(load)) return expectedLog !== undefined;
  if (!expectedLog) {
    expect(LuidError.is(load.error)).toBe(true);
    expect((load.error as Error).message).toMatch(/\n {2}→ /);
  }
  return true;
}

export const GUARANTEES = [
  { name: 'equal to the service after a sync without faults', check: hasExpectedContent },
  { name: 'no state that never existed', check: hasOnlyExistingStates },
  { name: 'no item that was deleted before', check: hasNoRemovedItems },
  { name: 'references equal the service’s', check: referencesAreRight },
  { name: 'a failed load changes nothing', check: changesNothing },
  { name: 'the problem is reported', check: reportsProblem },
  { name: 'request budget', check: keepsBudget },
  { name: 'rate limits', check: keepsLimits },
  { name: 'no API key in output or files', check: showsNoKey },
  { name: 'always ends', check: ends },
] as const satisfies readonly Guarantee<Trial>[];

export type GuaranteeName = (typeof GUARANTEES)[number]['name'];
