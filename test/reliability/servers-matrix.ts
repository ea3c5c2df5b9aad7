import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { LuidError } from '../../src/index.ts';
import { DAMAGES } from './damaged-cache.ts';
import type { FaultRunner } from './fault-runner.ts';
import { expectSameContent } from './guarantees.ts';
import type { CachedPage } from './live-site.ts';
import type { Guarantee, Matrix } from './matrix.ts';
import { RESPONSE_FAULTS } from './response-faults.ts';
import { damageTrials, responseTrials, type ServerTrial } from './server-trials.ts';
import { contentsIn, stateOf } from './test-setup.ts';
import { NeverEndsError } from './waiting-clock.ts';

const LONGEST = 20 * 60_000;
/** A preview reads the newest drafts, to notice later ones, and then the entry: 30 s at most for each, and for the check of the service if the first may have been too large. */
const LONGEST_PREVIEW = 90_000;

const TEXT = `A server serves pages from its replica (\`liveLoader()\`) and previews from the service, and is told
to check for changes. Each number counts the checks. A fault happens to each request once, and every time; with full and
with incremental syncs. Damaged caches are those that a server finds when it starts, with a service that works, and
with one that does not. Several servers, a Redis that is killed and servers that are killed are tested by
\`test/astro/live/from-replica/fleet\`.`;

/** Pages show all of the service's content, or all of what they showed before. */
function pagesAreRight({
  expects,
  error,
  before,
  during,
  serviceContent,
  invalidated,
}: ServerTrial): boolean {
  if (expects === 'right') expect(error).toBeUndefined();
  if (expects === 'fails') expect(error).toBeDefined();
  // A new process that cannot read its cache and not reach the service has nothing to show.
  if (!invalidated && expects === 'fails') expect(LuidError.is(during.error)).toBe(true);
  else {
    expect(during.error).toBeUndefined();
    expectSameContent(during.content, error === undefined ? serviceContent : before.content);
  }
  return true;
}

function pagesAreRightAfterwards({ after, serviceContent }: ServerTrial): boolean {
  expect(after.error).toBeUndefined();
  expectSameContent(after.content, serviceContent);
  return true;
}

function showsNoOtherStates({ during, setup }: ServerTrial): boolean {
  if (during.error !== undefined) return true;
  expect(contentsIn(during.content).filter((item) => !setup.history.has(stateOf(item)))).toEqual([]);
  return true;
}

/** A page waits for the service only if the process has no content yet. */
function pagesDoNotWait({ during, invalidated }: ServerTrial): boolean {
  if (invalidated) expect(during.requests).toBe(0);
  return invalidated !== undefined;
}

/** A failed check invalidates nothing, and the next one invalidates what the failed one has not. */
function invalidatesExactly({ before, during, after, invalidated, error }: ServerTrial): boolean {
  if (!invalidated) return false;
  expectInvalidated(before.pages, during.pages, invalidated.during);
  expectInvalidated(during.pages, after.pages, invalidated.after);
  if (error !== undefined) expect([...invalidated.during]).toEqual([]);
  return true;
}

function expectInvalidated(
  before: ReadonlyMap<string, CachedPage>,
  now: ReadonlyMap<string, CachedPage>,
  tags: ReadonlySet<string>,
): void {
  const names = [...before.keys()];
  const invalidated = names.filter((name) => before.get(name)?.tags.some((tag) => tags.has(tag)));
  const different = names.filter((name) => now.get(name)?.shown !== before.get(name)?.shown);
  expect(invalidated).toEqual(different);
}

function reportsProblem({ error, expectedLog, printed }: ServerTrial): boolean {
  if (expectedLog) expect(printed).toMatch(expectedLog);
  if (error !== undefined) {
    expect(LuidError.is(error)).toBe(true);
    expect((error as Error).message).toMatch(/\n {2}→ /);
  }
  return expectedLog !== undefined || error !== undefined;
}

/** A preview shows the service's content, or fails with the reason. */
function previewsAreRight({ preview }: ServerTrial): boolean {
  if (!preview) return false;
  if (preview.error !== undefined) {
    expect(LuidError.is(preview.error)).toBe(true);
    expect((preview.error as Error).message).toMatch(/\n {2}→ /);
  } else expect(isDeepStrictEqual(preview.data, preview.expected)).toBe(true);
  return true;
}

function keepsBudget({ requests, budget }: ServerTrial): boolean {
  expect(requests).toBeLessThanOrEqual(budget);
  return true;
}

function showsNoKey({ printed, setup, after }: ServerTrial): boolean {
  // The key of drafts contains the other one.
  expect(printed).not.toContain(setup.key);
  expect([...after.pages.values()].filter(({ shown }) => shown.includes(setup.key))).toEqual([]);
  return true;
}

function ends({ error, during, preview, duration }: ServerTrial): boolean {
  for (const one of [error, during.error, preview?.error]) expect(one).not.toBeInstanceOf(NeverEndsError);
  expect(duration).toBeLessThan(LONGEST);
  if (preview) expect(preview.duration).toBeLessThanOrEqual(LONGEST_PREVIEW);
  return true;
}

const EXACT = 'exactly the pages that differ are invalidated';
const NO_WAIT = 'no page waits for the service';
const PREVIEWS = 'previews equal the service, or fail with the reason';
const REPORTED = 'the problem is reported';

const GUARANTEES: readonly Guarantee<ServerTrial>[] = [
  { name: 'pages equal the service, or are as before', check: pagesAreRight },
  { name: 'pages equal the service after a check without faults', check: pagesAreRightAfterwards },
  { name: 'no state that never existed', check: showsNoOtherStates },
  { name: NO_WAIT, check: pagesDoNotWait },
  { name: EXACT, check: invalidatesExactly },
  { name: PREVIEWS, check: previewsAreRight },
  { name: REPORTED, check: reportsProblem },
  { name: 'request budget', check: keepsBudget },
  { name: 'no API key in output or pages', check: showsNoKey },
  { name: 'always ends', check: ends },
];

const AT_START = {
  [NO_WAIT]: 'a new process has no content',
  [EXACT]: 'a new process has cached no pages',
  [PREVIEWS]: 'previews do not use the cache',
};

/** Servers that serve from a replica, revalidation, and previews. */
export const serversMatrix = (runner: FaultRunner): Matrix<ServerTrial> => ({
  title: 'Servers, revalidation and previews',
  text: TEXT,
  guarantees: GUARANTEES,
  rows: [
    ...RESPONSE_FAULTS.map((fault) => ({
      name: fault.name,
      trials: () => responseTrials(runner, fault),
      remove: () => runner.remove(),
    })),
    ...Object.entries(DAMAGES).map(([name, damage]) => ({
      name,
      trials: () => damageTrials(runner, damage),
      without: AT_START,
      remove: () => runner.remove(),
    })),
  ],
});
