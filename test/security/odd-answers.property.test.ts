import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LuidError } from '../../src/index.ts';
import { type FaultHandler, type FaultyProxy, startProxy } from '../reliability/faulty-proxy.ts';
import { TestSetup } from '../reliability/test-setup.ts';

/** Places by what they are, since most of an answer is fields. A list is two levels deep, an item one. */
const AMONG = {
  envelope: (_key: string, depth: number) => depth === 0,
  items: (_key: string, depth: number) => depth === 1,
  titles: (key: string) => key === '_title',
  properties: (key: string) => key.startsWith('_'),
  all: () => true,
};

/** Something in an answer that is not as the service would have it. */
interface Oddity {
  /** Which of the places in the answer, counted around. */
  readonly place: number;
  readonly among: keyof typeof AMONG;
  /** Absent: the place is removed. */
  readonly value?: unknown;
}

const oddity: fc.Arbitrary<Oddity> = fc.record(
  {
    place: fc.nat(),
    among: fc.constantFrom(...(Object.keys(AMONG) as (keyof typeof AMONG)[])),
    value: fc.oneof(
      fc.constantFrom(null, true, 0, -1, 0.5, 1e21, Number.MAX_SAFE_INTEGER, '', '101', '__proto__'),
      fc.constantFrom('2027-01-01', 'x'.repeat(5_000), '../../x', '\u0000', '\ud800'),
      fc.constantFrom({ toString: 1 }, { _id: 1 }, { _id: 1, _model: 'author' }, { data: [] }),
      fc.jsonValue({ maxDepth: 3 }),
    ),
  },
  { requiredKeys: ['place', 'among'] },
);

/** Changes what was parsed; nothing, where there is no such place. */
function makeOdd(answer: unknown, { place, among, ...oddity }: Oddity): void {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const visit = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      if (AMONG[among](key, depth)) places.push({ holder: value as Record<string, unknown>, key });
      visit((value as Record<string, unknown>)[key], depth + 1);
    }
  };
  visit(answer, 0);
  const found = places[place % places.length];
  if (!found) return;
  if ('value' in oddity) found.holder[found.key] = oddity.value;
  else delete found.holder[found.key];
}

/** Each answer of so many, with these oddities. */
function spoiling(setup: TestSetup, oddities: readonly Oddity[], every: number): void {
  const handler: FaultHandler = async (exchange) => {
    const { text, headers, ...answer } = await exchange.fetchResponse();
    const parsed: unknown = JSON.parse(text);
    for (const one of oddities) makeOdd(parsed, { ...one, place: one.place + exchange.n });
    const { 'content-length': _was, ...others } = headers;
    exchange.send({ ...answer, headers: others, text: JSON.stringify(parsed) });
  };
  setup.proxyClient.choose = ({ n }) => (n % every === 0 ? { name: 'odd', handler } : undefined);
}

let proxy: FaultyProxy;
beforeAll(async () => {
  proxy = await startProxy();
});
afterAll(() => proxy.close());

const oddities = fc.array(oddity, { minLength: 1, maxLength: 2 });
const HOUR = 3_600_000;
/** The same oddities for every change, unless others are asked for. */
const SEED = Number(process.env.LUID_SEED ?? 20_261_115);

describe('a service whose answers are odd', () => {
  test('is refused in words or does no lasting harm, whatever it sends to a loader', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(oddities, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (odd, every, isWarm) => {
        const setup = new TestSetup(proxy, { retries: 0 });
        try {
          if (isWarm) {
            await setup.load();
            setup.makeEdits();
          }
          spoiling(setup, odd, every);
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
      }),
      { numRuns: 100, seed: SEED },
    );
  });

  test('is an error of ours, never thrown, whatever it sends to a live loader', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        oddities,
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        async (odd, depth, isEntry) => {
          const setup = new TestSetup(proxy, { retries: 0 });
          try {
            spoiling(setup, odd, 1);
            const live = setup.space().liveLoader('article', { depth: depth as 0 | 1 | 2 | 3 });
            const loading = isEntry
              ? live.loadEntry({ collection: 'article', filter: { id: '101' } })
              : live.loadCollection({ collection: 'article', filter: { limit: 10 } });
            const answer = await setup.clock.run(loading as Promise<{ error?: unknown } | undefined>, HOUR);
            // What it did not foresee it wraps, and that is a defect here.
            if (answer?.error !== undefined) {
              expect(answer.error).toBeInstanceOf(LuidError);
              expect(String(answer.error)).not.toContain('The live loader failed');
            }
          } finally {
            setup.remove();
          }
        },
      ),
      { numRuns: 400, seed: SEED },
    );
  });
});
