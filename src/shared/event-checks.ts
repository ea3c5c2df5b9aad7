const INTERVALS_WITH_EVENTS = 6;
const LONGEST_WITH_EVENTS = 5 * 60_000;

/** The interval of periodic checks while events announce changes: they only find what no event has announced. */
export function intervalWithEvents(interval: number): number {
  return Math.max(interval, Math.min(INTERVALS_WITH_EVENTS * interval, LONGEST_WITH_EVENTS));
}

export interface EventChecksOptions<T> {
  /**
   * Checks for changes, without caches that may be older than the event. `isRepetition`: no event has arrived since the
   * check before.
   */
  readonly check: (how: { readonly isRepetition: boolean }) => Promise<T>;
  readonly hasFound: (result: T) => boolean;
  /** Runs a function later. Returns a function that cancels it. */
  readonly schedule: (run: () => void, delay: number) => () => void;
  readonly now?: (() => number) | undefined;
}

/** Between two checks after different events. */
const SPACING = 1000;
/** One edit may cause this many events, some of them twice. They do not delay a repetition; more events do. */
const EVENTS_OF_AN_EDIT = 4;
/** The delay of the first repetition; each further one is twice as long. */
const FIRST_REPETITION = 100;
/** How long a check is repeated until it finds a change. */
const TIME_LIMIT = 5000;
/** More checks than this in a minute are delayed, repetitions included. */
const PER_MINUTE = 60;
const MINUTE = 60_000;

/**
 * Decides when to check for changes after events that announce them. An event is only a hint, and may be lost, doubled,
 * late or forged: what it announces is read from the service. The service may show a change later than it announces it,
 * so a check that finds nothing is repeated. A flood of events costs one check per second.
 */
export class EventChecks<T> {
  readonly #options: EventChecksOptions<T>;
  readonly #now: () => number;
  /** The result for events that arrived since the last check began. */
  #waiting: PromiseWithResolvers<T> | undefined;
  #waitingEvents = 0;
  /** When the last checks began. */
  readonly #begunAt: number[] = [];
  /** The delay of the next repetition: none is necessary once a change was found. */
  #repetition = Number.POSITIVE_INFINITY;
  #repeatUntil = Number.NEGATIVE_INFINITY;
  #isRunning = false;
  #cancel = () => {};

  constructor(options: EventChecksOptions<T>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * An event has arrived. Returns the result of the first check that begins after it. `isRelevant: false`: the change is
   * not expected to be found, so that the check is not repeated.
   */
  add({ isRelevant = true } = {}): Promise<T> {
    this.#waiting ??= Promise.withResolvers<T>();
    const { promise } = this.#waiting;
    this.#waitingEvents++;
    if (this.#now() >= this.#repeatUntil) this.#repetition = Number.POSITIVE_INFINITY;
    if (isRelevant) this.#repeatUntil = this.#now() + TIME_LIMIT;
    if (!this.#isRunning) this.#plan();
    return promise;
  }

  /** No check begins any more. */
  close(): void {
    this.#cancel();
  }

  #plan(): void {
    this.#cancel();
    const delay = this.#delay();
    if (delay === undefined) return;
    if (delay <= 0) void this.#run();
    else this.#cancel = this.#options.schedule(() => void this.#run(), delay);
  }

  /** Milliseconds until the next check; `undefined` if none is necessary. */
  #delay(): number | undefined {
    const last = this.#begunAt.at(-1) ?? Number.NEGATIVE_INFINITY;
    const oldest = this.#begunAt.at(-PER_MINUTE) ?? Number.NEGATIVE_INFINITY;
    const repetition = this.#waitingEvents > EVENTS_OF_AN_EDIT ? SPACING : this.#repetition;
    const delay = Math.min(this.#waiting ? SPACING : Number.POSITIVE_INFINITY, repetition);
    const due = Math.max(last + delay, oldest + MINUTE);
    return this.#waiting || due < this.#repeatUntil ? due - this.#now() : undefined;
  }

  async #run(): Promise<void> {
    const events = this.#waiting;
    this.#waiting = undefined;
    this.#waitingEvents = 0;
    if (this.#repetition === Number.POSITIVE_INFINITY) this.#repetition = FIRST_REPETITION;
    else this.#repetition = Math.min(2 * this.#repetition, events ? SPACING : Number.POSITIVE_INFINITY);
    this.#begunAt.push(this.#now());
    if (this.#begunAt.length > PER_MINUTE) this.#begunAt.shift();
    this.#isRunning = true;
    try {
      const result = await this.#options.check({ isRepetition: events === undefined });
      if (this.#options.hasFound(result)) {
        this.#repetition = Number.POSITIVE_INFINITY;
        // Events that arrived meanwhile may announce another change.
        if (!this.#waiting) this.#repeatUntil = Number.NEGATIVE_INFINITY;
      }
      events?.resolve(result);
    } catch (error) {
      events?.reject(error);
    }
    this.#isRunning = false;
    this.#plan();
  }
}
