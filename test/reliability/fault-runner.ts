import { hashNumber } from '../support/seeded-random.ts';
import type { Exchange, FaultHandler, FaultyProxy } from './faulty-proxy.ts';
import { type Content, type Load, type SetupOptions, TestSetup } from './test-setup.ts';

/**
 * The result that a load under a fault must have: the service's content; an error; one of the two; the last
 * good content with a warning; or each item as the service has it or as it was before the load.
 */
export type Expectation = 'right' | 'fails' | 'right or fails' | 'last good' | 'right or older';

/** A load under a fault, and what is expected of it. */
export interface Trial {
  readonly name: string;
  readonly expects: Expectation;
  readonly load: Load;
  readonly expectedLog?: RegExp | undefined;
  /** The maximum number of requests. */
  readonly budget: number;
  /** Milliseconds that the client must pause after a 429. */
  readonly pause?: number | undefined;
  /** The content in the cache: known before the load, if any, and after it. */
  readonly cache?: { readonly known: Content | undefined; readonly now: Content | undefined };
}

/** A trial, and a load without a fault after it. */
export interface Case extends Trial {
  readonly next: Load;
}

/** The concurrency with which every sync of the space is a full sync, or an incremental one. */
export const SHAPES = { whole: 16, changes: 1 } as const;
export type Shape = keyof typeof SHAPES;
const shapes = Object.keys(SHAPES) as Shape[];

export interface RetryableFaultOptions {
  /** How often a request is sent at most. */
  readonly attempts: number;
  readonly expectedLog: RegExp;
  readonly pause?: number | undefined;
}

/** Runs loads under faults, and counts the requests of loads without any. */
export class FaultRunner {
  readonly proxy: FaultyProxy;
  readonly setups: TestSetup[] = [];
  readonly #clean = new Map<string, Promise<{ cold: number; warm: number }>>();

  constructor(proxy: FaultyProxy) {
    this.proxy = proxy;
  }

  createSetup(options: SetupOptions = {}): TestSetup {
    const setup = new TestSetup(this.proxy, options);
    this.setups.push(setup);
    return setup;
  }

  /** The requests of loads without a fault. */
  clean(shape: Shape): Promise<{ cold: number; warm: number }> {
    const known = this.#clean.get(shape) ?? this.#count(shape);
    this.#clean.set(shape, known);
    return known;
  }

  async #count(shape: Shape) {
    const setup = this.createSetup({ concurrency: SHAPES[shape] });
    const cold = (await setup.load()).requests.length;
    setup.makeEdits();
    return { cold, warm: (await setup.load()).requests.length };
  }

  /** A fault that the client detects and retries: once per request, and always. */
  async retryable(
    name: string,
    handler: FaultHandler,
    { attempts, expectedLog, pause }: RetryableFaultOptions,
  ): Promise<Case[]> {
    const trials: Trial[] = [];
    const all: Case[] = [];
    for (const shape of shapes) {
      const clean = await this.clean(shape);
      const setup = this.createSetup({ concurrency: SHAPES[shape] });
      const under = async (
        when: 'once' | 'always',
        at: 'cold' | 'warm',
        onError: 'fail' | 'stale' = 'fail',
      ) => {
        setup.onError = onError;
        setup.proxyClient.choose =
          when === 'always' ? () => ({ name, handler }) : firstOfEach({ name, handler });
        const load = await setup.load();
        setup.proxyClient.choose = undefined;
        const expects = when === 'once' ? 'right' : onError === 'stale' ? 'last good' : 'fails';
        // A response that was cut off may come from the CDN when it is retried, which costs more requests.
        const budget = when === 'once' ? 2 * clean[at] + 2 : attempts * clean[at];
        const title = `${when}, ${at}, ${shape}${onError === 'stale' ? ', stale' : ''}`;
        trials.push({
          name: title,
          expects,
          load,
          expectedLog: when === 'once' ? /retr/ : expectedLog,
          budget,
          pause,
        });
      };
      if (shape === 'whole') await under('always', 'cold');
      await under('once', 'cold');
      setup.makeEdits();
      await under('always', 'warm');
      await under('always', 'warm', 'stale');
      await under('once', 'warm');
      setup.makeEdits();
      await under('once', 'warm');
      const next = await setup.load();
      all.push(...trials.splice(0).map((one) => ({ ...one, next })));
    }
    return all;
  }

  /** A wrong response that is valid by itself, for some of the requests or all of a kind. */
  async undetectable(name: string, handler: FaultHandler): Promise<Case[]> {
    const cases: Case[] = [];
    const setups = { whole: this.createSetup(), changes: this.createSetup({ concurrency: SHAPES.changes }) };
    for (const setup of Object.values(setups)) await setup.load();
    for (const { shape, at, which } of UNDETECTABLE_CASES) {
      const matches = REQUEST_FILTERS[which]();
      const setup = at === 'cold' ? this.createSetup() : setups[shape];
      if (at === 'warm') setup.makeEdits();
      setup.proxyClient.choose = (exchange) => (matches(exchange) ? { name, handler } : undefined);
      const load = await setup.load();
      setup.proxyClient.choose = undefined;
      const next = await setup.load();
      // Each page and count is requested again, a fixed number of times.
      const budget = 10 * (await this.clean(shape))[at];
      cases.push({ name: `${which}, ${at}, ${shape}`, expects: 'right or fails', load, next, budget });
    }
    return cases;
  }

  remove(): void {
    for (const setup of this.setups.splice(0)) setup.remove();
  }
}

/** The fault happens to each request the first time that it is sent. */
export function firstOfEach(fault: { name: string; handler: FaultHandler }) {
  const seen = new Set<string>();
  return ({ url }: Exchange) => {
    if (seen.has(url.href)) return undefined;
    seen.add(url.href);
    return fault;
  };
}

/** One half of the URLs, or the other: the same in every run, whatever the order. */
export function halfOf(parity: number): (exchange: Exchange) => boolean {
  const seen = new Set<string>();
  return ({ url }) => {
    if (seen.has(url.href)) return false;
    seen.add(url.href);
    return (hashNumber(searchWithoutTime(url)) & 1) === parity;
  };
}

/** The query without the time that bypasses the CDN. */
export function searchWithoutTime(url: URL): string {
  return url.search.replace(/_created_at(\[|%5B)lte(\]|%5D)=[^&]*/, '');
}

const isHead = ({ url }: Exchange) => /order=-_/.test(url.search);
const isCount = ({ url }: Exchange) => /limit=1&/.test(`${url.search}&`);

/** Which requests get a wrong response. */
const REQUEST_FILTERS = {
  'one half, once': () => halfOf(0),
  'the other half, once': () => halfOf(1),
  'all heads': () => isHead,
  'all counts': () => isCount,
  'all pages': () => (exchange: Exchange) => !isHead(exchange) && !isCount(exchange),
  all: () => () => true,
};

type UndetectableCase = { shape: Shape; at: 'cold' | 'warm'; which: keyof typeof REQUEST_FILTERS };
const casesOf = (shape: Shape, at: UndetectableCase['at'], ...which: UndetectableCase['which'][]) =>
  which.map((one): UndetectableCase => ({ shape, at, which: one }));

/** Each kind of request, where a load sends it. */
const UNDETECTABLE_CASES: readonly UndetectableCase[] = [
  ...casesOf('whole', 'cold', 'one half, once', 'the other half, once', 'all heads', 'all pages', 'all'),
  ...casesOf('whole', 'warm', 'one half, once', 'the other half, once', 'all'),
  ...casesOf('changes', 'warm', 'one half, once', 'the other half, once', 'all heads', 'all counts', 'all'),
];
