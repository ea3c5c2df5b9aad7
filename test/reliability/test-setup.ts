import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Storage } from 'unstorage';
import type { WireContent } from '../../src/contract/content.ts';
import { createEmulator, type Emulator } from '../../src/emulator/index.ts';
import { openStorage } from '../../src/replica/store/storage.ts';
import { filesIn } from '../support/folder-files.ts';
import type { FaultyProxy, ProxyClient, ReceivedRequest } from './faulty-proxy.ts';
import {
  COLLECTIONS,
  type Collection,
  createSpace,
  type Line,
  loadAll,
  MODELS,
  MutableDataStore,
} from './load-collections.ts';
import { RequestTracker } from './request-tracker.ts';
import { WaitingClock } from './waiting-clock.ts';

const AUTHORS = 20;
const ARTICLES = 106;
const HOUR = 3_600_000;

/** The data of the entries of a collection, by id. */
export type Entries = ReadonlyMap<string, Record<string, unknown>>;
export type Content = Readonly<Record<Collection, Entries>>;

/** Everything that a load may change. */
export interface Snapshot {
  /** Astro's store with its meta, serialised. */
  readonly store: string;
  readonly entries: Content;
  /** The files of the cache. */
  readonly cache: ReadonlyMap<string, string>;
}

/** A load and its results. */
export interface Load {
  readonly error: unknown;
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** The content of the service when it started. */
  readonly serviceContent: Content;
  /** Items that were removed before it started. */
  readonly removedIds: ReadonlySet<number>;
  /** Every state that an item had until then. */
  readonly history: ReadonlySet<string>;
  readonly requests: readonly ReceivedRequest[];
  /** The largest number of requests in parallel, and the limit. */
  readonly concurrent: { readonly most: number; readonly allowed: number };
  readonly lines: readonly Line[];
  readonly key: string;
  /** Milliseconds until its last request ended. */
  readonly duration: number;
}

export interface SetupOptions {
  readonly concurrency?: number;
  readonly retries?: number;
  readonly onError?: 'fail' | 'stale';
  /** The time at the start. */
  readonly start?: number;
  /** Wraps the storage of the cache. */
  readonly storage?: (folder: Storage) => Storage;
}

let setups = 0;

const { schema } = createSpace({});
const SCHEMAS = {
  article: schema('article', { depth: COLLECTIONS.article }),
  author: schema('author', { depth: COLLECTIONS.author }),
};

/** A service, a site that loads it through the proxy, and the clock of both. */
export class TestSetup {
  readonly key = `a-secret-key-${++setups}`;
  readonly draftKey = `${this.key}-of-drafts`;
  readonly dir = mkdtempSync(join(tmpdir(), 'astro-luid-reliability-'));
  readonly tracker = new RequestTracker();
  readonly clock: WaitingClock;
  readonly service: Emulator;
  readonly proxyClient: ProxyClient;
  readonly history = new Set<string>();
  readonly removedIds = new Set<number>();
  /** Milliseconds that the clocks of the service and of the site are ahead. */
  serviceClockOffset = 0;
  localClockOffset = 0;
  onError: 'fail' | 'stale';
  readonly concurrency: number;
  readonly #proxy: FaultyProxy;
  readonly #options: SetupOptions;
  #days = 0;
  #store = new MutableDataStore();
  #serviceContent: Promise<Content> | undefined;
  /** The stores after their last loads. */
  readonly #snapshots = new WeakMap<MutableDataStore, Snapshot>();

  constructor(proxy: FaultyProxy, options: SetupOptions = {}) {
    this.#proxy = proxy;
    this.#options = options;
    this.clock = new WaitingClock(this.tracker, options.start ?? Date.UTC(2027, 0, 1));
    this.onError = options.onError ?? 'fail';
    this.concurrency = options.concurrency ?? 16;
    this.service = createEmulator(seed([this.key, 'truth'], this.draftKey), {
      clock: () => this.clock.now() + this.serviceClockOffset,
      // Otherwise a restored item that is balanced by a deleted one is found by a full sync only.
      assumptions: { restoreTouchesUpdatedAt: true },
    });
    this.proxyClient = { service: this.service, clock: this.clock, tracker: this.tracker, requests: [] };
    for (const key of [this.key, this.draftKey]) proxy.addClient(key, this.proxyClient);
  }

  get baseUrl(): string {
    return this.#proxy.baseUrl;
  }

  space() {
    const { concurrency, onError } = this;
    const { retries, storage } = this.#options;
    return createSpace({
      baseUrl: this.baseUrl,
      apiKey: this.key,
      draftApiKey: this.draftKey,
      onError,
      network: { concurrency, retries },
      fetch: this.tracker.fetch,
      clock: { now: () => this.clock.now() + this.localClockOffset, sleep: this.clock.sleep },
      ...(storage && { cache: { storage: storage(openStorage({}, join(this.dir, 'astro-luid'))) } }),
    });
  }

  /** Loads like the next build, which has the store and the cache of the last one. */
  load(): Promise<Load> {
    return this.record(this.#store, (log) => {
      const work = loadAll(this.space(), this.#store, this.dir, log);
      return this.clock.run(work, HOUR);
    });
  }

  /** Records everything about a load into a store. */
  async record(
    store: MutableDataStore,
    work: (log: (line: Line) => void) => Promise<unknown>,
  ): Promise<Load> {
    const serviceContent = await this.serviceContent();
    await writesEnd(this.dir);
    const before = {
      ...(this.#snapshots.get(store) ?? takeSnapshot(store, this.dir)),
      cache: cacheIn(this.dir),
    };
    const lines: Line[] = [];
    this.proxyClient.requests.length = 0;
    this.tracker.most = 0;
    const start = this.clock.now();
    const error = await work((line) => lines.push(line)).then(
      () => undefined,
      (reason: unknown) => reason ?? new Error('rejected without a reason'),
    );
    await writesEnd(this.dir);
    const after = takeSnapshot(store, this.dir);
    this.#snapshots.set(store, after);
    return {
      error,
      before,
      after,
      serviceContent,
      removedIds: new Set(this.removedIds),
      history: this.history,
      requests: [...this.proxyClient.requests],
      concurrent: { most: this.tracker.most, allowed: this.concurrency },
      lines,
      key: this.key,
      duration: this.clock.now() - start,
    };
  }

  /** The content of the cache alone; `undefined` if there is none. */
  async cached(): Promise<Content | undefined> {
    const store = new MutableDataStore();
    process.env.LUID_OFFLINE = '1';
    try {
      await loadAll(this.space(), store, this.dir, () => {});
      return contentOf(store);
    } catch (error) {
      if (String(error).includes('the cache does not contain all models')) return undefined;
      throw error;
    } finally {
      delete process.env.LUID_OFFLINE;
    }
  }

  /**
   * Edits of one day, each time of other items: an author of many articles is renamed, an article changes its
   * author, and one is created. Every other day an author and an article that others refer to are removed, which
   * changes the total; other days change the newest items only.
   */
  makeEdits(): void {
    const n = this.#days++ % 8;
    const removed = n % 2 === 0 ? [3 + 2 * n, 110 + 3 * n] : [];
    this.clock.advance(5_000);
    this.edit((contents) => {
      contents.edit(2 + 2 * n, { name: `renamed ${n}` });
      contents.edit(150 + n, { title: `edited ${n}`, author: 20 - n });
      contents.create({ model: 'article', published: { ja: { title: `new ${n}`, author: 2 + 2 * n } } });
      for (const id of removed) contents.archive(id);
    });
    for (const id of removed) this.removedIds.add(id);
  }

  edit(work: (contents: Emulator['contents']) => void): void {
    work(this.service.contents);
    this.#serviceContent = undefined;
  }

  /** The content as the service resolves it, bypassing every cache. */
  serviceContent(): Promise<Content> {
    this.#serviceContent ??= this.#fetchContent();
    return this.#serviceContent;
  }

  async #fetchContent(): Promise<Content> {
    const content = {} as Record<Collection, Entries>;
    for (const collection of Object.keys(COLLECTIONS) as Collection[]) {
      const items = await this.#all(`model=${collection}&depth=${COLLECTIONS[collection]}`);
      content[collection] = new Map(
        items.map((item) => [String(item._id), SCHEMAS[collection].parse(item) as Record<string, unknown>]),
      );
    }
    // All models are collections, so embedded items are among them.
    for (const entries of Object.values(content)) {
      for (const item of entries.values()) this.history.add(stateOf(item));
    }
    return content;
  }

  async #all(query: string): Promise<WireContent[]> {
    const items: WireContent[] = [];
    for (let offset = 0; ; offset += 100) {
      const url = `${this.service.baseUrl}/contents?${query}&order=_id&offset=${offset}`;
      const response = await this.service.fetch(url, { headers: { 'X-SERVICE-API-KEY': 'truth' } });
      const { data, total } = (await response.json()) as { data: WireContent[]; total: number };
      items.push(...data);
      if (offset + 100 >= total) return items;
    }
  }

  /** Makes the next load start without store and cache. */
  clearStoreAndCache(): void {
    this.#store = new MutableDataStore();
    this.remove();
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

const isPartial = (file: string) => file.endsWith('.partial');

/**
 * A load that failed, or could not write, may leave other writes under way, which end by themselves. Those of a process
 * that was killed stay.
 */
async function writesEnd(dir: string): Promise<void> {
  const latest = Date.now() + 2_000;
  while (filesIn(dir).some(isPartial) && Date.now() < latest) await setTimeout(5);
}

function takeSnapshot(store: MutableDataStore, dir: string): Snapshot {
  return { store: store.toString(), entries: contentOf(store), cache: cacheIn(dir) };
}

function cacheIn(dir: string): Map<string, string> {
  const files = filesIn(dir).filter((file) => !isPartial(file));
  return new Map(files.map((file) => [file.slice(dir.length), readFileSync(file, 'latin1')]));
}

function contentOf(store: MutableDataStore): Content {
  const entries = (collection: Collection): Entries =>
    new Map(store.values(collection).map(({ id, data }) => [id, data as Record<string, unknown>]));
  return { article: entries('article'), author: entries('author') };
}

/** Every content object in entries, embedded ones included. */
export function contentsIn(content: Content): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('_id' in value) found.push(value as Record<string, unknown>);
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const entries of Object.values(content)) for (const data of entries.values()) visit(data);
  return found;
}

const states = new WeakMap<object, string>();

/** An item without embedded ones, references as ids: equal for equal states. */
export function stateOf(item: Record<string, unknown>): string {
  const known = states.get(item);
  if (known !== undefined) return known;
  const flat = Object.keys(item)
    .sort()
    .map((name) => [name, item[name]]);
  const state = JSON.stringify(flat, (_, value) => (value?._id === undefined ? value : value._id));
  states.set(item, state);
  return state;
}

const START = Date.UTC(2026, 0, 1);

/** Articles on more than one page, authors that many of them share, and circular references. */
function seed(keys: readonly string[], draftKey: string) {
  const at = (index: number) => new Date(START + index * 1000).toISOString();
  return {
    languages: { main: 'ja' },
    keys: [...keys.map((key) => ({ key, reads: 'published' })), { key: draftKey, reads: 'drafts' }],
    models: MODELS,
    contents: [
      ...Array.from({ length: AUTHORS }, (_, n) => ({
        id: 1 + n,
        model: 'author',
        created_at: at(n),
        published: { ja: { name: `author ${1 + n}`, mentor: 1 + ((n * 7) % AUTHORS) } },
      })),
      ...Array.from({ length: ARTICLES }, (_, n) => ({
        id: 101 + n,
        model: 'article',
        created_at: at(AUTHORS + n),
        published: {
          ja: {
            title: `article ${101 + n}`,
            author: 1 + (n % AUTHORS),
            related: n % 4 === 0 ? [{ article: 101 + ((n * 11) % ARTICLES) }] : [],
          },
        },
      })),
    ],
  };
}
