import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LuidError } from '../../src/index.ts';
import { type FaultHandler, type FaultyProxy, startProxy } from '../reliability/faulty-proxy.ts';
import { TestSetup } from '../reliability/test-setup.ts';
import { randomRuns } from '../support/random-runs.ts';

/** Groups of properties. All groups are equally likely, although most properties of a response are fields. */
const GROUPS = {
  envelope: (_key: string, depth: number) => depth === 0,
  items: (_key: string, depth: number) => depth === 1,
  titles: (key: string) => key === '_title',
  properties: (key: string) => key.startsWith('_'),
  all: () => true,
};

/** A value in a response that is replaced or removed. */
interface Mutation {
  /** The index of the property in its group, modulo the size of the group. */
  readonly index: number;
  readonly group: keyof typeof GROUPS;
  /** Absent: the property is removed. */
  readonly value?: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record(
  {
    index: fc.nat(),
    group: fc.constantFrom(...(Object.keys(GROUPS) as (keyof typeof GROUPS)[])),
    value: fc.oneof(
      fc.constantFrom(null, true, 0, -1, 0.5, 1e21, Number.MAX_SAFE_INTEGER, '', '101', '__proto__'),
      fc.constantFrom('2027-01-01', 'x'.repeat(5_000), '../../x', '\u0000', '\ud800'),
      fc.constantFrom({ toString: 1 }, { _id: 1 }, { _id: 1, _model: 'author' }, { data: [] }),
      fc.jsonValue({ maxDepth: 3 }),
    ),
  },
  { requiredKeys: ['index', 'group'] },
);

/** Applies the mutation to a parsed response, unless its group is empty. */
function applyMutation(response: unknown, { index, group, ...mutation }: Mutation): void {
  const properties: { object: Record<string, unknown>; key: string }[] = [];
  const visit = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      if (GROUPS[group](key, depth)) properties.push({ object: value as Record<string, unknown>, key });
      visit((value as Record<string, unknown>)[key], depth + 1);
    }
  };
  visit(response, 0);
  const found = properties[index % properties.length];
  if (!found) return;
  if ('value' in mutation) found.object[found.key] = mutation.value;
  else delete found.object[found.key];
}

/** Mutates every nth response. */
function mutateResponses(setup: TestSetup, mutations: readonly Mutation[], every: number): void {
  const handler: FaultHandler = async (exchange) => {
    const { text, headers, ...response } = await exchange.fetchResponse();
    const parsed: unknown = JSON.parse(text);
    for (const mutation of mutations)
      applyMutation(parsed, { ...mutation, index: mutation.index + exchange.n });
    const { 'content-length': _, ...others } = headers;
    exchange.send({ ...response, headers: others, text: JSON.stringify(parsed) });
  };
  setup.proxyClient.choose = ({ n }) => (n % every === 0 ? { name: 'mutated', handler } : undefined);
}

let proxy: FaultyProxy;
beforeAll(async () => {
  proxy = await startProxy();
});
afterAll(() => proxy.close());

const mutations = fc.array(mutation, { minLength: 1, maxLength: 2 });
const HOUR = 3_600_000;
/** Fixed, unless LUID_SEED is set. */
const SEED = Number(process.env.LUID_SEED ?? 20_261_115);

describe('a service with malformed responses', () => {
  test('causes a clear error or no lasting damage in a loader, whatever it sends', {
    timeout: 36_000_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        mutations,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (chosen, every, isWarm) => {
          const setup = new TestSetup(proxy, { retries: 0 });
          try {
            if (isWarm) {
              await setup.load();
              setup.makeEdits();
            }
            mutateResponses(setup, chosen, every);
            const { error } = await setup.load();
            if (error !== undefined) expect(error).toBeInstanceOf(LuidError);
            setup.proxyClient.choose = undefined;
            setup.makeEdits();
            const next = await setup.load();
            expect(next.error).toBeUndefined();
            expect(next.after.entries).toEqual(next.serviceContent);
          } finally {
            setup.remove();
          }
        },
      ),
      { numRuns: randomRuns(25), seed: SEED },
    );
  });

  test('causes a LuidError that is returned, never thrown, by a live loader, whatever it sends', {
    timeout: 36_000_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        mutations,
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        async (chosen, depth, isEntry) => {
          const setup = new TestSetup(proxy, { retries: 0 });
          try {
            mutateResponses(setup, chosen, 1);
            const live = setup
              .space()
              .liveLoader('article', { from: 'service', depth: depth as 0 | 1 | 2 | 3 });
            const loading = isEntry
              ? live.loadEntry({ collection: 'article', filter: { id: '101' } })
              : live.loadCollection({ collection: 'article', filter: { limit: 10 } });
            const result = await setup.clock.run(loading as Promise<{ error?: unknown } | undefined>, HOUR);
            // An unforeseen error is wrapped in this message, which is a defect.
            if (result?.error !== undefined) {
              expect(result.error).toBeInstanceOf(LuidError);
              expect(String(result.error)).not.toContain('The live loader failed');
            }
          } finally {
            setup.remove();
          }
        },
      ),
      { numRuns: randomRuns(80), seed: SEED },
    );
  });
});
