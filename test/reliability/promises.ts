import { inspect, isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { LuidError } from '../../src/index.ts';
import { Endless } from './clock.ts';
import type { Trial } from './lab.ts';
import { type Content, contentsIn, type Load, stateOf } from './world.ts';

/** What is promised whatever happens. A check throws, or tells whether the promise had anything to say. */
interface Promised {
  readonly name: string;
  readonly check: (one: Trial) => boolean;
}

const succeeded = ({ error }: Load) => error === undefined;

/** Items by themselves, references as ids. */
const states = (content: Content) =>
  Object.values(content).flatMap((entries) =>
    [...entries].map(([id, data]) => `${id} ${stateOf(data)}`).sort(),
  );

/** What the references of entries show, by id. */
const embedded = (content: Content) => {
  const all = Object.values(content).flatMap((entries) => [...entries]);
  return new Map(all.map(([id, { author, related, mentor }]) => [id, { author, related, mentor }]));
};

/** What differs, which is easier to read than all that does not. */
function expectSame(ours: Content, theirs: Content): void {
  const [mine, right] = [states(ours), states(theirs)];
  const only = (list: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    return list.filter((state) => !known.has(state));
  };
  expect({ wrong: only(mine, right), missing: only(right, mine) }).toEqual({ wrong: [], missing: [] });
}

function expectRight({ error, after, truth }: Load): void {
  expect(error).toBeUndefined();
  expectSame(after.entries, truth);
}

/** No item is turned back: each is as it is, or still as it was. */
function expectNoOlder({ error, before, after, truth }: Load): void {
  expect(error).toBeUndefined();
  const known = new Set([...states(before.entries), ...states(truth)]);
  expect(states(after.entries).filter((state) => !known.has(state))).toEqual([]);
}

function isEqual({ expects, load }: Trial): boolean {
  if (expects === 'fails') expect(load.error).toBeDefined();
  else if (expects === 'right or older') expectNoOlder(load);
  else if (expects === 'last good') expectSame(load.after.entries, load.before.entries);
  else if (expects === 'right' || succeeded(load)) expectRight(load);
  return true;
}

function everExisted({ load, cache }: Trial): boolean {
  for (const content of [load.after.entries, cache?.now]) {
    if (content) expect(contentsIn(content).filter((item) => !load.history.has(stateOf(item)))).toEqual([]);
  }
  return true;
}

/** What is left as it was says so, but for a copy of the CDN's that nobody can tell from the service. */
const isCurrent = ({ expects, load }: Trial) =>
  succeeded(load) && (expects === 'right' || expects === 'right or fails');

function goneIsGone(trial: Trial): boolean {
  const { after, gone } = trial.load;
  if (isCurrent(trial)) {
    expect(contentsIn(after.entries).filter(({ _id }) => gone.has(_id as number))).toEqual([]);
  }
  return isCurrent(trial);
}

function referencesAreRight(trial: Trial): boolean {
  const { after, truth } = trial.load;
  if (isCurrent(trial)) expect(isDeepStrictEqual(embedded(after.entries), embedded(truth))).toBe(true);
  return isCurrent(trial);
}

/** A load that fails leaves all as it was; what fails in storing alone leaves one whole state or the other. */
function changesNothing({ load, cache, expects }: Trial): boolean {
  if (cache) {
    const possible = [cache.known, load.truth].map((content) => content && states(content));
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
  expect(load.arrivals.length).toBeLessThanOrEqual(budget);
  return budget < Number.POSITIVE_INFINITY;
}

const MINUTE = 60_000;
const A_MINUTE = 600;

/** §8: 600 a minute; so many at once as was said; and nobody asks who was told to stay away. */
function keepsLimits({ load: { arrivals, atOnce }, pause }: Trial): boolean {
  expect(atOnce.most).toBeLessThanOrEqual(atOnce.allowed);
  for (const [index, { at }] of arrivals.entries()) {
    const later = arrivals[index + A_MINUTE];
    if (later) expect(later.at - at).toBeGreaterThan(MINUTE);
  }
  if (pause === undefined) return true;
  for (const refusal of arrivals.filter(({ fault }) => fault)) {
    const early = arrivals.filter(({ at }) => at > refusal.at && at < refusal.at + pause);
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
  expect(load.error).not.toBeInstanceOf(Endless);
  expect(load.took).toBeLessThan(LONGEST);
  return true;
}

function saysSo({ expects, load, says }: Trial): boolean {
  if (says) {
    const said = [String((load.error as Error | undefined)?.message), ...load.lines.map(({ text }) => text)];
    expect(said.join('\n')).toMatch(says);
  }
  if (expects === 'last good') {
    expect(load.lines.filter(({ level }) => level === 'warn').map(({ text }) => text)).toContainEqual(
      expect.stringContaining('Service unavailable; using cached content'),
    );
  }
  if (succeeded(load)) return says !== undefined;
  if (!says) {
    expect(LuidError.is(load.error)).toBe(true);
    expect((load.error as Error).message).toMatch(/\n {2}→ /);
  }
  return true;
}

export const PROMISES = [
  { name: 'equal to the service after a quiet sync', check: isEqual },
  { name: 'nothing that never existed', check: everExisted },
  { name: 'nothing deleted before the start remains', check: goneIsGone },
  { name: 'references equal the service’s', check: referencesAreRight },
  { name: 'a failed load changes nothing', check: changesNothing },
  { name: 'it says so', check: saysSo },
  { name: 'request budget', check: keepsBudget },
  { name: 'limits', check: keepsLimits },
  { name: 'no key anywhere', check: showsNoKey },
  { name: 'always ends', check: ends },
] as const satisfies readonly Promised[];

export type PromiseName = (typeof PROMISES)[number]['name'];
