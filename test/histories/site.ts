import type { Emulator } from '../../src/emulator/index.ts';
import { defineSpace } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { AstroStore } from './astro-store.ts';
import type { CollectionOptions, View } from './expected-entries.ts';
import { type MapChoice, mapOf } from './models.ts';
import { LANGUAGES } from './seed.ts';
import type { Build, Setup, SiteChoice, Toggle } from './steps.ts';
import type { CacheStorage } from './storage.ts';

/** A collection of a site, and the options of its loader. */
export interface Collection extends CollectionOptions {
  readonly name: string;
}

/** One process: it builds, and what it does after its end has no effect. */
export interface Process {
  readonly fetch: typeof fetch;
  readonly clock: { now(): number; sleep(milliseconds: number): Promise<void> };
  readonly storage: CacheStorage;
  end(): void;
}

export interface BuildResult {
  /** The first error, where a collection could not be loaded. */
  readonly error: unknown;
  readonly log: readonly string[];
  /** Collections that could not be loaded, and are not as they were before. */
  readonly touched: readonly string[];
}

/** A site that is built again and again: its settings, and Astro's own store. */
export class Site {
  readonly choice: SiteChoice;
  #map: MapChoice;
  store = new AstroStore();
  readonly #setup: Setup;

  constructor(choice: SiteChoice, setup: Setup) {
    this.choice = choice;
    this.#map = choice.map;
    this.#setup = setup;
  }

  /** Declares what was not declared, or the other way round. Returns what the map says now. */
  toggle(key: Toggle): MapChoice[Toggle] {
    const value = this.#map[key];
    const next = typeof value === 'boolean' ? !value : value === 'html' ? 'portable_html' : 'html';
    this.#map = { ...this.#map, [key]: next };
    return next;
  }

  get map(): MapChoice {
    return this.#map;
  }

  get models(): ModelMap {
    return mapOf(this.#map);
  }

  get view(): View {
    const { drafts, space } = this.choice;
    const hasSpaces = this.#setup.start.subSpaces;
    const restricted = hasSpaces && space === 'shop-only key' && !drafts;
    return {
      apiKey: drafts ? 'drafts' : restricted ? 'shop-only' : 'published',
      space: hasSpaces && (space === '_parent' || space === 'shop') ? space : undefined,
      map: this.models,
    };
  }

  /** Each model in the main language, and each in the site's languages. */
  collections(languages: boolean): Collection[] {
    const { depth, langs, fallback } = this.choice;
    const plain = { depth: Math.min(depth, 1), fallback: false };
    return Object.keys(this.models).flatMap((model) => [
      { name: model, model, ...plain },
      ...(languages ? [{ name: `${model}-languages`, model, depth, fallback, ...langs }] : []),
    ]);
  }

  /** Loads all collections at once, as Astro does in a new process. */
  async build(
    service: Emulator,
    { languages, verify, retries, concurrency = this.#setup.concurrency }: Build,
    process: Process,
  ): Promise<BuildResult> {
    const log: string[] = [];
    forgetProcess();
    const { storage, end } = process.storage.open();
    const { apiKey, space, map } = this.view;
    const defined = defineSpace({
      baseUrl: service.baseUrl,
      apiKey,
      draftApiKey: 'drafts',
      space,
      languages: LANGUAGES,
      models: map,
      cache: { storage },
      network: {
        concurrency,
        requestsPerMinute: Number.POSITIVE_INFINITY,
        timeout: Number.POSITIVE_INFINITY,
        retries,
      },
      ...(verify && { verify: 'always' as const }),
      ...(this.#map.required.length > 0 && { onInvalid: 'skip' }),
      fetch: process.fetch,
      // Time is the service's, so that nothing waits.
      clock: process.clock,
    } as never);

    const collections = this.collections(languages);
    const before = new Map(collections.map(({ name }) => [name, signature(this.store, name)]));
    const results = await Promise.allSettled(
      collections.map(({ name, model, depth, lang, langs, fallback }) => {
        const language = { ...(lang && { lang }), ...(langs && { langs }), ...(fallback && { fallback }) };
        const options = { depth, ...language, drafts: this.choice.drafts };
        return defined
          .loader(model as never, options as never)
          .load(this.store.context(name, (line) => log.push(line)));
      }),
    );
    process.end();
    end();
    const failed = collections.filter((_, index) => results[index]?.status === 'rejected');
    return {
      error: results.find((result) => result.status === 'rejected')?.reason,
      log,
      touched: failed
        .map(({ name }) => name)
        .filter((name) => before.get(name) !== signature(this.store, name)),
    };
  }
}

/** Equal if the store has the same entries. */
function signature(store: AstroStore, collection: string): string {
  return [...store.entries(collection).values()].map(({ id, digest }) => `${id} ${digest}`).join('\n');
}

/** A new process shares nothing with the last one: what the package keeps per process is dropped. */
function forgetProcess(): void {
  const shared = globalThis as unknown as Record<symbol, unknown>;
  for (const name of Object.getOwnPropertySymbols(shared)) {
    if (name.description?.startsWith('astro-luid:')) delete shared[name];
  }
}
