import { inspect } from 'node:util';
import type { LiveLoader } from 'astro/loaders';
import { vi } from 'vitest';
import type { LazyLiveSource } from '../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../src/astro/live/live-sources.ts';
import { COLLECTIONS, type Collection } from './load-collections.ts';
import type { Content, TestSetup } from './test-setup.ts';

type AnyLoader = LiveLoader<Record<string, unknown>, never, never, Error>;

const HOUR = 3_600_000;
const LISTS = [{ order: '-_updated_at', limit: 10 }, { order: '_id' }];

/** A page that a cache holds: what it shows, and its tags. */
export interface CachedPage {
  readonly shown: string;
  readonly tags: readonly string[];
}

/** What visitors of a server see. */
export interface Visit {
  readonly error: unknown;
  readonly content: Content;
  /** A page of each entry, and some lists. */
  readonly pages: ReadonlyMap<string, CachedPage>;
  /** Requests to the service that the pages waited for. */
  readonly requests: number;
}

/** A server that serves its pages from a replica, and previews from the service. It checks for changes when it is told to. */
export class LiveSite {
  readonly setup: TestSetup;
  /** Cache tags that were invalidated since the last call of `takeInvalidated`. */
  readonly #invalidated = new Set<string>();
  readonly #space: ReturnType<TestSetup['space']>;
  readonly #loaders: Readonly<Record<Collection, AnyLoader>>;
  readonly #sources: readonly LazyLiveSource[];
  readonly #spies = (['info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...values) => void this.output.push(values.join(' '))),
  );
  readonly output: string[] = [];

  constructor(setup: TestSetup) {
    this.setup = setup;
    this.#space = setup.space();
    const others = new Set(liveSources().all());
    const options = { refresh: '20d' } as const;
    this.#loaders = {
      article: this.#space.liveLoader('article', { ...options, depth: COLLECTIONS.article }),
      author: this.#space.liveLoader('author', { ...options, depth: COLLECTIONS.author }),
    } as unknown as Record<Collection, AnyLoader>;
    this.#sources = liveSources()
      .all()
      .filter((source) => !others.has(source)) as LazyLiveSource[];
    for (const source of this.#sources) {
      source.onChange(({ tags }) => {
        for (const tag of tags) this.#invalidated.add(tag);
      });
    }
  }

  /** Asks all pages for what they show. */
  async visit(): Promise<Visit> {
    const before = this.setup.proxyClient.requests.length;
    const content = {} as Record<Collection, Content[Collection]>;
    const pages = new Map<string, CachedPage>();
    let error: unknown;
    try {
      for (const collection of Object.keys(COLLECTIONS) as Collection[]) {
        const loader = this.#loaders[collection];
        for (const filter of LISTS) {
          const list = await this.#run(loader.loadCollection({ filter, collection } as never));
          if ('error' in list) throw list.error;
          const tags = [list, ...list.entries].flatMap(({ cacheHint }) => cacheHint?.tags ?? []);
          const shown = list.entries.map(({ id, data }) => [id, data] as const);
          pages.set(`${collection} ${JSON.stringify(filter)}`, { shown: JSON.stringify(shown), tags });
          content[collection] = new Map(shown);
        }
        for (const id of content[collection].keys()) {
          const entry = await this.#run(loader.loadEntry({ filter: { id }, collection } as never));
          if (!entry || 'error' in entry) throw entry?.error ?? new Error(`${collection} ${id} is missing`);
          pages.set(`${collection} ${id}`, {
            shown: JSON.stringify(entry.data),
            tags: entry.cacheHint?.tags ?? [],
          });
        }
      }
    } catch (reason) {
      error = reason;
    }
    return { error, content, pages, requests: this.setup.proxyClient.requests.length - before };
  }

  /** Checks for changes, as `/_luid/revalidate` does. The error of the check, if any. */
  async check(): Promise<unknown> {
    const results = await this.#run(Promise.allSettled(this.#sources.map((source) => source.refresh())));
    return results.find((result) => result.status === 'rejected')?.reason;
  }

  takeInvalidated(): ReadonlySet<string> {
    const tags = new Set(this.#invalidated);
    this.#invalidated.clear();
    return tags;
  }

  /** An article as its preview shows it, with references to a depth of 2, or the error. */
  async preview(id: string): Promise<{ data?: unknown; error?: unknown }> {
    const astro = { locals: { luid: { preview: true } }, params: { id } };
    return this.#run(this.#space.getPreviewEntry(astro as never, 'article', { depth: 2 })).then(
      (entry) => ({ data: entry?.data }),
      (error: unknown) => ({ error: error ?? new Error('rejected without a reason') }),
    );
  }

  /** Everything that was printed or thrown. */
  printed(...errors: unknown[]): string {
    return [...this.output, ...errors.map((error) => inspect(error, { depth: 20, showHidden: true }))].join(
      '\n',
    );
  }

  #run<T>(work: Promise<T>): Promise<T> {
    return this.setup.clock.run(work, HOUR);
  }

  close(): void {
    for (const source of this.#sources) source.close();
    for (const spy of this.#spies) spy.mockRestore();
  }
}
