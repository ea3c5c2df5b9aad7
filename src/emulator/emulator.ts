import { API_KEY_HEADER } from '../contract/parameters.ts';
import { PictureWork } from './assets/image-worker.ts';
import { Uploads } from './assets/uploads.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS } from './assumptions.ts';
import { Clock } from './clock.ts';
import { ContentsControl, type Workbench } from './control/control-contents.ts';
import { MediaControl } from './control/control-media.ts';
import { ModelsControl } from './control/control-models.ts';
import { answer } from './http/answer.ts';
import { Cdn } from './http/cdn.ts';
import { damage, Faults, failWithout } from './http/faults.ts';
import { type LogEntry, RequestLog } from './http/log.ts';
import { RateLimit } from './http/rate.ts';
import { MissingPackage } from './optional.ts';
import type { EmulatorOptions } from './options.ts';
import { Lists } from './read/lists.ts';
import { sampleSeed } from './sample.ts';
import { DataFile, locateData, readData, type Stored } from './state/data-file.ts';
import { DataLock } from './state/data-lock.ts';
import { Intaker } from './state/intake.ts';
import { Ledger } from './state/ledger.ts';
import type { Seed } from './state/seed.ts';
import { readSeed } from './state/seed-check.ts';
import type { State } from './state/state.ts';

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
  readonly #uploads: Uploads;
  readonly #ledger: Ledger;
  readonly #file: DataFile | undefined;
  readonly #pictures: PictureWork;
  readonly #directory: string;
  readonly #cut: (time: number) => number;
  readonly #onError: (error: unknown) => void;
  readonly #cdn = new Cdn();
  readonly #rate = new RateLimit();
  readonly #log = new RequestLog();
  #assumptions: Assumptions;
  #assumed = '';
  #requests: number;

  constructor(seed: unknown, options: EmulatorOptions = {}) {
    this.#options = options;
    this.#onError = reportOnce(options.onError ?? ((error) => console.error(error)));
    this.#assumptions = { ...DEFAULT_ASSUMPTIONS, ...options.assumptions };
    this.origin = options.origin ?? 'http://luid.test';
    this.latency = options.latency ?? 0;
    this.clock = new Clock(options.clock);
    this.#requests = options.random ?? 1;
    const cut = (time: number) =>
      this.#assumptions.timeResolution === 'second' ? Math.floor(time / 1000) * 1000 : time;
    this.#cut = cut;
    const data = options.data === undefined ? undefined : locateData(options.data);
    const lock = data && DataLock.take(data.path);
    try {
      const stored = data?.exists ? readData(data.path, cut) : readInitial(seed, cut);
      this.#directory = options.directory ?? stored.directory;
      this.#state = stored.state;
      this.#intaker = new Intaker(this.#state, cut);
      this.#lists = new Lists(this.#state);
      const file = data && lock && new DataFile(data.path, this.#directory, lock);
      this.#file = file;
      this.#uploads = new Uploads(file?.folder);
      this.#pictures = new PictureWork(options.assetCache, this.#onError);
      const purge = () => this.#cdn.purge(this.clock.now(), this.#assumptions);
      this.#ledger = new Ledger({
        state: this.#state,
        uploads: this.#uploads,
        file,
        changed: purge,
        onError: this.#onError,
      });
      const bench: Workbench = {
        state: this.#state,
        intaker: this.#intaker,
        assumptions: () => this.#assumptions,
        stamp: () => cut(this.clock.now()),
        changed: (purges = true) => {
          if (purges) purge();
          this.#ledger.save();
        },
      };
      this.contents = new ContentsControl(bench);
      this.media = new MediaControl(bench);
      this.models = new ModelsControl(bench);
    } catch (error) {
      lock?.release();
      throw error;
    }
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

  /** Resolves when the data file has everything that happened until now. */
  saved(): Promise<void> {
    return this.#ledger.saved();
  }

  /** Waits for the data file, then lets another emulator use it. Changes cannot be stored afterwards. */
  async close(): Promise<void> {
    await this.saved();
    this.#file?.close();
  }

  /** The whole state as a seed. Uploaded media are in it by name; their bytes are not. */
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
    const start = performance.now();
    const log = (status: number, bytes: number) => {
      const duration = performance.now() - start;
      const logged: LogEntry = { at: this.clock.now(), ...entry, status, bytes, duration };
      this.#log.add(logged);
      this.#options.onRequest?.(logged);
    };
    try {
      await pause(this.latency, request.signal);
      const fault = this.faults.take({ method: request.method, path: url.pathname, query: url.searchParams });
      let response = fault && (await failWithout(fault, request.signal));
      if (!response) {
        const answered = await this.#answer(request, url);
        const { cdn, counted, key, remaining } = answered;
        Object.assign(entry, { cdn, counted, key, remaining });
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
      ledger: this.#ledger,
      uploads: this.#uploads,
      pictures: this.#pictures,
      cdn: this.#options.cdn === false ? undefined : this.#cdn,
      rate: this.#options.rateLimit === false ? undefined : this.#rate,
      assumptions: this.#assumptions,
      baseUrl: this.baseUrl,
      assetsUrl: this.assetsUrl,
      directory: this.#directory,
      header: this.#options.header ?? API_KEY_HEADER,
      now: () => this.clock.now(),
      stamp: () => this.#cut(this.clock.now()),
      cut: this.#cut,
      maxBody: this.#options.maxBody ?? 5_000_000,
      maxUpload: this.#options.maxUpload ?? 50_000_000,
      beforeRead: this.beforeRequest,
      shuffle: this.#requests++,
      onError: this.#onError,
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

/** The state to start from: that of a seed, or of the sample if there is none. */
function readInitial(seed: unknown, time: (time: number) => number): Stored {
  if (seed !== undefined) return { state: readSeed(seed, time), directory: process.cwd() };
  const sample = sampleSeed();
  return { state: readSeed(sample.seed, time), directory: sample.directory };
}

/** Reports every failure, but each missing package only once. */
function reportOnce(report: (error: unknown) => void): (error: unknown) => void {
  const missing = new Set<string>();
  return (error) => {
    if (error instanceof MissingPackage) {
      if (missing.has(error.package)) return;
      missing.add(error.package);
    }
    report(error);
  };
}

/** Waits without keeping the process alive. */
function pause(ms: number, signal: AbortSignal): Promise<void> | undefined {
  if (!(ms > 0)) return undefined;
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms).unref();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
