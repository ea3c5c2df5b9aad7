import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStorage, type Storage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import type { Cache } from '../../src/cli/shared/cache.ts';
import { urlHook } from '../../src/cli/watch/hooks.ts';
import { watchedContent } from '../../src/cli/watch/watch-content.ts';
import { watchOn } from '../../src/cli/watch/watch-loop.ts';
import { openState } from '../../src/cli/watch/watch-state.ts';
import { type WatchEvent, Watcher } from '../../src/cli/watch/watcher.ts';
import { connection } from '../../src/client/http/connection.ts';
import type { WireContent } from '../../src/contract/content.ts';
import { type Assumptions, createEmulator, type Emulator } from '../../src/emulator/index.ts';
import type { CopiedSpace } from '../../src/space/replica-options.ts';
import { MODELS, seedOf } from '../support/emulated-space.ts';
import { type Crash, createLife, type Life } from './life.ts';

const EVERY = 30_000;
const SETTLE = 20_000;
export const MAX_AGE = 24 * 3600 * 1000;

/** What the server of the hook does with a call. It takes it if it is `ok`, and if it is `mute` without a word. */
export type HookMood = 'ok' | 'error' | 'gone' | 'moved' | 'deaf' | 'mute';

/** What happens while the watcher sleeps once. */
export interface Nap {
  readonly edits: readonly (() => void)[];
  /** These happen one before each read that reaches the service, until the next nap; none where there is none. */
  readonly meanwhile: readonly ((() => void) | undefined)[];
  readonly outage: 'none' | 'refused' | 'errors' | 'half';
  readonly hook: HookMood;
  /** The process ends so many uses of the network or the storage later, before that use or right after it. */
  readonly crash: Crash | undefined;
}

const CALM: Nap = { edits: [], meanwhile: [], outage: 'none', hook: 'ok', crash: undefined };

export interface WorldOptions {
  readonly items: number;
  readonly concurrency?: number;
  readonly drafts?: boolean;
  readonly fireFirst?: boolean;
  /** Whether two places of the CDN's answer in turns, or one has the heads and the other all else. */
  readonly cdn?: 'turns' | 'apart';
  readonly assumptions?: Partial<Assumptions>;
}

class TestFailure extends Error {}

/** Marks requests that are not the watcher's; the service does not know it. */
const TRUTH = 'truth';
const START = Date.UTC(2027, 0, 1);
const TEN_MINUTES = 600_000;
let worlds = 0;

/**
 * A service whose clock moves only while the watcher sleeps, a server for its hook, and a watcher that may
 * be killed at any moment and started again. It notes every change of the content and every call.
 */
export class World {
  readonly service: Emulator;
  readonly events: WatchEvent['event'][] = [];
  readonly failures: string[] = [];
  /** How many calls reached the hook. */
  calls = 0;
  /** Calls of which nothing tells why. */
  readonly baseless: string[] = [];
  readonly #options: WorldOptions;
  readonly #key: string;
  readonly #storage = createStorage({ driver: memory() });
  readonly #server: Server;
  #hookUrl = '';
  #readFromService = '';
  #called = '';
  #nap: Nap = CALM;
  /** How many changes there were when the content was read that is known to be deployed, and read last. */
  #deployed = 0;
  #read = 0;
  /** When the changes were. */
  readonly #times: number[] = [];
  #killed = 0;
  #requests = 0;
  #editing: Promise<void> = Promise.resolve();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#key = options.drafts ? 'drafts' : 'published';
    this.service = createEmulator(seedOf(options.items), {
      origin: `http://watched-${process.pid}-${++worlds}.test`,
      rateLimit: false,
      assumptions: options.assumptions,
    });
    this.service.clock.set(START);
    this.#server = createServer((request, response) => {
      const mood = this.#nap.hook;
      if (mood === 'deaf') return request.socket.destroy();
      this.#note(`${request.method} ${request.url}`, mood);
      if (mood === 'mute') return request.socket.destroy();
      const status = { ok: 200, error: 500, gone: 404, moved: 302 }[mood];
      return response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('{}');
    });
  }

  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.#hookUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/secret`;
    this.#readFromService = await this.#content();
    this.#called = this.#readFromService;
  }

  /** Whether the content is what it was when the hook took a call last, or at the start. */
  get isDeployed(): boolean {
    return this.#readFromService === this.#called;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  /** How often the content has become another one. */
  get changes(): number {
    return this.#times.length;
  }

  /** How many changes the CDN cannot hide any more. */
  #visible(): number {
    const purged = this.service.clock.now() - this.service.assumptions.purgeDelay;
    return this.#times.filter((time) => time <= purged).length;
  }

  /** How long the world has lived. */
  get hours(): number {
    return (this.service.clock.now() - START) / 3_600_000;
  }

  get killed(): number {
    return this.#killed;
  }

  /**
   * Starts a watcher, and after each kill the next, through all the naps; then lets time pass in calm, for
   * ten minutes, and for as long as a change waits for its call, but at most so many milliseconds.
   */
  async live(naps: readonly Nap[], calm: number): Promise<void> {
    const { clock } = this.service;
    const left = [...naps];
    let since = Number.POSITIVE_INFINITY;
    const isOver = () => clock.now() - since >= (this.isDeployed ? TEN_MINUTES : calm);
    const next = (): Nap | undefined => {
      const nap = left.shift();
      if (nap) return nap;
      since = Math.min(since, clock.now());
      return isOver() ? undefined : CALM;
    };
    while (!isOver()) {
      await this.#oneLife(next);
      // Until it is started again, time passes, too.
      const nap = left.shift();
      if (nap) await this.#sleepThrough(nap, EVERY);
    }
  }

  async #oneLife(next: () => Nap | undefined): Promise<void> {
    const stop = new AbortController();
    const killed = new Promise<void>((resolve, reject) => {
      stop.signal.addEventListener('abort', () => {
        if (stop.signal.reason instanceof TestFailure) reject(stop.signal.reason);
        else resolve();
      });
    });
    const life = createLife(() => {
      this.#killed += 1;
      stop.abort();
    });
    const sleep = async (milliseconds: number) => {
      await life.use(async () => {});
      const nap = next();
      if (!nap) return stop.abort();
      this.#nap = nap;
      // The watcher would take it for the end of its sleep.
      await this.#sleepThrough(nap, milliseconds).catch((cause) =>
        stop.abort(new TestFailure('', { cause })),
      );
      life.killAt(nap.crash);
    };
    const watching = this.#watch(life, sleep, stop.signal);
    await Promise.race([watching, killed]);
  }

  async #watch(
    life: Life,
    sleep: (milliseconds: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { service } = this;
    const clock = { now: () => service.clock.now(), sleep };
    const space = this.#space(life);
    const cache = this.#cache(life);
    const hook = urlHook(this.#hookUrl, undefined, (url, init) => life.use(() => fetch(url, init)));
    const { read, ...content } = await watchedContent(space, {
      cache,
      drafts: this.#options.drafts === true,
      warn: () => {},
    });
    const watcher = new Watcher({
      ...content,
      read: (audit) => {
        const before = this.#visible();
        return read(audit).then((digest) => {
          this.#read = before;
          return digest;
        });
      },
      fire: hook.fire,
      state: openState(cache.storage, {
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
      tell: ({ event }) => this.events.push(event),
    });
    await watchOn(watcher, {
      every: EVERY,
      clock,
      signal,
      onFailure: (error) => this.failures.push(String(error)),
      onRecovery: () => {},
    });
  }

  #space(life: Life): CopiedSpace {
    const found = connection({
      baseUrl: this.service.baseUrl,
      apiKey: this.#key,
      // The limits of a key outlive a process here: what died must not wait in them.
      fetch: (url, init) => Promise.race([life.use(() => this.#answer(url as string, init)), life.death]),
      clock: { now: () => this.service.clock.now(), sleep: () => new Promise(() => {}) },
      network: {
        requestsPerMinute: Number.POSITIVE_INFINITY,
        retries: 0,
        concurrency: this.#options.concurrency,
      },
    });
    return {
      models: MODELS,
      settings: { languages: { main: 'ja', sub: ['en'] } },
      connect: () => async () => found,
    };
  }

  /** The service in its present mood. */
  async #answer(url: string, init: RequestInit | undefined): Promise<Response> {
    const { outage } = this.#nap;
    this.#requests += 1;
    if (outage === 'refused') throw new TypeError('fetch failed');
    const isOut = outage === 'errors' || (outage === 'half' && Math.floor(this.#requests / 3) % 2 === 0);
    if (isOut) return Response.json({ status: '500', code: 'Internal Server Error' }, { status: 500 });
    // Two places of the CDN's answer, of which a purge may reach `b` later than the one that has the heads.
    const pop =
      this.#options.cdn === 'apart' ? /order=-/.test(url) : Math.floor(this.#requests / 2) % 2 === 0;
    return this.service.fetch(url, { ...init, headers: { ...init?.headers, 'x-luid-pop': pop ? 'a' : 'b' } });
  }

  #cache(life: Life): Cache {
    const inner = this.#storage;
    const storage = Object.assign(Object.create(inner) as Storage, {
      getKeys: (base?: string) => life.use(() => inner.getKeys(base)),
      getItemRaw: (key: string) => life.use(() => inner.getItemRaw(key)),
      setItemRaw: (key: string, value: string) =>
        life.use(async () => {
          await inner.setItemRaw(key, value);
          if (key.startsWith('watch-') && value.startsWith('v1 deployed')) this.#deployed = this.#read;
        }),
    });
    return { storage, check: () => {}, close: async () => {} };
  }

  /** Edits are spread over the time, the first at its beginning. */
  async #sleepThrough({ edits, meanwhile }: Nap, milliseconds: number): Promise<void> {
    const { clock } = this.service;
    const end = clock.now() + milliseconds;
    for (const edit of edits) {
      await this.edit(edit);
      clock.advance(Math.floor(milliseconds / (edits.length + 1)));
    }
    clock.set(end);
    const waiting = [...meanwhile];
    this.service.beforeRequest = ({ url }) => {
      const edit = url.includes(TRUTH) ? undefined : waiting.shift();
      return edit && this.edit(edit);
    };
  }

  /** Does something to the content and notes whether a site could tell: one after the other. */
  edit(work: () => void): Promise<void> {
    this.#editing = this.#editing.then(async () => {
      try {
        work();
      } catch (error) {
        // What cannot be done to this item (nothing to publish, no draft to discard) is no edit.
        if (!(error instanceof Error) || !error.name.startsWith('Luid')) throw error;
      }
      const now = await this.#content();
      if (now !== this.#readFromService) this.#times.push(this.service.clock.now());
      this.#readFromService = now;
    });
    return this.#editing;
  }

  /** All that the key shows, but for `_updated_at` and `_status`, as the service itself tells it. */
  async #content(): Promise<string> {
    const found: unknown[] = [];
    for (const lang of ['ja', 'en']) {
      for (let offset = 0, total = 1; offset < total; offset += 100) {
        const url = `${this.service.baseUrl}/contents?depth=0&order=_id&lang=${lang}&offset=${offset}&${TRUTH}=${Math.random()}`;
        const response = await this.service.fetch(url, { headers: { 'X-SERVICE-API-KEY': this.#key } });
        const list = (await response.json()) as { total: number; data: WireContent[] };
        total = list.total;
        found.push(list.data.map(({ _updated_at, _status, ...shown }) => shown));
      }
    }
    return JSON.stringify(found);
  }

  #note(call: string, mood: HookMood): void {
    if (call !== 'POST /hooks/secret') this.baseless.push(call);
    if (this.changes <= this.#deployed) {
      this.baseless.push(`call ${this.calls} at ${this.changes} changes, ${this.#deployed} deployed`);
    }
    this.calls += 1;
    if (mood === 'ok' || mood === 'mute') this.#called = this.#readFromService;
  }
}
