import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import type { Cache } from '../../../src/cli/shared/open-cache.ts';
import { urlHook } from '../../../src/cli/watch/post-hooks.ts';
import { watchUntilStopped } from '../../../src/cli/watch/watch-loop.ts';
import { openWatchState } from '../../../src/cli/watch/watch-state.ts';
import { openWatchedContent } from '../../../src/cli/watch/watched-content.ts';
import { type WatchEvent, Watcher } from '../../../src/cli/watch/watcher.ts';
import { createConnection } from '../../../src/client/http/connection.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import { type Assumptions, createEmulator, type Emulator } from '../../../src/emulator/index.ts';
import type { SyncedSpace } from '../../../src/space/replica-options.ts';
import { SpaceRuntime } from '../../../src/space/runtime.ts';
import { MODELS, seedOf } from '../../support/emulated-space.ts';
import { type Crash, createKillableProcess, type KillableProcess } from './killable-process.ts';

const EVERY = 30_000;
const SETTLE = 20_000;
export const MAX_AGE = 24 * 3600 * 1000;

/** How the hook server handles a call. `dropped`: no call arrives. `response lost`: it accepts the call, but its response is lost. */
export type HookBehaviour = 'ok' | 'error' | 'gone' | 'moved' | 'dropped' | 'response lost';

/** What happens during one sleep of the watcher. */
export interface Interval {
  readonly edits: readonly (() => void)[];
  /** Edits before the following requests to the service, one per request (`undefined`: none). */
  readonly editsDuringReads: readonly ((() => void) | undefined)[];
  readonly outage: 'none' | 'refused' | 'errors' | 'half';
  readonly hook: HookBehaviour;
  /** Kills the process at a later access to the network or the storage. */
  readonly crash: Crash | undefined;
}

const QUIET: Interval = { edits: [], editsDuringReads: [], outage: 'none', hook: 'ok', crash: undefined };

export interface SimulationOptions {
  readonly items: number;
  readonly concurrency?: number;
  readonly drafts?: boolean;
  readonly fireFirst?: boolean;
  /** `alternating`: two CDN locations respond in turn. `split`: one serves the heads, the other everything else. */
  readonly cdn?: 'alternating' | 'split';
  readonly assumptions?: Partial<Assumptions>;
}

class TestFailure extends Error {}

/** A parameter that marks requests of the test itself; the service ignores it. */
const TEST_REQUEST = 'truth';
const START = Date.UTC(2027, 0, 1);
const TEN_MINUTES = 600_000;
let simulations = 0;

/**
 * Simulates a service whose clock only moves while the watcher sleeps, a hook server, and a watcher that can be
 * killed and restarted at any moment. Records every change of the content and every hook call.
 */
export class WatchSimulation {
  readonly service: Emulator;
  readonly events: WatchEvent[] = [];
  readonly failures: string[] = [];
  /** How many calls reached the hook. */
  calls = 0;
  /** Calls without a change, or to a wrong URL. */
  readonly unexpectedCalls: string[] = [];
  readonly #options: SimulationOptions;
  readonly #key: string;
  readonly #storage = createStorage({ driver: memory() });
  readonly #server: Server;
  #hookUrl = '';
  #content = '';
  #deployedContent = '';
  #interval: Interval = QUIET;
  /** Number of changes in the content that is known to be deployed, and in the content that was last read. */
  #deployedChanges = 0;
  #readChanges = 0;
  readonly #changeTimes: number[] = [];
  #killed = 0;
  #requests = 0;
  #editing: Promise<void> = Promise.resolve();

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#key = options.drafts ? 'drafts' : 'published';
    this.service = createEmulator(seedOf(options.items), {
      origin: `http://watched-${process.pid}-${++simulations}.test`,
      rateLimit: false,
      assumptions: options.assumptions,
    });
    this.service.clock.set(START);
    this.#server = createServer((request, response) => {
      const behaviour = this.#interval.hook;
      if (behaviour === 'dropped') return request.socket.destroy();
      this.#recordCall(`${request.method} ${request.url}`, behaviour);
      if (behaviour === 'response lost') return request.socket.destroy();
      const status = { ok: 200, error: 500, gone: 404, moved: 302 }[behaviour];
      return response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('{}');
    });
  }

  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.#hookUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/secret`;
    this.#content = await this.#readContent();
    this.#deployedContent = this.#content;
  }

  /** Whether the content is unchanged since the last accepted hook call, or since the start. */
  get isDeployed(): boolean {
    return this.#content === this.#deployedContent;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  /** Number of changes of the content. */
  get changes(): number {
    return this.#changeTimes.length;
  }

  /** Number of changes that no CDN location hides any more. */
  #visibleChanges(): number {
    const purged = this.service.clock.now() - this.service.assumptions.purgeDelay;
    return this.#changeTimes.filter((time) => time <= purged).length;
  }

  /** Simulated time since the start. */
  get hours(): number {
    return (this.service.clock.now() - START) / 3_600_000;
  }

  get killed(): number {
    return this.#killed;
  }

  /**
   * Runs watchers, each until it is killed, through all intervals. Then lets time pass without further events: ten
   * minutes, or while a change is not deployed up to `quietTime` milliseconds.
   */
  async run(intervals: readonly Interval[], quietTime: number): Promise<void> {
    const { clock } = this.service;
    const left = [...intervals];
    let since = Number.POSITIVE_INFINITY;
    const isOver = () => clock.now() - since >= (this.isDeployed ? TEN_MINUTES : quietTime);
    const next = (): Interval | undefined => {
      const interval = left.shift();
      if (interval) return interval;
      since = Math.min(since, clock.now());
      return isOver() ? undefined : QUIET;
    };
    while (!isOver()) {
      await this.#runWatcher(next);
      // Time also passes before the restart.
      const interval = left.shift();
      if (interval) await this.#sleepThrough(interval, EVERY);
    }
  }

  async #runWatcher(next: () => Interval | undefined): Promise<void> {
    const stop = new AbortController();
    const killed = new Promise<void>((resolve, reject) => {
      stop.signal.addEventListener('abort', () => {
        if (stop.signal.reason instanceof TestFailure) reject(stop.signal.reason);
        else resolve();
      });
    });
    const child = createKillableProcess(() => {
      this.#killed += 1;
      stop.abort();
    });
    const sleep = async (milliseconds: number) => {
      await child.run(async () => {});
      const interval = next();
      if (!interval) return stop.abort();
      this.#interval = interval;
      // The watcher would mistake an error for the end of its sleep.
      await this.#sleepThrough(interval, milliseconds).catch((cause) =>
        stop.abort(new TestFailure('', { cause })),
      );
      child.killAt(interval.crash);
    };
    const watching = this.#watch(child, sleep, stop.signal);
    await Promise.race([watching, killed]);
  }

  async #watch(
    child: KillableProcess,
    sleep: (milliseconds: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { service } = this;
    const clock = { now: () => service.clock.now(), sleep };
    const space = this.#space(child);
    const cache = this.#cache(child);
    const hook = urlHook(this.#hookUrl, undefined, (url, init) => child.run(() => fetch(url, init)));
    const { readContent, ...content } = await openWatchedContent(space, {
      cache,
      drafts: this.#options.drafts === true,
      warn: () => {},
    });
    const watcher = new Watcher({
      ...content,
      readContent: (forceFullSync) => {
        const before = this.#visibleChanges();
        return readContent(forceFullSync).then((fingerprint) => {
          this.#readChanges = before;
          return fingerprint;
        });
      },
      fire: hook.fire,
      state: openWatchState(cache.storage, {
        target: hook.identity,
        baseUrl: service.baseUrl,
        space: undefined,
        drafts: this.#options.drafts === true,
      }),
      every: EVERY,
      settle: SETTLE,
      fireFirst: this.#options.fireFirst === true,
      clock,
      signal,
      onEvent: (event) => this.events.push(event),
    });
    await watchUntilStopped(watcher, {
      every: EVERY,
      clock,
      signal,
      onFailure: (error) => this.failures.push(String(error)),
      onRecovery: () => {},
    });
  }

  #space(child: KillableProcess): SyncedSpace {
    const found = createConnection({
      baseUrl: this.service.baseUrl,
      apiKey: this.#key,
      // Rate limits are shared by all simulated processes: a killed one must not hold a slot.
      fetch: (url, init) => Promise.race([child.run(() => this.#respond(url as string, init)), child.killed]),
      clock: { now: () => this.service.clock.now(), sleep: () => new Promise(() => {}) },
      network: {
        requestsPerMinute: Number.POSITIVE_INFINITY,
        retries: 0,
        concurrency: this.#options.concurrency,
      },
    });
    return {
      runtime: new SpaceRuntime(),
      models: MODELS,
      settings: { languages: { main: 'ja', sub: ['en'] } },
      connect: () => async () => found,
    };
  }

  /** The response of the service, or an outage. */
  async #respond(url: string, init: RequestInit | undefined): Promise<Response> {
    const { outage } = this.#interval;
    this.#requests += 1;
    if (outage === 'refused') throw new TypeError('fetch failed');
    const isFailing = outage === 'errors' || (outage === 'half' && Math.floor(this.#requests / 3) % 2 === 0);
    if (isFailing) return Response.json({ status: '500', code: 'Internal Server Error' }, { status: 500 });
    // A purge may reach CDN location `b` later than `a`, which serves the heads.
    const pop =
      this.#options.cdn === 'split' ? /order=-/.test(url) : Math.floor(this.#requests / 2) % 2 === 0;
    return this.service.fetch(url, { ...init, headers: { ...init?.headers, 'x-luid-pop': pop ? 'a' : 'b' } });
  }

  #cache(child: KillableProcess): Cache {
    const inner = this.#storage;
    const storage = Object.assign(Object.create(inner) as Storage, {
      getKeys: (base?: string) => child.run(() => inner.getKeys(base)),
      getItemRaw: (key: string) => child.run(() => inner.getItemRaw(key)),
      setItemRaw: (key: string, value: string) =>
        child.run(async () => {
          await inner.setItemRaw(key, value);
          if (key.startsWith('watch-') && value.startsWith('v1 deployed'))
            this.#deployedChanges = this.#readChanges;
        }),
    });
    return { storage, throwIfFailed: () => {}, close: async () => {} };
  }

  /** Spreads the edits over the interval, the first at its start. */
  async #sleepThrough({ edits, editsDuringReads }: Interval, milliseconds: number): Promise<void> {
    const { clock } = this.service;
    const end = clock.now() + milliseconds;
    for (const edit of edits) {
      await this.edit(edit);
      clock.advance(Math.floor(milliseconds / (edits.length + 1)));
    }
    clock.set(end);
    const pendingEdits = [...editsDuringReads];
    this.service.beforeRequest = ({ url }) => {
      const edit = url.includes(TEST_REQUEST) ? undefined : pendingEdits.shift();
      return edit && this.edit(edit);
    };
  }

  /** Edits the content and records whether a site would change. Edits run one after the other. */
  edit(work: () => void): Promise<void> {
    this.#editing = this.#editing.then(async () => {
      try {
        work();
      } catch (error) {
        // An impossible edit (nothing to publish, no draft to discard) has no effect.
        if (!(error instanceof Error) || !error.name.startsWith('Luid')) throw error;
      }
      const now = await this.#readContent();
      if (now !== this.#content) this.#changeTimes.push(this.service.clock.now());
      this.#content = now;
    });
    return this.#editing;
  }

  /** All content that the key can read, without `_updated_at` and `_status`, straight from the service. */
  async #readContent(): Promise<string> {
    const found: unknown[] = [];
    for (const lang of ['ja', 'en']) {
      for (let offset = 0, total = 1; offset < total; offset += 100) {
        const url = `${this.service.baseUrl}/contents?depth=0&order=_id&lang=${lang}&offset=${offset}&${TEST_REQUEST}=${Math.random()}`;
        const response = await this.service.fetch(url, { headers: { 'X-SERVICE-API-KEY': this.#key } });
        const list = (await response.json()) as { total: number; data: WireContent[] };
        total = list.total;
        found.push(list.data.map(({ _updated_at, _status, ...shown }) => shown));
      }
    }
    return JSON.stringify(found);
  }

  #recordCall(call: string, behaviour: HookBehaviour): void {
    if (call !== 'POST /hooks/secret') this.unexpectedCalls.push(call);
    if (this.changes <= this.#deployedChanges) {
      this.unexpectedCalls.push(
        `call ${this.calls} at ${this.changes} changes, ${this.#deployedChanges} deployed`,
      );
    }
    this.calls += 1;
    if (behaviour === 'ok' || behaviour === 'response lost') this.#deployedContent = this.#content;
  }
}
