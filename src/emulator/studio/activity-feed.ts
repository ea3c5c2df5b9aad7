import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../contract/limits.ts';
import type { FaultSwitches } from './fault-switches.ts';
import type { StudioContext } from './studio-context.ts';
import { parseWholeNumber, type StudioRequest } from './studio-request.ts';
import type { Activity, LoggedRequest, RateWindow } from './studio-types.ts';

const MAX_REQUESTS = 500;
const MAX_WAIT = 30_000;

/** What happened in the emulator since the page last asked. */
export class ActivityFeed {
  readonly #context: StudioContext;
  readonly #faults: FaultSwitches;
  /** Tells one start of the emulator from another, whose numbers begin again. */
  readonly #start = randomUUID();

  constructor(context: StudioContext, faults: FaultSwitches) {
    this.#context = context;
    this.#faults = faults;
  }

  /** Waits for something that the page does not know yet. */
  async next({ query, request }: StudioRequest): Promise<Activity> {
    const since = parseWholeNumber(query.get('since'), 0);
    const wait = Math.min(MAX_WAIT, parseWholeNumber(query.get('wait'), 0));
    const hasNews = () => this.#context.log.total !== since || this.#state() !== query.get('state');
    if (wait > 0 && !hasNews()) await this.#waitFor(hasNews, wait, request.signal);
    request.signal.throwIfAborted();
    return this.#describe(since);
  }

  #waitFor(hasNews: () => boolean, wait: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stopListening();
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const stopListening = this.#context.onActivity(() => {
        if (hasNews()) end();
      });
      const timer = setTimeout(end, wait).unref();
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }

  #describe(since: number): Activity {
    // First, since it removes the faults that are over.
    const faults = this.#faults.list();
    const { log } = this.#context;
    return {
      last: log.total,
      requests: this.#requestsAfter(since),
      state: this.#state(),
      content: this.#content(),
      faults,
      windows: this.#windows(),
      limits: { reads: LIMITS.readsPerMinute, writes: LIMITS.writesPerMinute },
    };
  }

  /** All that are known, if the page has seen another start of the emulator. */
  #requestsAfter(since: number): LoggedRequest[] {
    const { log } = this.#context;
    const count = Math.min(MAX_REQUESTS, since > log.total ? log.total : log.total - since);
    if (count === 0) return [];
    const entries = log.entries.slice(-count);
    return entries.map((entry, index) => ({ ...entry, number: log.total - entries.length + index + 1 }));
  }

  #windows(): RateWindow[] | undefined {
    const { state, rateLimit, now } = this.#context.requestContext();
    return (
      rateLimit &&
      [...state.keys.keys()].map((key, index) => ({
        key: index,
        reads: rateLimit.remaining(key, 'read', now()),
        writes: rateLimit.remaining(key, 'write', now()),
      }))
    );
  }

  #content(): string {
    return `${this.#start}.${this.#context.requestContext().state.revision}`;
  }

  #state(): string {
    return `${this.#content()}.${this.#faults.version}.${this.#context.webhooks.version}`;
  }
}
