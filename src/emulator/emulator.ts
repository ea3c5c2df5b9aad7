import { randomBytes } from 'node:crypto';
import { API_KEY_HEADER } from '../contract/parameters.ts';
import { createOnce } from '../shared/logger.ts';
import { ImageResizer } from './assets/image-resizer.ts';
import { Uploads } from './assets/uploads.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS } from './assumptions.ts';
import { ContentsControl } from './control/control-contents.ts';
import type { ControlContext } from './control/control-context.ts';
import { MediaControl } from './control/control-media.ts';
import { ModelsControl } from './control/control-models.ts';
import { Clock } from './emulator-clock.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import { Cdn } from './http/cdn.ts';
import type { EmulatorContext } from './http/emulator-context.ts';
import { damageResponse, Faults, respondWithFault } from './http/faults.ts';
import { handleRequest } from './http/handle-request.ts';
import { RateLimit } from './http/rate-limit.ts';
import { type LogEntry, RequestLog } from './http/request-log.ts';
import { delay } from './http/response-limits.ts';
import { MissingPackageError } from './optional-package.ts';
import { ListCache } from './read/sorted-lists.ts';
import { sampleSeed } from './sample-seed.ts';
import { DataFile, locateDataFile, readDataFile, type StoredState } from './state/data-file.ts';
import { DataLock } from './state/data-lock.ts';
import { parseSeed } from './state/parse-seed.ts';
import { SeedConverter } from './state/seed-converter.ts';
import type { Seed } from './state/seed-types.ts';
import { WriteQueue } from './state/write-queue.ts';
import type { Studio } from './studio/studio.ts';
import { Webhooks, type WebhooksControl } from './webhooks/webhooks.ts';

const DEFAULT_MAX_BODY = 5_000_000;
const DEFAULT_MAX_UPLOAD = 50_000_000;

/** What handling a request needs, except for what may differ from one request to the next. */
type SharedContext = Omit<
  EmulatorContext,
  'assumptions' | 'baseUrl' | 'assetsUrl' | 'beforeRead' | 'shuffleSeed' | 'maxResponse' | 'timePerItem'
>;

/** The assumptions that lists and their responses depend on. */
const LIST_ASSUMPTIONS = [
  'tieOrder',
  'unseenTarget',
  'emptyValues',
  'unknownModel',
  'unknownField',
  'wrongNeighbours',
  'defectStatusFilter',
  'defectUntranslatedFilter',
] as const satisfies readonly (keyof Assumptions)[];

/** The service in memory. */
export class Emulator {
  /** Changes content as editors do. */
  readonly contents: ContentsControl;
  readonly media: MediaControl;
  readonly models: ModelsControl;
  /** Requests that are sent when content changes. */
  readonly webhooks: WebhooksControl;
  readonly #webhooks: Webhooks;
  readonly clock: Clock;
  readonly faults = new Faults();
  /** Milliseconds by which every response is delayed. */
  latency: number;
  /** Maximum bytes of a response with content; a longer one is a 500. */
  maxResponse: number;
  /** Milliseconds by which a list is delayed for each of its items. */
  timePerItem: number;
  /** Called before each read that reaches the origin, that is, one that the CDN has not cached. */
  beforeRequest: ((request: Request) => void | Promise<void>) | undefined;
  origin: string;

  readonly #options: EmulatorOptions;
  readonly #context: SharedContext;
  readonly #converter: SeedConverter;
  readonly #cdn = new Cdn();
  readonly #log = new RequestLog();
  /** Called after every logged request and every change. */
  readonly #activityListeners = new Set<() => void>();
  readonly #studioToken: string | undefined;
  #studio: Promise<Studio> | undefined;
  #assumptions: Assumptions;
  /** The `LIST_ASSUMPTIONS` of what is cached. */
  #listAssumptions = '';
  #shuffleSeed: number;

  constructor(seed: unknown, options: EmulatorOptions = {}) {
    this.#options = options;
    this.#assumptions = { ...DEFAULT_ASSUMPTIONS, ...options.assumptions };
    this.origin = options.origin ?? 'http://luid.test';
    this.latency = options.latency ?? 0;
    this.maxResponse = options.maxResponse ?? Number.POSITIVE_INFINITY;
    this.timePerItem = options.timePerItem ?? 0;
    this.clock = new Clock(options.clock);
    this.#shuffleSeed = options.random ?? 1;
    this.#studioToken = options.studio ? randomBytes(24).toString('base64url') : undefined;
    const onError = reportOnce(options.onError ?? ((error) => console.error(error)));
    const now = () => this.clock.now();
    const truncateTime = (time: number) =>
      this.#assumptions.timeResolution === 'second' ? Math.floor(time / 1000) * 1000 : time;
    const data = options.data === undefined ? undefined : lockDataFile(options.data);
    try {
      const stored = (data && readDataFile(data.path, truncateTime)) ?? readInitialState(seed, truncateTime);
      const { state } = stored;
      const directory = options.directory ?? stored.directory;
      const file = data && new DataFile(data.path, directory, data.lock);
      const uploads = new Uploads(file?.mediaFolder);
      const purge = () => this.#cdn.purge(now(), this.#assumptions);
      const onChange = () => {
        purge();
        this.#reportActivity();
        this.#webhooks.sendChanges();
      };
      const writeQueue = new WriteQueue({ state, uploads, file, onChange, onError });
      this.#converter = new SeedConverter(state, truncateTime);
      this.#context = {
        state,
        lists: new ListCache(state),
        writeQueue,
        uploads,
        imageResizer: new ImageResizer(options.assetCache, onError),
        cdn: options.cdn === false ? undefined : this.#cdn,
        rateLimit: options.rateLimit === false ? undefined : new RateLimit(),
        directory,
        header: options.header ?? API_KEY_HEADER,
        now,
        truncateTime,
        maxBody: options.maxBody ?? DEFAULT_MAX_BODY,
        maxUpload: options.maxUpload ?? DEFAULT_MAX_UPLOAD,
        onError,
      };
      const control: ControlContext = {
        state,
        converter: this.#converter,
        assumptions: () => this.#assumptions,
        storedNow: () => truncateTime(now()),
        onChange: ({ purgesCdn = true, removedMedia } = {}) => {
          if (purgesCdn) purge();
          if (removedMedia === undefined) writeQueue.save();
          else writeQueue.saveWithoutMedia(removedMedia);
          this.#reportActivity();
          this.#webhooks.sendChanges();
        },
      };
      this.contents = new ContentsControl(control);
      this.media = new MediaControl(control);
      this.models = new ModelsControl(control);
      this.#webhooks = new Webhooks({
        state,
        fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
        now,
        onChange: ({ isStored }) => {
          if (isStored) writeQueue.save();
          this.#reportActivity();
        },
      });
      this.webhooks = this.#webhooks;
      for (const webhook of options.webhooks ?? []) this.webhooks.add(webhook);
    } catch (error) {
      data?.lock.release();
      throw error;
    }
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  get assetsUrl(): string {
    return `${this.origin}/assets`;
  }

  /** The URL of the studio, with its access token; `undefined` if it is off. */
  get studioUrl(): string | undefined {
    return this.#studioToken && `${this.origin}/#token=${this.#studioToken}`;
  }

  /** Behaviour that the specification leaves open. Each can be changed; assigning an object resets the rest to defaults. */
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

  /** Resolves when the data file contains every change made until now; rejects if it cannot be written. */
  saved(): Promise<void> {
    return this.#context.writeQueue.saved();
  }

  /**
   * Waits until the data file contains the changes and uploads under way, and releases its lock. Changes that follow are
   * refused or, if made in code, not stored. Rejects, after releasing the lock, if the file does not contain every change.
   */
  close(): Promise<void> {
    this.#webhooks.close();
    return this.#context.writeQueue.close();
  }

  /** The whole state as a seed. It contains the names of uploaded media, but not their bytes. */
  snapshot(): Seed {
    const { languages, spaces, keys, media, items, webhooks } = this.#context.state;
    return {
      languages: { main: languages.main, sub: [...languages.sub] },
      ...(spaces && { spaces: [...spaces] }),
      keys: structuredClone([...keys.values()]),
      models: this.models.get(),
      media: [...media.values()].map((one) => this.#converter.toSeedMedia(one)),
      contents: [...items.values()].map((item) => this.#converter.toSeedContent(item)),
      ...(webhooks.length > 0 && { webhooks: structuredClone([...webhooks]) }),
    };
  }

  /** Responds to a request. It can be passed instead of the global `fetch`. */
  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    request.signal.throwIfAborted();
    const { method } = request;
    const url = new URL(request.url);
    const { pathname: path, search, searchParams } = url;
    if (this.#isForStudio(request, path)) return (await this.#loadStudio()).respond(request, url);
    const entry = { method, path, query: search.slice(1), cdn: 'pass' as LogEntry['cdn'], counted: false };
    const start = performance.now();
    const log = (status: number, bytes: number) => {
      const duration = performance.now() - start;
      const logged: LogEntry = { at: this.clock.now(), ...entry, status, bytes, duration };
      this.#log.add(logged);
      this.#options.onRequest?.(logged);
      this.#reportActivity();
    };
    try {
      await delay(this.latency, request.signal);
      const fault = this.faults.take({ method, path, query: searchParams });
      let response = fault && (await respondWithFault(fault, request.signal));
      if (!response) {
        const handled = await this.#handle(request, url);
        const { cdn, counted, key, remaining } = handled;
        Object.assign(entry, { cdn, counted, key, remaining });
        response = fault ? await damageResponse(fault, handled.response) : handled.response;
      }
      log(response.status, Number(response.headers.get('content-length') ?? 0));
      if (method !== 'HEAD') return response;
      return new Response(null, { status: response.status, headers: response.headers });
    } catch (error) {
      log(0, 0);
      throw error;
    }
  };

  async #handle(request: Request, url: URL) {
    return handleRequest(request, url, { ...this.#requestContext(), shuffleSeed: this.#shuffleSeed++ });
  }

  #requestContext(): EmulatorContext {
    this.#clearCachesIfAssumptionsChanged();
    return {
      ...this.#context,
      assumptions: () => {
        this.#clearCachesIfAssumptionsChanged();
        return this.#assumptions;
      },
      baseUrl: this.baseUrl,
      assetsUrl: this.assetsUrl,
      beforeRead: this.beforeRequest,
      maxResponse: this.maxResponse,
      timePerItem: this.timePerItem,
      shuffleSeed: this.#shuffleSeed,
    };
  }

  /** The studio's page is for browsers only; its requests are not those of a site, so they are not logged. */
  #isForStudio({ method, headers }: Request, path: string): boolean {
    if (this.#studioToken === undefined) return false;
    if (path.startsWith('/_studio/')) return true;
    const isRead = method === 'GET' || method === 'HEAD';
    const isBrowser = headers.get('accept')?.includes('text/html') ?? false;
    return path === '/' && isRead && isBrowser && !headers.has(this.#context.header);
  }

  /** Loads the studio with its first request. */
  #loadStudio(): Promise<Studio> {
    this.#studio ??= import('./studio/studio.ts').then(
      ({ Studio }) =>
        new Studio({
          emulator: this,
          webhooks: this.#webhooks,
          requestContext: () => this.#requestContext(),
          converter: this.#converter,
          log: this.#log,
          token: this.#studioToken ?? '',
          onActivity: (listener) => {
            this.#activityListeners.add(listener);
            return () => this.#activityListeners.delete(listener);
          },
          reportActivity: () => this.#reportActivity(),
        }),
    );
    return this.#studio;
  }

  #reportActivity(): void {
    for (const listener of [...this.#activityListeners]) listener();
  }

  #clearCachesIfAssumptionsChanged(): void {
    const listAssumptions = JSON.stringify(LIST_ASSUMPTIONS.map((name) => this.#assumptions[name]));
    if (listAssumptions === this.#listAssumptions) return;
    this.#listAssumptions = listAssumptions;
    this.#context.lists.clear();
    this.#cdn.clear();
  }
}

function lockDataFile(given: string): { path: string; lock: DataLock } {
  const path = locateDataFile(given);
  return { path, lock: DataLock.acquire(path) };
}

/** The state of the seed, or of the sample without one. */
function readInitialState(given: unknown, truncateTime: (time: number) => number): StoredState {
  const { seed, directory } = given === undefined ? sampleSeed() : { seed: given, directory: process.cwd() };
  return { state: parseSeed(seed, truncateTime), directory };
}

/** Reports every error, but each missing package only once. */
function reportOnce(report: (error: unknown) => void): (error: unknown) => void {
  const once = createOnce();
  return (error) => {
    if (error instanceof MissingPackageError) once(error.package, () => report(error));
    else report(error);
  };
}
