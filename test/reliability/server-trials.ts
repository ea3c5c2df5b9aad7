import type { Damage } from './damaged-cache.ts';
import { type FaultRunner, firstOfEach, halfOf, SHAPES, type Shape } from './fault-runner.ts';
import type { Exchange, FaultHandler } from './faulty-proxy.ts';
import { LiveSite, type Visit } from './live-site.ts';
import type { ResponseFault } from './response-faults.ts';
import type { Content, TestSetup } from './test-setup.ts';

const shapes = Object.keys(SHAPES) as Shape[];
const ATTEMPTS = 11;
/** Where undetectable faults are repaired, each page and count is requested again, a fixed number of times. */
const REPAIRS = 10;

/** Pages of a server, and a check for changes under a fault. */
export interface ServerTrial {
  readonly name: string;
  /** What the check must result in: the service's content, an error, or one of the two. */
  readonly expects: 'right' | 'fails' | 'right or fails';
  /** The error of the check, if it failed. */
  readonly error: unknown;
  readonly expectedLog?: RegExp | undefined;
  /** What pages showed before the edits, after the check under the fault, and after one without it. */
  readonly before: Visit;
  readonly during: Visit;
  readonly after: Visit;
  /** Cache tags that the two checks invalidated; without, the process was new, and so its cache was empty. */
  readonly invalidated?: { readonly during: ReadonlySet<string>; readonly after: ReadonlySet<string> };
  /** What a preview showed under the fault, and what the service has. */
  readonly preview?: {
    readonly data?: unknown;
    readonly error?: unknown;
    readonly expected: unknown;
    readonly duration: number;
  };
  readonly serviceContent: Content;
  /** Requests of the check under the fault, and how many there may be. */
  readonly requests: number;
  readonly budget: number;
  readonly printed: string;
  readonly setup: TestSetup;
  /** Milliseconds of the simulated clock until everything under the fault had ended. */
  readonly duration: number;
}

type Choose = (exchange: Exchange) => { name: string; handler: FaultHandler } | undefined;

/** Which requests have the fault, and what comes of it. */
interface Occasion {
  readonly name: string;
  readonly expects: ServerTrial['expects'];
  readonly choose: (fault: { name: string; handler: FaultHandler }) => Choose;
}

const DETECTABLE: readonly Occasion[] = [
  { name: 'always', expects: 'fails', choose: (fault) => () => fault },
  { name: 'once', expects: 'right', choose: firstOfEach },
];

const UNDETECTABLE: readonly Occasion[] = [
  { name: 'all', expects: 'right or fails', choose: (fault) => () => fault },
  ...[0, 1].map((parity): Occasion => {
    const name = parity === 0 ? 'one half, once' : 'the other half, once';
    return {
      name,
      expects: 'right or fails',
      choose: (fault) => {
        const isChosen = halfOf(parity);
        return (exchange) => (isChosen(exchange) ? fault : undefined);
      },
    };
  }),
];

/** A fault of responses, while a server checks for changes and a preview is opened. */
export async function responseTrials(runner: FaultRunner, fault: ResponseFault): Promise<ServerTrial[]> {
  const trials: ServerTrial[] = [];
  for (const shape of shapes) {
    const clean = await runner.clean(shape);
    const setup = createSetup(runner, shape);
    const site = new LiveSite(setup);
    try {
      await site.visit();
      for (const { name, expects, choose } of fault.expectedLog ? DETECTABLE : UNDETECTABLE) {
        const before = await site.visit();
        site.takeInvalidated();
        await setup.serviceContent();
        setup.makeEdits();
        const serviceContent = await setup.serviceContent();
        const start = setup.clock.now();
        const sent = setup.proxyClient.requests.length;
        setup.proxyClient.choose = choose({ name: fault.name, handler: fault.handler() });
        const error = await site.check();
        const requests = setup.proxyClient.requests.length - sent;
        const during = await site.visit();
        const invalidatedDuring = site.takeInvalidated();
        const [id = '', expected] = [...serviceContent.article].at(-1) ?? [];
        const opened = setup.clock.now();
        const shown = await site.preview(id);
        const preview = { ...shown, expected, duration: setup.clock.now() - opened };
        const duration = setup.clock.now() - start;
        setup.proxyClient.choose = undefined;
        await site.check();
        const after = await site.visit();
        trials.push({
          name: `${name}, ${shape}`,
          expects,
          error,
          expectedLog: expects === 'fails' ? fault.expectedLog : undefined,
          before,
          during,
          after,
          invalidated: { during: invalidatedDuring, after: site.takeInvalidated() },
          preview,
          serviceContent,
          requests,
          budget: (fault.expectedLog ? ATTEMPTS : REPAIRS) * clean.warm,
          printed: site.printed(error, preview.error),
          setup,
          duration,
        });
      }
    } finally {
      site.close();
    }
  }
  return trials;
}

/** A server starts with a damaged cache: while the service works, and while it does not. */
export async function damageTrials(runner: FaultRunner, damage: Damage): Promise<ServerTrial[]> {
  const trials: ServerTrial[] = [];
  for (const shape of shapes) {
    const clean = await runner.clean(shape);
    for (const isDown of [false, true]) {
      const setup = createSetup(runner, shape);
      const first = new LiveSite(setup);
      const before = await first.visit();
      await setup.serviceContent();
      first.close();
      damage(setup);
      setup.makeEdits();
      const serviceContent = await setup.serviceContent();
      const start = setup.clock.now();
      setup.proxyClient.requests.length = 0;
      const down = { name: 'down', handler: (exchange: Exchange) => exchange.reset() };
      setup.proxyClient.choose = isDown ? () => down : undefined;
      const site = new LiveSite(setup);
      try {
        const during = await site.visit();
        const requests = setup.proxyClient.requests.length;
        const duration = setup.clock.now() - start;
        setup.proxyClient.choose = undefined;
        await site.check();
        trials.push({
          name: `${isDown ? 'service down' : 'service up'}, ${shape}`,
          expects: isDown ? 'fails' : 'right',
          error: during.error,
          expectedLog: isDown ? /no response\n {2}→/ : /cache.* damaged/,
          before,
          during,
          after: await site.visit(),
          serviceContent,
          requests,
          // Each damaged model is read again, bypassing the CDN.
          budget: (isDown ? ATTEMPTS : 4) * clean.cold,
          printed: site.printed(during.error),
          setup,
          duration,
        });
      } finally {
        site.close();
      }
    }
  }
  return trials;
}

function createSetup(runner: FaultRunner, shape: Shape): TestSetup {
  return runner.createSetup({ concurrency: SHAPES[shape], storage: (folder) => folder });
}
