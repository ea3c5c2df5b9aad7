import { API_KEY_HEADER } from '../contract/parameters.ts';
import { answer } from './answer.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS } from './assumptions.ts';
import { Cdn } from './cdn.ts';
import { Clock } from './clock.ts';
import { ContentsControl, type Workbench } from './control-contents.ts';
import { MediaControl } from './control-media.ts';
import { ModelsControl } from './control-models.ts';
import { damage, Faults, failWithout } from './faults.ts';
import { Intaker } from './intake.ts';
import { Lists } from './lists.ts';
import { type LogEntry, RequestLog } from './log.ts';
import { RateLimit } from './rate.ts';
import type { Seed } from './seed.ts';
import { readSeed } from './seed-check.ts';
import type { State } from './state.ts';

export interface EmulatorOptions {
  /** Where it believes to be. Default: `http://luid.test`; a listening one knows. */
  origin?: string | undefined;
  /** The folder that `file` of media is relative to. Default: the working directory. */
  directory?: string | undefined;
  /** Default: `X-SERVICE-API-KEY`. */
  header?: string | undefined;
  /** Default: `true`. */
  rateLimit?: boolean | undefined;
  /** Default: `true`. */
  cdn?: boolean | undefined;
  /** Milliseconds that every answer takes longer. */
  latency?: number | undefined;
  assumptions?: Partial<Assumptions> | undefined;
  /** The time until `clock` is set. Default: the real one. */
  clock?: (() => number) | undefined;
  /** Where `tieOrder: 'shuffled'` starts from. Default: 1. */
  random?: number | undefined;
  /** Told of every failure of the emulator itself, which answers 500. Default: stderr. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The service, in memory. */
export class Emulator {
  /** Changes to content, as editors would make them. */
  readonly contents: ContentsControl;
  readonly media: MediaControl;
  readonly models: ModelsControl;
  readonly clock: Clock;
  readonly faults = new Faults();
  /** Milliseconds that every answer takes longer. */
  latency: number;
  /** Called before each read that reaches the origin, so before each page that is not cached. */
  beforeRequest: ((request: Request) => void | Promise<void>) | undefined;
  origin: string;

  readonly #options: EmulatorOptions;
  readonly #state: State;
  readonly #intaker: Intaker;
  readonly #lists: Lists;
  readonly #cdn = new Cdn();
  readonly #rate = new RateLimit();
  readonly #log = new RequestLog();
  #assumptions: Assumptions;
  #assumed = '';
  #requests: number;

  constructor(seed: unknown, options: EmulatorOptions = {}) {
    this.#options = options;
    this.#assumptions = { ...DEFAULT_ASSUMPTIONS, ...options.assumptions };
    this.origin = options.origin ?? 'http://luid.test';
    this.latency = options.latency ?? 0;
    this.clock = new Clock(options.clock);
    this.#requests = options.random ?? 1;
    const cut = (time: number) =>
      this.#assumptions.timeResolution === 'second' ? Math.floor(time / 1000) * 1000 : time;
    this.#state = readSeed(seed, cut);
    this.#intaker = new Intaker(this.#state, cut);
    this.#lists = new Lists(this.#state);
    const bench: Workbench = {
      state: this.#state,
      intaker: this.#intaker,
      assumptions: () => this.#assumptions,
      stamp: () => cut(this.clock.now()),
      changed: () => this.#cdn.purge(this.clock.now(), this.#assumptions),
    };
    this.contents = new ContentsControl(bench);
    this.media = new MediaControl(bench);
    this.models = new ModelsControl(bench);
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  get assetsUrl(): string {
    return `${this.origin}/assets`;
  }

  /** What is assumed where the specification is silent. Each can be set; setting all keeps the defaults of the rest. */
  get assumptions(): Assumptions {
    return this.#assumptions;
  }

  set assumptions(assumptions: Partial<Assumptions>) {
    this.#assumptions = { ...DEFAULT_ASSUMPTIONS, ...assumptions };
  }

  /** The requests so far, oldest first. */
  get log(): readonly LogEntry[] {
    return this.#log.entries;
  }

  clearLog(): void {
    this.#log.clear();
  }

  /** The whole state as a seed. */
  snapshot(): Seed {
    const { languages, spaces, keys, media, items } = this.#state;
    return {
      languages: { main: languages.main, sub: [...languages.sub] },
      ...(spaces && { spaces: [...spaces] }),
      keys: structuredClone([...keys.values()]),
      models: this.models.get(),
      media: [...media.values()].map((one) => this.#intaker.giveMedia(one)),
      contents: [...items.values()].map((item) => this.#intaker.giveContent(item)),
    };
  }

  /** Answers a request. It can be handed on in place of the global `fetch`. */
  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    request.signal.throwIfAborted();
    const url = new URL(request.url);
    const query = url.search.slice(1);
    const entry = {
      method: request.method,
      path: url.pathname,
      query,
      cdn: 'pass' as LogEntry['cdn'],
      counted: false,
    };
    const log = (status: number, bytes: number) =>
      this.#log.add({ at: this.clock.now(), ...entry, status, bytes });
    try {
      await pause(this.latency, request.signal);
      const fault = this.faults.take({ method: request.method, path: url.pathname, query: url.searchParams });
      let response = fault && (await failWithout(fault, request.signal));
      if (!response) {
        const answered = await this.#answer(request, url);
        Object.assign(entry, { cdn: answered.cdn, counted: answered.counted });
        response = fault ? await damage(fault, answered.response) : answered.response;
      }
      log(response.status, Number(response.headers.get('content-length') ?? 0));
      if (request.method !== 'HEAD') return response;
      return new Response(null, { status: response.status, headers: response.headers });
    } catch (error) {
      log(0, 0);
      throw error;
    }
  };

  async #answer(request: Request, url: URL) {
    this.#forgetIfAssumptionsChanged();
    return answer(request, url, {
      state: this.#state,
      lists: this.#lists,
      cdn: this.#options.cdn === false ? undefined : this.#cdn,
      rate: this.#options.rateLimit === false ? undefined : this.#rate,
      assumptions: this.#assumptions,
      assetsUrl: this.assetsUrl,
      directory: this.#options.directory ?? process.cwd(),
      header: this.#options.header ?? API_KEY_HEADER,
      now: () => this.clock.now(),
      beforeRead: this.beforeRequest,
      shuffle: this.#requests++,
      onError: this.#options.onError ?? ((error) => console.error(error)),
    });
  }

  #forgetIfAssumptionsChanged(): void {
    const { tieOrder, unseenTarget, unknownModel, unknownField, wrongNeighbours } = this.#assumptions;
    const { defectStatusFilter, defectUntranslatedFilter } = this.#assumptions;
    const assumed = `${[tieOrder, unseenTarget, unknownModel, unknownField, wrongNeighbours]} ${[
      defectStatusFilter,
      defectUntranslatedFilter,
    ]}`;
    if (assumed === this.#assumed) return;
    this.#assumed = assumed;
    this.#lists.clear();
    this.#cdn.clear();
  }
}

/** Waits without keeping the process alive. */
function pause(ms: number, signal: AbortSignal): Promise<void> | undefined {
  if (!(ms > 0)) return undefined;
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms).unref();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
