import { CDN_LIFETIME } from '../../contract/limits.ts';
import type { Fault, FaultKind } from '../http/faults.ts';
import { badRequest, errorResponse, HttpError, notFound } from '../http/http-error.ts';
import { limitResponse, type ResponseLimits } from '../http/response-limits.ts';
import { getOwn } from '../state/own-property.ts';
import { readJsonObject } from '../write/request-body.ts';
import type { StudioContext } from './studio-context.ts';
import { badRequestBecause } from './studio-http-error.ts';
import type { StudioRequest } from './studio-request.ts';
import type { ActiveFault, NewFault, StudioFaultKind } from './studio-types.ts';

/** A fault that is on: `isOver` once it has happened often enough or was removed from code. */
interface Switch {
  readonly fault: NewFault & { readonly id: number };
  left(): number | undefined;
  isOver(): boolean;
  remove(): void;
}

/** Faults of the response, which the emulator counts. */
const RESPONSE_FAULTS: { readonly [kind in StudioFaultKind]?: (amount: number) => FaultKind } = {
  latency: (amount) => async (response) => {
    await new Promise((resolve) => setTimeout(resolve, amount).unref());
    return response;
  },
  'time-per-item': (amount) => limit({ maxResponse: Number.POSITIVE_INFINITY, timePerItem: amount }),
  'max-response': (amount) => limit({ maxResponse: amount, timePerItem: 0 }),
  'rate-limit': (amount) => ({ status: 429, retryAfter: amount }),
  'server-error': () => ({ status: 500 }),
  drop: () => 'reset',
  cut: () => 'cut',
  truncate: () => 'truncate',
  stall: () => 'stall',
};
/** Faults of the CDN: the milliseconds until a change purges it. */
const CDN_FAULTS: { readonly [kind in StudioFaultKind]?: (amount: number) => number } = {
  'stale-cdn': () => CDN_LIFETIME,
  'purge-delay': (amount) => amount,
};
const DEFAULT_AMOUNTS: { readonly [kind in StudioFaultKind]?: number } = {
  latency: 1_000,
  'time-per-item': 300,
  'max-response': 5_000_000,
  'rate-limit': 5,
  'purge-delay': 10_000,
};
const MAX_AMOUNT = 600_000;
const MAX_BYTES = 50_000_000;

/** The faults that are switched on in the page. They concern requests to the API, not files or the page itself. */
export class FaultSwitches {
  readonly #context: StudioContext;
  /** Incremented when a fault is switched on or off. */
  version = 0;
  #switches: Switch[] = [];
  #nextId = 1;
  /** The purge delay without faults, while a CDN fault is on. */
  #usualPurgeDelay: number | undefined;

  constructor(context: StudioContext) {
    this.#context = context;
  }

  /** The faults that are on. */
  list(): ActiveFault[] {
    for (const over of this.#switches.filter((one) => one.isOver())) this.#removeSwitch(over);
    return this.#switches.map(({ fault, left }) => ({ ...fault, left: left() }));
  }

  async add(request: Request): Promise<ActiveFault[]> {
    const { maxBody } = this.#context.requestContext();
    const fault = { ...parseFault(await readJsonObject(request, maxBody)), id: this.#nextId++ };
    this.#switches.push(
      getOwn(CDN_FAULTS, fault.kind) ? this.#switchCdn(fault) : this.#switchResponse(fault),
    );
    this.#update();
    return this.list();
  }

  /** POST faults/{id}/remove. The id `all` removes every fault. */
  change({ id, action }: StudioRequest): ActiveFault[] {
    const chosen = this.#switches.filter(({ fault }) => id === 'all' || String(fault.id) === id);
    if (action !== 'remove' || (chosen.length === 0 && id !== 'all')) throw notFound();
    for (const one of chosen) this.#removeSwitch(one);
    return this.list();
  }

  #switchResponse(fault: Switch['fault']): Switch {
    const { faults } = this.#context.emulator;
    const amount = fault.amount ?? 0;
    const added: Fault = {
      match: ({ path }) => path.startsWith('/v1/'),
      times: fault.times ?? Number.POSITIVE_INFINITY,
      kind: RESPONSE_FAULTS[fault.kind]?.(amount) ?? { status: 500 },
    };
    const remove = faults.add(added);
    const pending = () => faults.pending.find((entry) => entry.fault === added);
    return {
      fault,
      remove,
      left: () => (fault.times === undefined ? undefined : pending()?.left),
      isOver: () => pending() === undefined,
    };
  }

  /** Counts the requests itself, since the CDN is not a fault of one response. */
  #switchCdn(fault: Switch['fault']): Switch {
    const { requestContext, log, onActivity, emulator } = this.#context;
    if (!requestContext().cdn) throw badRequestBecause('The CDN of this emulator is off.');
    this.#usualPurgeDelay ??= emulator.assumptions.purgeDelay;
    let seen = log.total;
    let left = fault.times;
    const count = () => {
      const requests = log.entries.slice(-Math.max(1, log.total - seen));
      const added = log.total > seen ? requests.filter(({ path }) => path.startsWith('/v1/')).length : 0;
      seen = log.total;
      if (left === undefined || added === 0) return;
      left = Math.max(0, left - added);
      if (left === 0) this.list();
    };
    const stopCounting = onActivity(count);
    return { fault, left: () => left, isOver: () => left === 0, remove: stopCounting };
  }

  #removeSwitch(one: Switch): void {
    this.#switches = this.#switches.filter((other) => other !== one);
    one.remove();
    this.#update();
  }

  #update(): void {
    this.version++;
    this.#updatePurgeDelay();
    this.#context.reportActivity();
  }

  /** Sets the purge delay to that of the last CDN fault. Without one, the CDN becomes as it should be by now. */
  #updatePurgeDelay(): void {
    if (this.#usualPurgeDelay === undefined) return;
    const { emulator, requestContext } = this.#context;
    const delays = this.#switches.flatMap(({ fault }) => CDN_FAULTS[fault.kind]?.(fault.amount ?? 0) ?? []);
    const delay = delays.at(-1);
    emulator.assumptions.purgeDelay = delay ?? this.#usualPurgeDelay;
    if (delay !== undefined) return;
    this.#usualPurgeDelay = undefined;
    requestContext().cdn?.clear();
  }
}

/** A response that the limits concern: those of the CDN too. */
function limit(limits: ResponseLimits): FaultKind {
  return async (response) => {
    const body = await response.clone().text();
    const content = response.ok ? JSON.parse(body) : undefined;
    try {
      await limitResponse(limits, { content, bytes: Buffer.byteLength(body), signal: NEVER });
      return response;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return errorResponse(error);
    }
  };
}
const NEVER = new AbortController().signal;

function parseFault({ kind, times, amount }: Readonly<Record<string, unknown>>): NewFault {
  if (typeof kind !== 'string' || !(getOwn(RESPONSE_FAULTS, kind) ?? getOwn(CDN_FAULTS, kind)))
    throw badRequest();
  const defaultAmount = getOwn(DEFAULT_AMOUNTS, kind) as number | undefined;
  return {
    kind: kind as StudioFaultKind,
    times: times === undefined ? undefined : parseNumber(times, 'the number of requests', 1),
    amount:
      defaultAmount === undefined
        ? undefined
        : parseNumber(
            amount ?? defaultAmount,
            'the amount',
            0,
            kind === 'max-response' ? MAX_BYTES : MAX_AMOUNT,
          ),
  };
}

function parseNumber(value: unknown, name: string, least: number, most = MAX_AMOUNT): number {
  const isValid = Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
  if (!isValid) throw badRequestBecause(`${name} must be a whole number from ${least} to ${most}.`);
  return value as number;
}
