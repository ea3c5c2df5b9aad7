import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import { afterAll } from 'vitest';
// Astro's own store, so that what it keeps is what a build would see. Astro does not export it.
import { MutableDataStore } from '../../node_modules/astro/dist/content/mutable-data-store.js';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/index.ts';
import { defineSpace, field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';

/** Every place in which a reference can be, with and without the names of its models. */
export const MODELS = {
  author: { name: field.text({ title: true }) },
  article: {
    title: field.text({ title: true }),
    author: field.reference('author'),
    editor: field.reference(),
    credits: field.repeat({ by: field.reference() }),
    blocks: field.combination({ credit: { by: field.reference() } }),
    seo: field.fieldSet({ by: field.reference() }),
    thanks: field.repeat({ to: field.reference('author') }),
  },
  note: { title: field.text({ title: true }) },
} satisfies ModelMap;

const START = Date.UTC(2026, 0, 1);
const SECOND = 1000;

export interface Content {
  readonly id: number;
  readonly model: string;
  readonly [property: string]: unknown;
}

/** The values of published content in the main language: `published('author', 1, { name: 'A' })`. */
export function published(model: string, id: number, ja: object, others: object = {}): Content {
  return { id, model, published: { ja, ...others } };
}

/**
 * Notes in both languages: with them a space is larger than one round of requests at the `concurrency` of
 * `openSite`, and whatever comes before them is not among the newest 100.
 */
export function notes(count: number, from = 1001): Content[] {
  return Array.from({ length: count }, (_, n) =>
    published('note', from + n, { title: `メモ ${n}` }, { en: { title: `note ${n}` } }),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'astro-luid-site-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let sites = 0;
let services = 0;

/** Of the seed, besides content. */
interface SeedOptions {
  readonly models?: ModelMap;
  readonly media?: readonly object[];
  readonly spaces?: readonly string[];
}

/** A service in this process with the clock standing an hour after the last content was created. */
export function serve(
  contents: readonly Content[],
  { models = MODELS, media = [], spaces, ...options }: EmulatorOptions & SeedOptions = {},
): Emulator {
  const created = (n: number) => new Date(START + n * SECOND).toISOString();
  const seed = {
    languages: { main: 'ja', sub: ['en', 'fr'] },
    keys: [
      { key: 'published-key', reads: 'published' },
      { key: 'draft-key', reads: 'drafts' },
    ],
    ...(spaces && { spaces }),
    models,
    media,
    contents: contents.map((content, n) => ({ created_at: created(n), ...content })),
  };
  const origin = `http://site-${++services}.test`;
  const service = createEmulator(seed, { origin, rateLimit: false, ...options });
  service.clock.set(START + 3_600_000);
  return service;
}

type SpaceOptions = Parameters<typeof defineSpace>[0];
/** Of one collection: its model, and the options of its loader. */
export type Collection = { readonly model: string } & Record<string, unknown>;
export type Entries = ReadonlyMap<string, Record<string, unknown>>;

type Build = (
  collections?: Record<string, Collection>,
  space?: Partial<Omit<SpaceOptions, 'models'>> & { models?: object },
) => Promise<Record<string, Entries>>;

export interface Site {
  readonly store: MutableDataStore;
  /** Builds once, as a new process would, with the cache and the store that the last build left. */
  readonly build: Build;
  /** The same again after it: the second build confirms what the first one read, so that a third one need not. */
  readonly buildTwice: Build;
}

/** A site that reads a service. With two requests at once, three models never fit in one round. */
export function openSite(service: Emulator, store = new MutableDataStore()): Site {
  const dir = join(folder, String(++sites));
  return {
    store,
    build,
    async buildTwice(...of) {
      await build(...of);
      return build(...of);
    },
  };

  async function build(...[collections = { articles: { model: 'article' } }, given = {}]: Parameters<Build>) {
    const { models = MODELS, ...options } = given;
    const space = defineSpace({
      baseUrl: service.baseUrl,
      apiKey: 'published-key',
      draftApiKey: 'draft-key',
      languages: { main: 'ja', sub: ['en'] },
      fetch: service.fetch,
      ...options,
      network: {
        retries: 0,
        requestsPerMinute: Number.POSITIVE_INFINITY,
        concurrency: 2,
        ...options.network,
      },
      models: models as SpaceOptions['models'],
      clock: { now: () => service.clock.now(), sleep: () => new Promise<void>(() => {}) },
    });
    const loads = Object.entries(collections).map(([collection, { model, ...loader }]) =>
      space.loader(model, loader as never).load(contextOf(collection, store, dir)),
    );
    for (const result of await Promise.allSettled(loads))
      if (result.status === 'rejected') throw result.reason;
    return Object.fromEntries(
      Object.keys(collections).map((name) => [
        name,
        new Map(
          store
            .scopedStore(name)
            .values()
            .map(({ id, data }) => [id, data]),
        ),
      ]),
    );
  }
}

function contextOf(collection: string, store: MutableDataStore, cacheDir: string): LoaderContext {
  const ignore = () => {};
  return {
    collection,
    store: store.scopedStore(collection),
    meta: store.metaStore(collection),
    logger: { info: ignore, warn: ignore, error: ignore, debug: ignore },
    config: { cacheDir: pathToFileURL(`${cacheDir}/`) },
    parseData: async ({ data }: { data: unknown }) => data,
    renderMarkdown: async (html: string) => ({ html }),
    generateDigest: (data: unknown) => hash('sha1', typeof data === 'string' ? data : JSON.stringify(data)),
  } as unknown as LoaderContext;
}

export interface CollectionQuery {
  readonly model: string;
  readonly depth?: number;
  readonly lang?: string;
  readonly fallback?: boolean;
  readonly apiKey?: string;
}

/** What the service itself responds for a collection, past the CDN, by content id. */
export async function responseOf(
  service: Emulator,
  asked: CollectionQuery,
): Promise<Record<string, unknown>> {
  const { model, depth = 1, lang, fallback, apiKey = 'published-key' } = asked;
  const items: Record<string, unknown> = {};
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const query = new URLSearchParams({ model, depth: String(depth), offset: String(offset), order: '_id' });
    if (lang) query.set('lang', lang);
    if (fallback) query.set('lang_fallback', 'true');
    const headers = { 'X-SERVICE-API-KEY': apiKey, 'x-luid-pop': `check-${Math.random()}` };
    const response = await service.fetch(`${service.baseUrl}/contents?${query}`, { headers });
    const list = (await response.json()) as { total: number; data: { _id: number }[] };
    for (const item of list.data) items[item._id] = comparable(item);
    total = list.total;
  }
  return items;
}

/** The entries of a collection by content id, in the form of `responseOf`. */
export function shown(entries: Entries | undefined): Record<string, unknown> {
  return Object.fromEntries([...(entries ?? [])].map(([, data]) => [data._id, comparable(data)]));
}

const ADDED = new Set(['_lang', '_fallback', '_langs']);

/** Times in one form, and without what the loader adds. */
function comparable(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (key, value) => {
    if (ADDED.has(key)) return undefined;
    const isTime = key.startsWith('_') && key.endsWith('_at') && typeof value === 'string';
    return isTime ? new Date(value).toISOString() : value;
  });
}

/** Replaces content over the write interface: a language that the body lacks is removed (§4.4). */
export async function put(service: Emulator, id: number, model: string, body: object): Promise<void> {
  const url = `${service.baseUrl}/contents/${id}?model=${model}&published=true`;
  const headers = { 'X-SERVICE-API-KEY': 'published-key', 'content-type': 'application/json' };
  const response = await service.fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`PUT of content ${id}: ${response.status} ${await response.text()}`);
}
