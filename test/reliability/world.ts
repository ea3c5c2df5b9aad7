import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from 'unstorage';
import type { WireContent } from '../../src/contract/content.ts';
import { createEmulator, type Emulator } from '../../src/emulator/index.ts';
import { openStorage } from '../../src/replica/store/storage.ts';
import { filesIn } from '../support/folder-files.ts';
import { WaitingClock } from './clock.ts';
import {
  COLLECTIONS,
  type Collection,
  type Line,
  loadAll,
  MODELS,
  MutableDataStore,
  spaceOf,
} from './loading.ts';
import type { Arrival, FaultyProxy, Guest } from './proxy.ts';
import { Traffic } from './traffic.ts';

const AUTHORS = 20;
const ARTICLES = 106;
const HOUR = 3_600_000;

/** What entries of a collection show, by id. */
export type Entries = ReadonlyMap<string, Record<string, unknown>>;
export type Content = Readonly<Record<Collection, Entries>>;

/** All that a load may change. */
export interface Shot {
  /** Astro's store with its meta, to the letter. */
  readonly store: string;
  readonly entries: Content;
  /** The files of the cache. */
  readonly cache: ReadonlyMap<string, string>;
}

/** A load, and all that is known of it. */
export interface Load {
  readonly error: unknown;
  readonly before: Shot;
  readonly after: Shot;
  /** What the service said when it began. */
  readonly truth: Content;
  /** Items that were gone when it began. */
  readonly gone: ReadonlySet<number>;
  /** Every state that any item had until then. */
  readonly history: ReadonlySet<string>;
  readonly arrivals: readonly Arrival[];
  /** The most requests at once, and how many of them were allowed. */
  readonly atOnce: { readonly most: number; readonly allowed: number };
  readonly lines: readonly Line[];
  readonly key: string;
  /** Milliseconds, until its last request was over. */
  readonly took: number;
}

export interface WorldOptions {
  readonly concurrency?: number;
  readonly retries?: number;
  readonly onError?: 'fail' | 'stale';
  /** When it begins. */
  readonly start?: number;
  /** Another storage around the folder. */
  readonly storage?: (folder: Storage) => Storage;
}

let worlds = 0;

const { schema } = spaceOf({});
const SCHEMAS = {
  article: schema('article', { depth: COLLECTIONS.article }),
  author: schema('author', { depth: COLLECTIONS.author }),
};

/** A service, a site that loads it through the proxy, and the time of both. */
export class World {
  readonly key = `a-secret-key-${++worlds}`;
  readonly dir = mkdtempSync(join(tmpdir(), 'astro-luid-reliability-'));
  readonly traffic = new Traffic();
  readonly clock: WaitingClock;
  readonly service: Emulator;
  readonly guest: Guest;
  readonly history = new Set<string>();
  readonly gone = new Set<number>();
  /** Milliseconds that the service's clock is ahead of the right time, and the clock here. */
  ahead = 0;
  skew = 0;
  onError: 'fail' | 'stale';
  readonly concurrency: number;
  readonly #proxy: FaultyProxy;
  readonly #options: WorldOptions;
  #days = 0;
  #store = new MutableDataStore();
  #truth: Promise<Content> | undefined;
  /** How loads left the stores. */
  readonly #shots = new WeakMap<MutableDataStore, Shot>();

  constructor(proxy: FaultyProxy, options: WorldOptions = {}) {
    this.#proxy = proxy;
    this.#options = options;
    this.clock = new WaitingClock(this.traffic, options.start ?? Date.UTC(2027, 0, 1));
    this.onError = options.onError ?? 'fail';
    this.concurrency = options.concurrency ?? 16;
    this.service = createEmulator(seed(this.key), {
      clock: () => this.clock.now() + this.ahead,
      // Else a restored item that is balanced by one that went is seen by a whole read only.
      assumptions: { restoreTouchesUpdatedAt: true },
    });
    this.guest = { service: this.service, clock: this.clock, traffic: this.traffic, arrivals: [] };
    proxy.admit(this.key, this.guest);
  }

  get baseUrl(): string {
    return this.#proxy.baseUrl;
  }

  space() {
    const { concurrency, onError } = this;
    const { retries, storage } = this.#options;
    return spaceOf({
      baseUrl: this.baseUrl,
      apiKey: this.key,
      onError,
      network: { concurrency, retries },
      fetch: this.traffic.fetch,
      clock: { now: () => this.clock.now() + this.skew, sleep: this.clock.sleep },
      ...(storage && { cache: { storage: storage(openStorage({}, join(this.dir, 'astro-luid'))) } }),
    });
  }

  /** A load as the next build makes it: with nothing but the store and the cache of the last. */
  load(): Promise<Load> {
    return this.watch(this.#store, (say) => {
      const work = loadAll(this.space(), this.#store, this.dir, say);
      return this.clock.run(work, HOUR);
    });
  }

  /** Tells all of a load into a store, wherever it is made. */
  async watch(store: MutableDataStore, work: (say: (line: Line) => void) => Promise<unknown>): Promise<Load> {
    const truth = await this.truth();
    const before = { ...(this.#shots.get(store) ?? shotOf(store, this.dir)), cache: cacheIn(this.dir) };
    const lines: Line[] = [];
    this.guest.arrivals.length = 0;
    this.traffic.most = 0;
    const start = this.clock.now();
    const error = await work((line) => lines.push(line)).then(
      () => undefined,
      (reason: unknown) => reason ?? new Error('nothing was said'),
    );
    const after = shotOf(store, this.dir);
    this.#shots.set(store, after);
    return {
      error,
      before,
      after,
      truth,
      gone: new Set(this.gone),
      history: this.history,
      arrivals: [...this.guest.arrivals],
      atOnce: { most: this.traffic.most, allowed: this.concurrency },
      lines,
      key: this.key,
      took: this.clock.now() - start,
    };
  }

  /** What the cache alone gives, to a site that has nothing else; nothing if it gives nothing. */
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
   * What an editor does in a day, each time to other items: an author that many articles show is renamed, an
   * article changes its author, and one comes. Every other day an author and an article go that others refer
   * to, which a count betrays; what is only edited shows among the newest items alone.
   */
  change(): void {
    const n = this.#days++ % 8;
    const leaving = n % 2 === 0 ? [3 + 2 * n, 110 + 3 * n] : [];
    this.clock.advance(5_000);
    this.edit((contents) => {
      contents.edit(2 + 2 * n, { name: `renamed ${n}` });
      contents.edit(150 + n, { title: `edited ${n}`, author: 20 - n });
      contents.create({ model: 'article', published: { ja: { title: `new ${n}`, author: 2 + 2 * n } } });
      for (const id of leaving) contents.archive(id);
    });
    for (const id of leaving) this.gone.add(id);
  }

  /** Something an editor does. */
  edit(work: (contents: Emulator['contents']) => void): void {
    work(this.service.contents);
    this.#truth = undefined;
  }

  /** What the service itself says, resolved by itself, past any cache. */
  truth(): Promise<Content> {
    this.#truth ??= this.#ask();
    return this.#truth;
  }

  async #ask(): Promise<Content> {
    const content = {} as Record<Collection, Entries>;
    for (const collection of Object.keys(COLLECTIONS) as Collection[]) {
      const items = await this.#all(`model=${collection}&depth=${COLLECTIONS[collection]}`);
      content[collection] = new Map(
        items.map((item) => [String(item._id), SCHEMAS[collection].parse(item) as Record<string, unknown>]),
      );
    }
    // All models are collections, so what others embed is among them.
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

  /** A machine that has neither store nor cache. */
  forget(): void {
    this.#store = new MutableDataStore();
    this.remove();
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

function shotOf(store: MutableDataStore, dir: string): Shot {
  return { store: store.toString(), entries: contentOf(store), cache: cacheIn(dir) };
}

function cacheIn(dir: string): Map<string, string> {
  return new Map(filesIn(dir).map((file) => [file.slice(dir.length), readFileSync(file, 'latin1')]));
}

function contentOf(store: MutableDataStore): Content {
  const entries = (collection: Collection): Entries =>
    new Map(store.values(collection).map(({ id, data }) => [id, data as Record<string, unknown>]));
  return { article: entries('article'), author: entries('author') };
}

/** Every content object in entries, those that others embed too. */
export function contentsIn(content: Content): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('_id' in value) found.push(value as Record<string, unknown>);
    for (const inner of Object.values(value)) look(inner);
  };
  for (const entries of Object.values(content)) for (const data of entries.values()) look(data);
  return found;
}

const states = new WeakMap<object, string>();

/** An item by itself, references as ids: equal for equal states. */
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

/** Articles on more than one page, authors that many of them share, and references in circles. */
function seed(key: string) {
  const at = (index: number) => new Date(START + index * 1000).toISOString();
  return {
    languages: { main: 'ja' },
    keys: [key, 'truth'].map((name) => ({ key: name, reads: 'published' })),
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
